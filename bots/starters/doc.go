// Package starters holds bots to copy, run and edit, one folder for each language and llm, with nothing but the language's
// standard library; `molerun init` writes them from here. No part of the product runs them.
package starters
