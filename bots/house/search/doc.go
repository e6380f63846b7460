// Package search is the tree search of the house bots: what it may try, how likely a table is and what an end is worth each
// game says in an [Outlook]. No game is known here.
package search
