// Package starters holds bots to copy, run and edit, one folder for each language, with nothing but that language's
// standard library. The only Go here is the test that plays them.
package starters
