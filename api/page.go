package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament/store"
)

// Bounds of a page.
const (
	defaultLimit = 50
	maxLimit     = 100
)

// cursorMAC is how many bytes of the HMAC a cursor carries.
const cursorMAC = 16

// pageQuery is what a list is asked for: its filters, where to go on (the last place seen, "" at the start), and how many.
type pageQuery struct {
	filter map[string]string
	after  string
	limit  int
	scope  string // the path and the filters, which a cursor is bound to
}

// store is the page as the store wants it.
func (p pageQuery) store(sort string) store.Page {
	return store.Page{After: p.after, Limit: p.limit, Sort: sort}
}

// page reads limit, cursor and the filters named.
func (s *Server) page(c *gin.Context, filters ...string) (pageQuery, error) {
	q, err := query(c, append(slices.Clone(filters), "cursor", "limit")...)
	if err != nil {
		return pageQuery{}, err
	}
	p := pageQuery{filter: q, scope: scope(c.Request.URL.Path, q, filters)}
	if p.limit, err = number(q, "limit", defaultLimit, 1, maxLimit); err != nil {
		return pageQuery{}, err
	}
	if cursor, given := q["cursor"]; given {
		after, ok := s.openCursor(cursor, p.scope)
		if !ok {
			return pageQuery{}, badQuery("cursor", "is not one of ours for this list; start again without it")
		}
		p.after = after
	}
	return p, nil
}

// scope is the list a cursor belongs to; the limit may change between two pages.
func scope(path string, q map[string]string, filters []string) string {
	b, err := json.Marshal(append([]string{path}, pairs(q, filters)...))
	if err != nil {
		panic("api: a list of strings cannot be written as JSON: " + err.Error())
	}
	return string(b)
}

func pairs(q map[string]string, filters []string) []string {
	var out []string
	for _, name := range filters {
		if v, given := q[name]; given {
			out = append(out, name, v)
		}
	}
	return out
}

// sealCursor makes the opaque cursor that goes on after a place.
func (s *Server) sealCursor(after, scope string) string {
	return base64.RawURLEncoding.EncodeToString(append(s.cursorMAC(after, scope), after...))
}

func (s *Server) openCursor(cursor, scope string) (after string, ok bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(b) <= cursorMAC {
		return "", false
	}
	after = string(b[cursorMAC:])
	return after, hmac.Equal(b[:cursorMAC], s.cursorMAC(after, scope))
}

func (s *Server) cursorMAC(after, scope string) []byte {
	mac := hmac.New(sha256.New, s.cursorKey)
	mac.Write([]byte(strconv.Itoa(len(scope)) + ":" + scope + after))
	return mac.Sum(nil)[:cursorMAC]
}

// sendPage answers with a page of rows and the cursor of the next, "" after the last.
func sendPage[R, D any](s *Server, c *gin.Context, p pageQuery, rows []R, next string, dto func(R) D) error {
	out := wire.Page[D]{Data: make([]D, 0, len(rows))}
	for _, r := range rows {
		out.Data = append(out.Data, dto(r))
	}
	out.Next = s.next(c, p, next)
	return s.send(c, http.StatusOK, out)
}

// next is the cursor of the next page, nil after the last; the Link header says it too.
func (s *Server) next(c *gin.Context, p pageQuery, after string) *string {
	if after == "" {
		return nil
	}
	cursor := s.sealCursor(after, p.scope)
	c.Header("Link", "<"+nextLink(c.Request.URL, cursor)+`>; rel="next"`)
	return &cursor
}

// cut is a page of a list that is whole in memory; the place of a row is its index, so such lists only grow at the end.
func cut[R any](rows []R, p pageQuery) ([]R, string) {
	from, _ := strconv.Atoi(p.after) // the cursor is ours; "" is 0
	rows = rows[min(from, len(rows)):]
	if len(rows) <= p.limit {
		return rows, ""
	}
	return rows[:p.limit], strconv.Itoa(from + p.limit)
}

func nextLink(u *url.URL, cursor string) string {
	q := u.Query()
	q.Set("cursor", cursor)
	return strings.TrimSuffix(u.EscapedPath(), "/") + "?" + q.Encode()
}
