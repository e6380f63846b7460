// Package catalog is the hand-written list of the games; rules of a game must not live here.
package catalog
