// Command man writes what a release holds beside the program: `go run ./cli/man DIR` makes DIR/man, a page for every command,
// and DIR/completions, a file for every shell. It is no part of the program, so what it imports is not either.
package main
