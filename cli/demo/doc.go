// Package demo holds the command demo: a whole platform on this machine, with house bots that play tournaments of every game.
package demo
