// Package store keeps everything in one database, Postgres or SQLite, with the same code: tables, transactions, pages, and
// jobs handed to the queue. It takes and returns domain types and the sentinels of package tournament. What happens on the
// platform, and why, must not live here: that is package director's. Nor must HTTP, or the playing of matches.
package store
