// Package simulate plays whole ladders of bots of known strength in virtual time, with the real matchmaking, ratings and fit,
// and measures how close the ratings come to the truth. Games, real clocks, storage and output must not live here.
package simulate
