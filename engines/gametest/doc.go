// Package gametest holds the laws that every game behind the port must keep, as one suite for the games' own tests:
// [Run] checks them all over any rules, [Twins] that nothing hidden leaks, [Vary] that a resample redraws all that is
// hidden, [Catch] that planted leaks are found, [Words] that everything told has its sentence. Rules of one particular game must not live here.
package gametest
