// Package migrations holds the schema as goose migrations that Postgres and SQLite run unchanged. The queue's own tables
// come from the queue's library; queries and Go logic must not live here.
package migrations
