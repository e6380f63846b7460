// Package database is the connection to Postgres or SQLite, and what rows of any kind need: transactions, ids, the clock,
// pages, migrations. It knows of our tables only the order in which their
// rows are locked.
package database
