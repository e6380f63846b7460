// Package journal records what is decided in running matches. The steps of all matches of a process that come at the same time
// share a statement and a commit. Reading them, and how a match begins and ends, must not live here.
package journal
