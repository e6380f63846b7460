// Package command holds what every command shares: its streams, usage errors, the exit codes, the program's name and version.
// It knows no command.
package command
