// Package demol holds the house bots of De Mol. From the view, they weigh every set of seats that may be the moles.
package demol
