// Package mole holds the house bots of Mole. They work on the exact state that the rules guess from a view, and on a copy of
// the table in mm; the searcher plays on with the engine's physics.
package mole
