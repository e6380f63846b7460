// Package local holds the commands that need no platform: play, sprt, replay, rules, house, stats, simulate and mcp. They have no
// database, no account and, but for the bots that they are told to call, no network.
package local
