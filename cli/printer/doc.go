// Package printer is how commands tell: progress on stderr, results on stdout as text or as JSON lines, a bar, and numbers and the
// text of others as a terminal may have them.
package printer
