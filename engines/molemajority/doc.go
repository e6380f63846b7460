// Package molemajority implements the rules of Mole Majority for 2 to 4 seats as a pure engine. Other games, networks, clocks
// and storage must not live here.
//
// Every seat leads a tribe of moles from its Home Base over a board of hexes. A turn is one action card and any number of
// stacked cards, each a run of small decisions: BREED puts a mole on an own claimed hex, MOVE takes one along the tunnel
// network, CONVERT exchanges a mole of another seat, the Groundskeeper rolls moles off a hex. The seat with the majority on a
// full hex claims it; claims and secret home tokens are points. A seat without a claim is out.
//
// Variants: base, and spaces, where the mover names the mole spaces. The source is the English rulebook of 2015;
// docs/rules/molemajority.md decides what it leaves open.
//
// Units: hexes are indexes 0 to 18 in the order of their axial names, spaces are 0-based clockwise from north, seats are
// 0-based and left is seat+1.
package molemajority
