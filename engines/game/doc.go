// Package game is the interface between the rules of a game and everything that plays it. A game writes typed [Rules] over
// plain data; [Wrap] turns them into an untyped [Engine], whose [Table] is what the runner, the rules console and the replay
// verifier hold. Rules of one particular game, clocks, network messages and storage must not live here.
package game
