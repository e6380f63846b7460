// Package settings reads the settings of a server process, from flags or else from the environment, and divides up the files
// that the process may have open.
package settings
