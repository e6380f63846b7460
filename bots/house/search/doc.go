// Package search is the tree search of the house bots. Each game says in an [Outlook] what the search may try, how likely a
// table is, and what an end is worth. No game is known here.
package search
