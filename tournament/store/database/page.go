package database

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
)

// Sort keys. Lists that are not ranked take these.
const (
	Newest = "newest" // by creation, the last first; also what "" means
	Oldest = "oldest"
)

// Rows of a page.
const (
	DefaultPage = 50 // when no limit is given
	MaxPage     = 200
)

// Page asks for the rows after a cursor. A cursor comes from the page before; any other text is [tournament.ErrInvalid].
type Page struct {
	After string // "" is the first page
	Limit int    // 0 is DefaultPage; at most MaxPage
	Sort  string // Newest, Oldest or ""; ladders are always by rank
}

// Limited returns the limit that counts.
func (p Page) Limited() (int, error) {
	if p.Limit < 0 || p.Limit > MaxPage {
		return 0, &tournament.FieldError{Pointer: "/limit", Reason: fmt.Sprintf("%d is outside 1..%d", p.Limit, MaxPage)}
	}
	return cmp.Or(p.Limit, DefaultPage), nil
}

// Direction returns, as SQL, how an ascending column is ordered, and how what comes after a cursor compares with it.
func (p Page) Direction() (order, compare string, err error) {
	switch p.Sort {
	case Oldest:
		return " ASC", " > ", nil
	case Newest, "":
		return " DESC", " < ", nil
	}
	return "", "", &tournament.FieldError{Pointer: "/sort", Reason: fmt.Sprintf("%q; want %s or %s", p.Sort, Newest, Oldest)}
}

// List returns a page of the rows of a query, by its id column, which ascends with creation, and the cursor of the next, "" after the last.
func List[R any](db *gorm.DB, p Page, column string, id func(R) string) ([]R, string, error) {
	limit, err := p.Limited()
	if err != nil {
		return nil, "", err
	}
	order, compare, err := p.Direction()
	if err != nil {
		return nil, "", err
	}
	if p.After != "" {
		var at string
		if err := OpenCursor(p.After, &at); err != nil {
			return nil, "", err
		}
		db = db.Where(column+compare+"?", at)
	}
	return Fetch(db.Order(column+order), limit, func(r R) string { return Cursor(id(r)) })
}

// Fetch reads a page of db, which is in order, and the cursor of the next.
func Fetch[R any](db *gorm.DB, limit int, at func(R) string) ([]R, string, error) {
	rows, err := All[R](db.Limit(limit + 1))
	rows, next := Cut(rows, limit, at)
	return rows, next, err
}

// Cut drops the row beyond the limit; if there was one, the cursor of the next page is where the last row is at.
func Cut[R any](rows []R, limit int, at func(R) string) ([]R, string) {
	if len(rows) <= limit {
		return rows, ""
	}
	return rows[:limit], at(rows[limit-1])
}

// Cursor hides the place in a list: it is for this program to read.
func Cursor(parts ...any) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join(Map(parts, func(part any) string { return fmt.Sprint(part) }), "\x1f")))
}

// OpenCursor reads the parts of a [Cursor] into variables: pointers to string, int64 or float64.
func OpenCursor(text string, parts ...any) error {
	b, err := base64.RawURLEncoding.DecodeString(text)
	at := strings.Split(string(b), "\x1f")
	if err != nil || len(at) != len(parts) {
		return BadCursor()
	}
	for i, part := range parts {
		switch to := part.(type) {
		case *string:
			*to = at[i]
		case *int64:
			*to, err = strconv.ParseInt(at[i], 10, 64)
		case *float64:
			*to, err = strconv.ParseFloat(at[i], 64)
		}
		if err != nil {
			return BadCursor()
		}
	}
	return nil
}

// BadCursor returns the error of a cursor that is none of this list.
func BadCursor() error {
	return &tournament.FieldError{Pointer: "/after", Reason: "is no cursor of this list; take next_cursor of the page before"}
}
