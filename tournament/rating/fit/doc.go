// Package fit estimates how strong each version is, and what seats and teams are worth, from all matches of a ladder at once.
// It gives intervals, and is a pure function of the matches. Storage, clocks and the on-line ratings must not live here.
package fit
