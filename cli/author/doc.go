// Package author holds the commands for authors of bots: init, check, login, logout, bot and connect. What a bot is checked
// for is in package check.
package author
