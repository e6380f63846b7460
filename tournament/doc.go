// Package tournament is the language of the platform: users, bots and their versions, tournaments, matches and ladders as
// plain types, with the rules of their lives as pure functions. It knows no database, no HTTP and no clock of its own.
package tournament
