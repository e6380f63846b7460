// Package notify tells who waits that something has changed: one publish and subscribe for streams, mailboxes and whoever
// else looks at the database again. On Postgres it reaches every process (LISTEN and NOTIFY), elsewhere this one. Being told
// is only a hint to look: the database is the truth, and a hint can be lost with the process that owes it. What changed, and
// reading it, must not live here.
package notify
