// Package platform holds the commands of those who run a platform: serve, work, migrate, admin and ratings. How a server process is
// put together is in package process.
package platform
