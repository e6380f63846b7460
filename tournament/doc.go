// Package tournament defines the platform's terms: users, bots and their versions, tournaments, matches and ladders as plain
// types, with their rules as pure functions. It knows no database, no HTTP and no clock of its own.
package tournament
