// Package settings reads what a server process is told, by environment or, first, by flags, and how it shares out the files that it
// may have open.
package settings
