// Package store keeps everything in one database, Postgres or SQLite, by the same code: tables, transactions, pages and
// the queue's hand-over. It returns domain types and the sentinels of package tournament; the rules of their lives, HTTP
// and the playing of matches must not live here.
package store
