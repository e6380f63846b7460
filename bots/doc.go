// Package bots is the roof over what bot authors touch: the wire types (protocol), the Go kit (kit), the house bots (house)
// and the starters in other languages. Nothing of the platform's inside lives here.
package bots
