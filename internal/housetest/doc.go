// Package housetest serves the tests of the house bots: it finds a bot, asks it and plays a match of bots.
package housetest
