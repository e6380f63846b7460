// Package matchmaking decides who meets whom on a standing ladder, as pure functions of the waiting bots, their recent
// matches and a seed. Clocks, storage and the rounds of tournaments must not live here.
package matchmaking
