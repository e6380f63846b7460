// Command bench measures what the docs promise about speed: each figure stands beside an anchor that is measured in the same run,
// and the ratio counts, since a machine may be slow or busy. It is a module of its own: nothing of it is in the product's binary.
//
// It measures random playouts, late moves against early ones, views and offers as JSON, the refit of a million matches,
// matchmaking among 10,000 bots, decisions over HTTP, the memory of a running match, decisions until Postgres has them,
// results committed, and pages (a ladder of 10,000 bots, a long match). It exits with 1 if a ratio misses what is wanted.
package main
