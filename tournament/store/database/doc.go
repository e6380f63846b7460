// Package database is the connection to Postgres or SQLite, and what rows of any kind need of it: transactions, ids, the
// clock, pages, migrations. It knows no table of ours.
package database
