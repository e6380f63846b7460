// Package tournament defines the platform's terms: users, bots and their versions, tournaments, matches and ladders as plain
// types, with their rules as pure functions. It knows no database, no HTTP and no clock of its own. Start with [Tournament] and
// its Check, with [Match] and with [Bot]; package pairing implements each [Format].
//
// # What counts without a game
//
// A bye is a round that an entry sits out because nobody is left for it to meet. It counts
//
//	in a swiss at tables of two   as a whole block won
//	in a swiss at larger tables   as half of a block
//	elsewhere                     as nothing; in a bracket it takes the entry to the next round
//
// A forfeit is a block or a tie that is not played because one side is paused, does not answer, or has withdrawn:
//
//	tables of two, one side there   that side wins the block
//	bracket, one side there         that side wins the tie
//	nobody there                    nobody gets anything
//	larger tables                   no forfeit: the others play short-handed, or have a bye
//
// A void match was not played to its end. It counts for nobody, neither in standings nor in ratings:
//
//	by a fault of the platform       it is played again, up to [MaxReplays] times, in the same place and with other luck
//	by an organiser, administrator   it is not played again
//
// A seat is retired when it has made as many faults as [FaultLimits] allows. The match goes on without it:
//
//	no teams   it is placed below all seats that stayed; several share the last place
//	teams      it has 0 points; what the others have stays as it is
//
// An entry that withdraws forfeits what it had still to play. In a round robin, groups and a gauntlet at tables of two, one that
// withdraws before half of its games of the stage is annulled: nothing that it played there counts in the standings.
package tournament
