// Package demol holds the house bots of De Mol. They weigh every set of seats that may be the moles by what the view tells.
package demol
