// Package starters holds bots to copy, run and edit, one folder for each language, with nothing but that language's
// standard library; `molerun init` writes them from here. No part of the product runs them.
package starters
