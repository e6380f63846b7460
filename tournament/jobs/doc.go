// Package jobs is the working side of the queue: it claims matches, has package runner play them, keeps their leases and
// saves what comes of it; it sweeps up after lost workers, starts what is due, checks bots, delivers events, refits ladders
// and packs old decisions. Rules, SQL and HTTP must not live here.
package jobs
