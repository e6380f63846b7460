package migrations

import (
	"embed"
	"strings"
)

// Files are the migrations by file name, numbered in the order they run.
//
//go:embed *.sql
var Files embed.FS

// PauseCauses returns the statement by which migration 19 reads the causes of pauses from the sentences of the releases before.
// A backup of theirs is read so too.
func PauseCauses() (string, error) { return statement("00019_pause_causes.sql", "UPDATE bots ") }

// Places returns the statement by which migration 23 gives the lines of ladders their classes and their place in the fit. A
// backup of a release before is read so too.
func Places() (string, error) { return statement("00023_places.sql", "UPDATE ratings ") }

// Plays returns the statement by which migration 55 says which game a ladder plays. A backup of a release before is read so too.
func Plays() (string, error) { return statement("00055_ladders_of_variants.sql", "UPDATE ladders ") }

// statement returns the first one of a migration that begins so.
func statement(file, begin string) (string, error) {
	text, err := Files.ReadFile(file)
	if err != nil {
		return "", err
	}
	_, rest, _ := strings.Cut(string(text), begin)
	body, _, _ := strings.Cut(rest, ";")
	return begin + body, nil
}
