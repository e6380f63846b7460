// Package cia implements the rules of CIA (Heimlich & Co.) for 2 to 7 seats as a pure engine. Other games, networks, clocks
// and storage must not live here.
//
// Every seat has a secret agent; agents without a seat are free agents. A turn is a roll and a move of any agents along a
// ring of twelve buildings. When an agent is moved to the building with the safe, every agent's stone moves by the number of
// its building, and the seat that caused it moves the safe. The match ends when a stone has gone once round the score track.
// If a free agent is ahead then, nobody wins.
//
// Variants: Top Secret (cards, played in a reaction round between move and scoring), Geheim dossier (everyone writes down who
// runs which agent), and both. The source is the Dutch rulebook; docs/rules/cia.md decides what it leaves open.
//
// Units: buildings are indexes 0 (church) to 11 (ruin) clockwise, points are fields of the score track, seats are 0-based
// and left is seat+1.
package cia
