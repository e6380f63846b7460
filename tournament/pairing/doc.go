// Package pairing decides who plays whom, in which seats and in which round, and ranks them, as pure functions of the
// entries, the options, the results so far and a seed. Bots, ratings, seeds of matches, clocks and storage must not live
// here.
package pairing
