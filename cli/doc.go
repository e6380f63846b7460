// Package cli holds the root command: it puts the commands of its rooms together and makes an exit code of how one ends. A
// room is a package of commands: platform, author, local and demo. What rooms share lies in packages that know no room: command,
// settings, printer, client and process. A rule of a game, a match or a tournament must not live here.
package cli
