// Package database is the connection to Postgres or SQLite, and what rows of any kind need: transactions, ids, the clock,
// pages, migrations. It knows none of our tables.
package database
