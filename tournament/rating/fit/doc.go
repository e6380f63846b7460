// Package fit estimates, from every match of a ladder at once, how strong each version is and what seats and teams are
// worth, with intervals, as a pure function of the matches. Storage, clocks and the on-line ratings must not live here.
package fit
