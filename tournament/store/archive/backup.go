package archive

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament/store/database"
)

// format names the format of backups: gzipped JSON Lines that say nothing of the database they come from.
//
//	{"format":"backup/1","program":"…","schema":8,"made_at":"…"}
//	{"table":"users","columns":["id:text","name:text",…]}       then one array a row
//	{"rows":123,"sha256":"…"}                                   over every byte before this line
//
// Times are RFC 3339 in UTC with microseconds, numbers are the shortest that read back the same.
const format = "backup/1"

type (
	fileHeader struct {
		Format  string `json:"format"`
		Program string `json:"program"`
		Schema  int64  `json:"schema"`
		MadeAt  string `json:"made_at"`
	}
	fileTable struct {
		Table   string   `json:"table"`
		Columns []string `json:"columns"`
	}
	fileEnd struct {
		Rows   int64  `json:"rows"`
		SHA256 string `json:"sha256"`
	}
)

// schemaQuery asks for the number of the last migration, at the moment of the backup.
const schemaQuery = "SELECT MAX(version_id) FROM goose_db_version WHERE is_applied"

// withoutTimeouts lifts, for a transaction, the bounds that an operator may have set for all that use the Postgres: a backup and a restore last as
// long as the file takes.
const withoutTimeouts = "SELECT set_config('statement_timeout', '0', TRUE), set_config('idle_in_transaction_session_timeout', '0', TRUE)"

const timeFormat = "2006-01-02T15:04:05.000000Z"

// Summary is what a backup holds, and what was changed on the way: texts that no database can keep ([text.Clean]), and
// matches whose record got new hashes for that.
type Summary struct {
	Tables    int
	Rows      int64
	SHA256    string // of its lines, hexadecimal
	Cleaned   int64
	Rechained int
}

// Backup writes all data as they are at one moment, while others go on reading and writing. The queue is left out:
// [Restore] makes its jobs again. A backup holds the secrets of bots.
func Backup(ctx context.Context, db *database.DB, w io.Writer) (sum Summary, err error) {
	conn, err := db.Raw().Conn(ctx)
	if err != nil {
		return sum, err
	}
	defer func() { _ = conn.Close() }() // it goes back to the pool
	begin := "BEGIN DEFERRED"           // reads the state of its first statement and holds up no writer
	postgres := db.Pool() != nil
	if postgres {
		begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
	}
	if _, err := conn.ExecContext(ctx, begin); err != nil {
		return sum, err
	}
	defer func() { _, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") }() // nothing was written
	if postgres {
		if _, err := conn.ExecContext(ctx, withoutTimeouts); err != nil {
			return sum, err
		}
	}
	head := fileHeader{Format: format, Program: db.Options().Program, MadeAt: db.Now().Format(timeFormat)}
	if err := conn.QueryRowContext(ctx, schemaQuery).Scan(&head.Schema); err != nil {
		return sum, err
	}
	out := &writer{w: gzip.NewWriter(w), sum: sha256.New()}
	out.line(head)
	list, err := tables(ctx, postgres, conn)
	if err != nil {
		return sum, err
	}
	for _, t := range list {
		if err := out.table(ctx, conn, t, postgres); err != nil {
			return sum, fmt.Errorf("table %s: %w", t.name, err)
		}
	}
	sum = Summary{Tables: len(list), Rows: out.rows, SHA256: hex.EncodeToString(out.sum.Sum(nil)), Cleaned: out.cleaned}
	out.line(fileEnd{Rows: sum.Rows, SHA256: sum.SHA256})
	return sum, errors.Join(out.err, out.w.Close())
}

// table writes a table with all of its rows.
func (out *writer) table(ctx context.Context, conn querier, t dataTable, postgres bool) error {
	out.line(fileTable{Table: t.name, Columns: database.Map(t.columns, func(c dataColumn) string { return c.name + ":" + c.kind })})
	order := database.Map(t.key, func(k string) string {
		for _, c := range t.columns {
			if c.name == k && c.kind == "text" && postgres {
				return `"` + k + `" COLLATE "C"` // as SQLite sorts
			}
		}
		return `"` + k + `"`
	})
	query := "SELECT " + quoted(t.columns) + ` FROM "` + t.name + `" ORDER BY ` + strings.Join(order, ", ")
	cells, into := make([]any, len(t.columns)), make([]any, len(t.columns))
	for i := range cells {
		into[i] = &cells[i]
	}
	return eachRow(ctx, conn, query, func(scan func(...any) error) error {
		if err := scan(into...); err != nil {
			return err
		}
		for i, c := range t.columns {
			v, err := c.portable(cells[i])
			if err != nil {
				return fmt.Errorf("row %v: %w", cells[:len(t.key)], err)
			}
			if said, isText := v.(string); isText && !utf8.ValidString(said) { // JSON cannot hold it; NUL it can
				v = text.Clean(said)
				out.cleaned++
			}
			cells[i] = v
		}
		out.line(cells)
		out.rows++
		return out.err
	})
}

// portable returns what a driver gave as JSON should hold it.
func (c dataColumn) portable(v any) (any, error) {
	if b, isBytes := v.([]byte); isBytes {
		v = string(b)
	}
	switch x := v.(type) {
	case nil:
		return nil, nil
	case string:
		if c.kind == "text" {
			return x, nil
		}
	case int64:
		switch c.kind {
		case "int":
			return x, nil
		case "bool":
			return x != 0, nil
		case "float":
			return float64(x), nil
		}
	case float64:
		if c.kind == "float" {
			return x, nil
		}
	case bool:
		if c.kind == "bool" {
			return x, nil
		}
	case time.Time:
		if c.kind == "time" {
			return database.UTC(x).Format(timeFormat), nil
		}
	}
	return nil, fmt.Errorf("column %s is no %s but %T %.40q", c.name, c.kind, v, fmt.Sprint(v))
}

// writer writes lines and counts them into the checksum. Its first error stays.
type writer struct {
	w       *gzip.Writer
	sum     hash.Hash
	rows    int64
	cleaned int64
	buf     bytes.Buffer
	err     error
}

func (out *writer) line(v any) {
	if out.err != nil {
		return
	}
	out.buf.Reset()
	e := json.NewEncoder(&out.buf)
	e.SetEscapeHTML(false)
	if out.err = e.Encode(v); out.err != nil {
		return
	}
	out.sum.Write(out.buf.Bytes())
	_, out.err = out.w.Write(out.buf.Bytes())
}
