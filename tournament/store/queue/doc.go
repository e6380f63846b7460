// Package queue is the job queue, River's, on the database's own connections: a job is added in the transaction of what it is
// for. What a job does must not live here.
package queue
