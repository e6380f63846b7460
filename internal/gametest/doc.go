// Package gametest holds the laws that every game must obey, as one suite for the games' own tests: [Run] checks them all
// over any rules, [Indistinguishable] that nothing hidden leaks, [Vary] that a resample redraws everything hidden, [Catch] that planted
// leaks are found, [Words] that every event and action has its sentence. Rules of one particular game must not live here.
package gametest
