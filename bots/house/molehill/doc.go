// Package molehill holds the house bots of Mole Hill. They look ahead from the exact state that the rules guess from a view.
package molehill
