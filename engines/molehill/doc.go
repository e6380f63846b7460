// Package molehill is Mole Hill by Reiner Knizia: its rules, views, drawing and schemas. Clocks, bots and anything about
// other games must not live here.
//
// Two seats, two rounds, nothing hidden. In a round one seat is the mole, the other the gardener; in the second they
// swap. The mole places its first disc anywhere; then the gardener lays a rod on an inner edge and the mole moves one
// step, straight or diagonally, to a square it has not visited, never over a rod: a diagonal step needs one of its two
// ways round the corner free. After moving to the centre it may jump, once, to any square it has not visited. The round
// ends at once when the mole has no move or no disc left. The mole scores 1 for each black disc laid (the orange ones go
// first), 1 for each white and 2 for each red flower visited, the first and last square included. More points win.
//
// Units: squares are a1 (bottom left) to g9; edges name their two squares, the lower first ("d5-d6", "d5-e5"); scores are
// points. Variants: base; random_flowers (flowers drawn once per match, never on the centre). The board may be any odd ×
// odd shape of at most 63 squares. The numbers of rulings in this package are those of TestRulings.
package molehill
