// Package journal records what is decided in running matches, and renews their leases. What comes at the same time of all matches of
// a process shares a statement and a commit. Reading them, and how a match begins and ends, must not live here.
package journal
