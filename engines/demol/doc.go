// Package demol implements the rules of De Mol (The Resistance) for 5 to 10 seats as a pure engine. Other games, networks,
// clocks and storage must not live here.
//
// Agents and moles get secret roles. Each mission round the leader proposes a team, all vote at once, more than half must
// approve; five rejections in one round give the moles the match. The members of an approved team play success or fail in
// secret, agents always success; one fail spoils a mission, mission 4 at seven or more seats needs two. Three successes
// win for the agents, three fails for the moles.
//
// Variants: plot cards (the expansion De samenzwering groeit), targeting (Gericht kiezen: the leader also picks the
// mission) and blind moles (Mollen kennen elkaar niet); they combine. The source is the Dutch rulebook of 999 Games;
// docs/rules/demol.md decides what it leaves open.
//
// Seats are 0-based and left is seat+1. Missions, rounds and attempts count from 1.
package demol
