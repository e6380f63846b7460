// Package pairing decides who plays whom, in which seats and in which round, as pure functions of the number of entries,
// the options and a stream of random numbers. Bots, ratings, seeds of matches, clocks and storage must not live here.
package pairing
