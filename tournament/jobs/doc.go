// Package jobs is the working side of the queue. It claims matches, has package runner play them, keeps their leases and
// saves the results. It also sweeps up after lost workers, starts what is due, checks bots, delivers events, refits ladders,
// reviews matches and packs old decisions. Rules, SQL and HTTP must not live here.
package jobs
