package archive

import (
	"bufio"
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
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/migrations"
	"github.com/molerun/molerun/tournament/store"
)

var (
	// ErrBackup means that a file is no backup, is damaged, or holds what this program's tables do not.
	ErrBackup = errors.New("bad_backup")
	// ErrNotEmpty means that a database that should receive a backup has data already.
	ErrNotEmpty = errors.New("database_not_empty")

	errCutShort = fmt.Errorf("%w: the file is cut short", ErrBackup)
	errNewer    = fmt.Errorf("%w: made by a newer program", ErrBackup)
)

const (
	maxBackupLine = 64 << 20
	// restoreCells bounds the parameters of a statement. SQLite takes 32,766, but its driver looks for each among all of them:
	// a restore took three times as long.
	restoreCells = 2000
	// restoreBytes bounds the lines whose rows one statement writes, but for its last: it is in memory several times, and Postgres refuses a gigabyte.
	restoreBytes = 2 << 20
	// seeded is the table that migrations put a row into.
	seeded = "feeds"
)

// Restore fills a migrated, empty database with what [Backup] wrote, from whichever database, all of it or nothing.
// A backup of an older schema is taken: columns it lacks get their defaults, and the migrations since change its rows. Matches that are not
// over are queued again, those that were parked stay so; what is recorded of them is not asked again. Text that a database cannot keep is
// cleaned, and counted; the records of matches that it was part of get new hashes.
func Restore(ctx context.Context, s *store.Store, engines func(id string) (game.Engine, bool), r io.Reader) (Summary, error) {
	var sum Summary
	schema, err := s.Schema(ctx)
	if err != nil {
		return sum, err
	}
	z, err := unpack(r)
	if err != nil {
		return sum, advised(err)
	}
	err = s.Once(ctx, func(tx *store.Tx) error { // the file is read once
		in := &restorer{tx: tx, postgres: s.Pool() != nil, lines: bufio.NewScanner(z), sum: sha256.New(), schema: schema}
		in.lines.Buffer(nil, maxBackupLine)
		in.lines.Split(wholeLines)
		if in.postgres {
			if err := tx.SQL.Exec(withoutTimeouts).Error; err != nil {
				return err
			}
		}
		if err := in.prepare(ctx); err != nil {
			return err
		}
		if err := in.run(ctx); err != nil {
			return advised(fmt.Errorf("line %d: %w", in.line, err))
		}
		if err := in.fill(); err != nil {
			return err
		}
		for _, id := range slices.Sorted(maps.Keys(in.changed)) {
			done, err := rechain(tx, engines, id)
			if err != nil {
				return err
			}
			if done {
				in.summary.Rechained++
			}
		}
		sum = in.summary
		return tx.RequeueOpen(ctx)
	})
	return sum, err
}

// advised adds what helps to the error of a damaged file.
func advised(err error) error {
	if !errors.Is(err, ErrBackup) || errors.Is(err, errNewer) {
		return err
	}
	return fmt.Errorf("%w; copy the file again, or restore another backup", err)
}

// unpack reads gzip. What begins as gzip does, and ends before its header does, is cut short.
func unpack(r io.Reader) (io.Reader, error) {
	in := bufio.NewReader(r)
	magic, _ := in.Peek(2)
	z, err := newUnpacked(in)
	switch {
	case err != nil && bytes.HasPrefix([]byte{0x1f, 0x8b}, magic):
		return nil, errCutShort
	case err != nil:
		return nil, fmt.Errorf("%w: not gzip: %w", ErrBackup, err)
	}
	return z, nil
}

// restorer reads one backup.
type restorer struct {
	tx       *store.Tx
	postgres bool
	lines    *bufio.Scanner
	sum      hash.Hash
	schema   int64 // of this database
	from     int64 // that the backup was made of
	line     int
	tables   map[string]dataTable
	seen     map[string]bool
	changed  map[string]bool // matches with text that was cleaned
	summary  Summary

	into    dataTable // the table whose rows come now
	columns []dataColumn
	cells   []any
	bytes   int // of their lines
}

