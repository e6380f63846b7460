// Package search is the search of the house bots: it plays ideas out on tables drawn from a view. Each game says in a [Valuer] what
// to try, how likely a table is, and what a place and an end are worth. No game is known here.
package search
