// Package python holds molerun's package for Python: bots behind HTTP, environments to train in, and search. The Go side is
// its test alone.
package python
