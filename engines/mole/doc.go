// Package mole is Mole, the coin-flicking game: its rules, boards, views, drawing and schemas. The physics is in package
// coins below; clocks, bots and anything about other games must not live here.
//
// Two seats, nothing hidden. One seat flicks the mole, a large coin that tries to cross the winning line at the far end of
// the board; the other flicks three small coins, the mignettes, that block it or knock it off a side. The mignettes are
// placed and move first; in their turn each living one is flicked once or passes ("Nasdaq"), then the mole is flicked once or
// passes. A round ends when the mole crosses or dies or the mignettes are dead: if the mole wins, its seat scores a point and
// keeps it; if the mignettes win, the seats swap animals; a tie is played again. First to 11 with a lead of two.
//
// Units: micrometres (um), thousandths of a degree counter-clockwise from +x (mdeg), mm/s, microseconds. The origin is the
// left end of the back edge, y runs towards the winning line. Variants: base, short (to 5), carnival (a board with ramp, wall
// and gate), still (no noise in the execution). The labels row 1–15, P1–P8 and F1–F5 in this package are those of
// docs/rules/mole.md. Source: the article "Mole (game)", formerly of Wikipedia.
package mole
