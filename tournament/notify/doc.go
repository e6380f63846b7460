// Package notify wakes readers when something has changed: publish and subscribe for streams, mailboxes and anyone else who
// then reads the database again. On Postgres it reaches every process (LISTEN and NOTIFY), otherwise only this one. A
// notification is only a hint: it can be lost with the process that owes it, so the database is the truth. What changed, and
// reading it, must not live here.
package notify
