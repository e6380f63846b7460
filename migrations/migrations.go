package migrations

import (
	"embed"
	"strings"
)

// Files are the migrations by file name, numbered in the order they run.
//
//go:embed *.sql
var Files embed.FS

// PauseCauses is the statement by which migration 19 reads the causes of pauses from the sentences of the releases before.
// A backup of theirs is read so too.
func PauseCauses() (string, error) {
	text, err := Files.ReadFile("00019_pause_causes.sql")
	if err != nil {
		return "", err
	}
	const begin = "UPDATE bots "
	_, rest, _ := strings.Cut(string(text), begin)
	statement, _, _ := strings.Cut(rest, ";")
	return begin + statement, nil
}
