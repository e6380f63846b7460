// Package engines is the roof over the rules of the games: the port they are written against (game), the laws they must
// obey (gametest), the hand-written list of them (catalog), the rules console (console) and one folder per game. Nothing
// here knows time, network, files or a database.
package engines
