// Package game is the port between the rules of a game and everything that plays it: a game writes typed [Rules] over
// plain data, [Wrap] turns them into an untyped [Engine] whose [Table] is what the runner, the rules console and the
// replay verifier hold. Rules of one particular game, clocks, words on the network and storage must not live here.
package game
