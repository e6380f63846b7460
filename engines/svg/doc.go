// Package svg holds what the drawings of the games share: how a document begins and ends, and words in it. What is drawn, and how
// it looks, is for each game.
package svg
