// Package bots is the folder for bot authors: the wire types (protocol), the Go kit (kit), the house bots (house) and the
// starters in other languages. No internals of the platform live here.
package bots
