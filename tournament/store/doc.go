// Package store keeps everything in one database, Postgres or SQLite, by the same code: tables, transactions, pages and
// the queue's hand-over. It gives and takes domain types and the sentinels of package tournament. What happens on the
// platform, and why, must not live here: that is package director's. Nor must HTTP, or the playing of matches.
package store
