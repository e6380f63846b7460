package httpx

import (
	"bytes"
	"maps"
	"net/http"

	"github.com/gin-gonic/gin"
)

// Recorder is an answer that is recorded before it is sent, or instead.
type Recorder struct {
	gin.ResponseWriter // other calls go to the real writer; no recorded handler makes any
	head               http.Header
	status             int
	body               bytes.Buffer
	written            bool
}

// Record runs a handler into a recorder, which already has the headers set so far.
func Record(c *gin.Context, do func() error) (*Recorder, error) {
	to := c.Writer
	rec := &Recorder{ResponseWriter: to, head: to.Header().Clone(), status: http.StatusOK}
	c.Writer = rec
	defer func() { c.Writer = to }()
	err := do()
	return rec, err
}

func (r *Recorder) Header() http.Header { return r.head }

func (r *Recorder) WriteHeader(code int) {
	if !r.written {
		r.status = code
	}
}

func (r *Recorder) WriteHeaderNow() { r.written = true }

func (r *Recorder) Write(b []byte) (int, error) {
	r.written = true
	return r.body.Write(b)
}

func (r *Recorder) WriteString(s string) (int, error) { return r.Write([]byte(s)) }
func (r *Recorder) Status() int                       { return r.status }
func (r *Recorder) Size() int                         { return r.body.Len() }
func (r *Recorder) Written() bool                     { return r.written }
func (r *Recorder) Flush()                            { r.written = true }

// Body returns the body so far.
func (r *Recorder) Body() []byte { return r.body.Bytes() }

// Replay sends the recorded answer.
func (r *Recorder) Replay(c *gin.Context) {
	head := c.Writer.Header()
	clear(head)
	maps.Copy(head, r.head)
	c.Writer.WriteHeader(r.status)
	if r.body.Len() == 0 {
		c.Writer.WriteHeaderNow()
		return
	}
	_, _ = c.Writer.Write(r.body.Bytes()) // a client that hung up does not get it
}
