package migrations

import (
	"embed"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
)

// Files are the migrations by file name, numbered in the order they run.
//
//go:embed *.sql
var Files embed.FS

var comment = regexp.MustCompile(`(?m)--.*$`)

// Updates returns the statements by which the migrations after a schema have changed rows, in the order they ran: a backup of that schema is
// read by them too, into the tables of today.
func Updates(schema int) ([]string, error) {
	names, err := fs.Glob(Files, "*.sql")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, name := range names {
		digits, _, _ := strings.Cut(name, "_")
		if number, err := strconv.Atoi(digits); err != nil || number <= schema {
			continue
		}
		text, err := Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		up, _, _ := strings.Cut(string(text), "-- +goose Down")
		for statement := range strings.SplitSeq(comment.ReplaceAllString(up, ""), ";") {
			if statement = strings.TrimSpace(statement); strings.HasPrefix(statement, "UPDATE ") {
				out = append(out, statement)
			}
		}
	}
	return out, nil
}
