package migrations

import "embed"

// Files are the migrations by file name, numbered in the order they run.
//
//go:embed *.sql
var Files embed.FS
