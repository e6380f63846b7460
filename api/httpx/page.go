package httpx

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/wire"
)

// Limits of a page.
const (
	defaultLimit = 50
	MaxLimit     = 100
)

// cursorMAC is how many bytes of the HMAC are in a cursor.
const cursorMAC = 16

// Cursors signs cursors with a key, so that nobody can forge one.
type Cursors []byte

// PageQuery is the requested part of a list.
type PageQuery struct {
	Filter map[string]string
	After  string // the last place seen; "" at the start
	Limit  int    // rows

	cursors Cursors
	scope   string // the path and the filters, which a cursor is bound to
}

// Page reads limit, cursor and the named filters.
func (k Cursors) Page(c *gin.Context, filters ...string) (PageQuery, error) {
	q, err := Query(c, append(slices.Clone(filters), "cursor", "limit")...)
	if err != nil {
		return PageQuery{}, err
	}
	limit, err := Number(q, "limit", defaultLimit, 1, MaxLimit)
	if err != nil {
		return PageQuery{}, err
	}
	return k.Part(c.Request.URL.Path, q, filters, limit)
}

// Part returns the part of the list at path that a query asks for by its cursor. The cursor must be of the same path and filters.
func (k Cursors) Part(path string, q map[string]string, filters []string, limit int) (PageQuery, error) {
	p := PageQuery{Filter: q, Limit: limit, cursors: k, scope: scope(path, q, filters)}
	if cursor, given := q["cursor"]; given {
		after, ok := k.open(cursor, p.scope)
		if !ok {
			return PageQuery{}, BadQuery("cursor", "is not one of ours for this list; start again without it")
		}
		p.After = after
	}
	return p, nil
}

// scope returns the list a cursor belongs to; the limit may change between two pages.
func scope(path string, q map[string]string, filters []string) string {
	list := []string{path}
	for _, name := range filters {
		if v, given := q[name]; given {
			list = append(list, name, v)
		}
	}
	return string(JSON(list))
}

// Cursor returns the opaque text with which a list continues after a place.
func (p PageQuery) Cursor(after string) string {
	return base64.RawURLEncoding.EncodeToString(append(p.cursors.mac(after, p.scope), after...))
}

// open returns the place that a cursor of ours names, and false for any other text.
func (k Cursors) open(cursor, scope string) (string, bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(b) <= cursorMAC {
		return "", false
	}
	after := string(b[cursorMAC:])
	return after, hmac.Equal(b[:cursorMAC], k.mac(after, scope))
}

func (k Cursors) mac(after, scope string) []byte {
	mac := hmac.New(sha256.New, k)
	mac.Write([]byte(strconv.Itoa(len(scope)) + ":" + scope + after))
	return mac.Sum(nil)[:cursorMAC]
}

// SendPage answers with a page of rows and the cursor of the next page, "" after the last.
func SendPage[R any](c *gin.Context, p PageQuery, rows []R, next string) error {
	return Send(c, http.StatusOK, wire.Page[R]{Data: append([]R{}, rows...), Next: p.Next(c, next)})
}

// Next returns the cursor of the next page, nil after the last; it also sets the Link header.
func (p PageQuery) Next(c *gin.Context, after string) *string {
	if after == "" {
		return nil
	}
	cursor := p.Cursor(after)
	q := c.Request.URL.Query()
	q.Set("cursor", cursor)
	c.Header("Link", "<"+strings.TrimSuffix(c.Request.URL.EscapedPath(), "/")+"?"+q.Encode()+`>; rel="next"`)
	return &cursor
}

// Cut returns a page of a list that is in memory. A row's place is its index, so such lists may grow only at the end.
func Cut[R any](rows []R, p PageQuery) ([]R, string) {
	from, _ := strconv.Atoi(p.After) // the cursor is ours; "" is 0
	rows = rows[min(from, len(rows)):]
	if len(rows) <= p.Limit {
		return rows, ""
	}
	return rows[:p.Limit], strconv.Itoa(from + p.Limit)
}
