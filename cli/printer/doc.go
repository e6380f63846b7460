// Package printer is how commands print: progress on stderr, results on stdout as text or as JSON lines, a progress bar, and
// numbers and other people's text made safe for a terminal.
package printer