// prepare makes sure that nothing is overwritten.
func (in *restorer) prepare(ctx context.Context) error {
	list, err := tables(ctx, in.postgres, in.tx.SQL.Statement.ConnPool.(querier))
	if err != nil {
		return err
	}
	in.tables, in.seen, in.changed = map[string]dataTable{}, map[string]bool{}, map[string]bool{}
	for _, t := range list {
		in.tables[t.name] = t
		query := `SELECT COUNT(*) FROM (SELECT 1 FROM "` + t.name + `" LIMIT 1) AS rows`
		if t.name == seeded {
			query = "SELECT COUNT(*) FROM feeds WHERE last_seq > 0"
		}
		var n int64
		if err := in.tx.SQL.Raw(query).Scan(&n).Error; err != nil {
			return err
		}
		if n > 0 {
			return fmt.Errorf("%w: table %s has rows; restore into a fresh database", ErrNotEmpty, t.name)
		}
	}
	return in.tx.SQL.Exec("DELETE FROM feeds").Error // the migration's row; the backup has its own
}

// run reads every line.
func (in *restorer) run(ctx context.Context) error {
	var head fileHeader
	line, err := in.next()
	if err != nil {
		return err
	}
	if err := strict.Decode(line, &head); err != nil || head.Format != format {
		return fmt.Errorf("%w: the first line is no header of the format %s: %.60q", ErrBackup, format, line)
	}
	if head.Schema > in.schema {
		return fmt.Errorf("%w: %s at schema %d, but this one knows schemas up to %d: restore with that release", errNewer, head.Program, head.Schema, in.schema)
	}
	in.from = head.Schema
	for {
		so := hex.EncodeToString(in.sum.Sum(nil))
		line, err := in.next()
		if err != nil {
			return err
		}
		switch {
		case line[0] == '[':
			err = in.row(line)
		case strings.HasPrefix(string(line), `{"table":`):
			err = in.begin(line)
		default:
			return in.end(line, so)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}

// wholeLines splits lines as [bufio.ScanLines] does, and refuses one without a newline: every line of a backup has one.
func wholeLines(data []byte, atEOF bool) (int, []byte, error) {
	if atEOF && len(data) > 0 && !bytes.ContainsRune(data, '\n') {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return bufio.ScanLines(data, atEOF)
}

// broken returns why no line follows where one must.
func (in *restorer) broken() error {
	if err := in.lines.Err(); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: %w", ErrBackup, err)
	}
	return errCutShort
}

// next returns the next line without its end, which counts into the checksum.
func (in *restorer) next() ([]byte, error) {
	in.line++
	if !in.lines.Scan() {
		return nil, in.broken()
	}
	line := in.lines.Bytes()
	if len(line) == 0 {
		return nil, fmt.Errorf("%w: an empty line", ErrBackup)
	}
	in.sum.Write(line)
	in.sum.Write([]byte{'\n'})
	return line, nil
}

func (in *restorer) begin(line []byte) error {
	if err := in.flush(); err != nil {
		return err
	}
	var t fileTable
	if err := strict.Decode(line, &t); err != nil {
		return fmt.Errorf("%w: %w", ErrBackup, err)
	}
	known, ok := in.tables[t.Table]
	if !ok || in.seen[t.Table] {
		return fmt.Errorf("%w: table %.60q is unknown, or comes twice", ErrBackup, t.Table)
	}
	in.seen[t.Table] = true
	in.into, in.columns = known, nil
	in.summary.Tables++
	for _, column := range t.Columns {
		at := slices.IndexFunc(known.columns, func(c dataColumn) bool { return c.name+":"+c.kind == column })
		if at < 0 || slices.Contains(in.columns, known.columns[at]) {
			return fmt.Errorf("%w: table %s: column %.60q is unknown here, or comes twice", ErrBackup, t.Table, column)
		}
		in.columns = append(in.columns, known.columns[at])
	}
	if len(in.columns) == 0 {
		return fmt.Errorf("%w: table %s has no columns", ErrBackup, t.Table)
	}
	return nil
}

func (in *restorer) row(line []byte) error {
	cells, err := cellsOf(line, len(in.columns))
	if err != nil {
		return err
	}
	match, cleaned := any(nil), false
	for i, c := range in.columns {
		v, err := c.native(cells[i])
		if err != nil {
			return fmt.Errorf("%w: column %s: %w", ErrBackup, c.name, err)
		}
		if said, isText := v.(string); isText && text.Clean(said) != said {
			v, cleaned = text.Clean(said), true
			in.summary.Cleaned++
		}
		if c.name == "match_id" || c.name == "id" && in.into.name == "matches" {
			match = v
		}
		in.cells = append(in.cells, v)
	}
	if id, isText := match.(string); isText && cleaned {
		in.changed[id] = true
	}
	in.summary.Rows++
	if in.bytes += len(line); in.bytes > restoreBytes || len(in.cells)+len(in.columns) > restoreCells {
		return in.flush()
	}
	return nil
}

// native returns a cell as the drivers take it.
func (c dataColumn) native(cell json.RawMessage) (any, error) {
	if string(cell) == "null" {
		return nil, nil
	}
	switch c.kind {
	case "int":
		return decoded[int64](cell)
	case "float":
		v, err := decoded[float64](cell)
		if err == nil && (math.IsInf(v.(float64), 0) || math.IsNaN(v.(float64))) {
			err = errors.New("not a number")
		}
		return v, err
	case "bool":
		return decoded[bool](cell)
	case "time":
		at, err := decoded[string](cell)
		if err != nil {
			return nil, err
		}
		return time.Parse(timeFormat, at.(string))
	default:
		return decoded[string](cell)
	}
}

func decoded[T any](cell json.RawMessage) (any, error) {
	var v T
	err := strict.Decode(cell, &v)
	return v, err
}

// flush writes the rows gathered so far.
func (in *restorer) flush() error {
	if len(in.cells) == 0 {
		return nil
	}
	row := "(" + strings.TrimSuffix(strings.Repeat("?,", len(in.columns)), ",") + ")"
	rows := strings.TrimSuffix(strings.Repeat(row+",", len(in.cells)/len(in.columns)), ",")
	err := in.tx.SQL.Exec(`INSERT INTO "`+in.into.name+`" (`+quoted(in.columns)+") VALUES "+rows, in.cells...).Error
	in.cells, in.bytes = in.cells[:0], 0
	for _, broken := range []error{gorm.ErrForeignKeyViolated, gorm.ErrDuplicatedKey, gorm.ErrCheckConstraintViolated} {
		if errors.Is(err, broken) {
			return fmt.Errorf("%w: table %s: %w", ErrBackup, in.into.name, err)
		}
	}
	if err != nil {
		return fmt.Errorf("table %s: %w", in.into.name, err)
	}
	return nil
}

// end checks that nothing was lost or changed on the way.
func (in *restorer) end(line []byte, so string) error {
	if err := in.flush(); err != nil {
		return err
	}
	var end fileEnd
	if err := strict.Decode(line, &end); err != nil {
		return fmt.Errorf("%w: neither a table, a row nor the end: %.60q", ErrBackup, line)
	}
	if end.SHA256 != so || end.Rows != in.summary.Rows {
		return fmt.Errorf("%w: the checksum is %s over %d rows, but the file says %.64q over %d: it was damaged", ErrBackup, so, in.summary.Rows, end.SHA256, end.Rows)
	}
	in.summary.SHA256 = so
	switch more := in.lines.Scan(); {
	case more, errors.Is(in.lines.Err(), gzip.ErrHeader):
		return fmt.Errorf("%w: more follows after the end", ErrBackup)
	case errors.Is(in.lines.Err(), io.ErrUnexpectedEOF): // a few bytes look like the first of another file
		return fmt.Errorf("%w, or more follows after the end", errCutShort)
	case in.lines.Err() != nil:
		return in.broken()
	}
	return nil
}

// fill does for a backup of an old release what the migrations since have done for its database.
func (in *restorer) fill() error {
	updates, err := migrations.Updates(int(in.from))
	if err != nil {
		return err
	}
	for _, statement := range updates {
		if err := in.tx.SQL.Exec(statement).Error; err != nil {
			return err
		}
	}
	return nil
}
