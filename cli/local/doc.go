// Package local holds the commands that need no platform: play, sprt, tune, replay, rules, house and mcp. They use
// no database and no account. They use the network only to call the bots that they are given.
package local
