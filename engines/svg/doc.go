// Package svg holds what the drawings of the games share: how a document begins and ends, and text in it. Each game decides
// what is drawn and how it looks.
package svg
