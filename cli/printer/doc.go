// Package printer is how commands print: what they are about on stderr, how far they are on a terminal alone, results on stdout as text
// or as JSON lines, and numbers and other people's text made safe for a terminal.
package printer
