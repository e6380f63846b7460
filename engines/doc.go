// Package engines is the folder for the rules of the games: the interface that they implement (game), the laws that they must
// obey (gametest), the hand-written list of them (catalog), the rules console (console) and one folder per game. Nothing here
// knows time, network, files or a database.
package engines
