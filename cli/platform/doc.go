// Package platform holds the commands for operators: serve, work, migrate, admin and ratings. Package process puts a server
// process together.
package platform
