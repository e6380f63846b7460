// Package author holds the commands of those who write bots and enter them at a platform: init, check, login, logout, bot and
// connect. What a bot is checked for is in package check.
package author
