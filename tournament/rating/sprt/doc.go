// Package sprt decides from a running series of matches between two versions whether one is stronger, as a pure function
// of the results. Playing, choosing opponents, storage and clocks must not live here.
package sprt
