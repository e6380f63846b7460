// Package cli holds the root command: it assembles the commands of its rooms and turns the way a command ends into an exit
// code. A room is a package of commands: platform, author, local and demo. What rooms share is in packages that know no room:
// command, settings, printer, client and process. A rule of a game, a match or a tournament must not live here.
package cli
