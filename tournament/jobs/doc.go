// Package jobs is the working side of the queue: it claims matches, has package runner play them, keeps their leases and
// saves what comes of it, and sweeps up after lost workers. Rules, SQL and HTTP must not live here.
package jobs
