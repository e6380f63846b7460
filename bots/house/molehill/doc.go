// Package molehill holds the house bots of Mole Hill. They look ahead on the state that the rules guess from a view, exactly.
package molehill
