// Package storetest gives tests a fresh store on SQLite and on Postgres, and small games to play on it. It is for tests only:
// nothing that ships may import it.
package storetest
