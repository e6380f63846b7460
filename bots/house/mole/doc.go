// Package mole holds the house bots of Mole. They work on the state that the rules guess from a view, exactly, and on a copy
// of the table in mm; the searcher plays on through the engine's physics.
package mole
