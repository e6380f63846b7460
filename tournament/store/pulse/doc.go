// Package pulse asks the database what an operator wants to know: does everyone get matches, and what waits? It changes
// nothing.
package pulse
