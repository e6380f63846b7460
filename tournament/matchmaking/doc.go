// Package matchmaking decides who meets whom on a standing ladder, as pure functions of the bots that wait, what they have
// played lately and a seed. Clocks, storage and the rounds of tournaments must not live here.
package matchmaking
