// Package housetest is what the tests of the house bots share: finding a bot, asking it, playing a match of bots.
package housetest
