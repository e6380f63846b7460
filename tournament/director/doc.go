// Package director is the tournament director: what happens on the platform, each thing in one transaction. Tournaments
// start, go on and end; matches are dealt, claimed, ended and played again; bots enter, leave, are rated and judged. It
// decides with the pure packages, and reads and writes through package store. SQL, HTTP and the playing of matches must not
// live here.
package director
