package api

import (
	"bytes"
	"net/http"

	"github.com/gin-gonic/gin"
)

// recorder is an answer that is kept before it is sent, or instead.
type recorder struct {
	gin.ResponseWriter // what a recorder is asked beyond this goes to the real one; no handler that is recorded does
	head               http.Header
	status             int
	body               bytes.Buffer
	written            bool
}

// record runs a handler into a recorder; the headers set so far are there already.
func record(c *gin.Context, do func() error) (*recorder, error) {
	to := c.Writer
	rec := &recorder{ResponseWriter: to, head: to.Header().Clone(), status: http.StatusOK}
	c.Writer = rec
	defer func() { c.Writer = to }()
	err := do()
	return rec, err
}

func (r *recorder) Header() http.Header { return r.head }

func (r *recorder) WriteHeader(code int) {
	if !r.written {
		r.status = code
	}
}

func (r *recorder) WriteHeaderNow() { r.written = true }

func (r *recorder) Write(b []byte) (int, error) {
	r.written = true
	return r.body.Write(b)
}

func (r *recorder) WriteString(s string) (int, error) { return r.Write([]byte(s)) }
func (r *recorder) Status() int                       { return r.status }
func (r *recorder) Size() int                         { return r.body.Len() }
func (r *recorder) Written() bool                     { return r.written }
func (r *recorder) Flush()                            { r.written = true }

// replay sends what was recorded.
func (r *recorder) replay(c *gin.Context) {
	head := c.Writer.Header()
	clear(head)
	for key, values := range r.head {
		head[key] = values
	}
	c.Writer.WriteHeader(r.status)
	if r.body.Len() == 0 {
		c.Writer.WriteHeaderNow()
		return
	}
	_, _ = c.Writer.Write(r.body.Bytes()) // a client that hung up does not get it
}
