// Package command is what every command shares: the streams it may touch, what makes a command line wrong, the exit codes, the
// program's name and version. It knows no command.
package command
