// Package svg holds what the drawings of the games share: how a document begins and ends, words in it, pieces that move, and
// the tokens of the seats. Each game decides what is drawn and how it looks.
package svg
