// Package director runs tournaments and ladders, each change in one transaction. Tournaments start, advance and end; matches
// are dealt, claimed, ended and played again; bots enter, leave, are rated and paused. It decides with the pure packages, and
// reads and writes through package store. SQL, HTTP and the playing of matches must not live here.
package director
