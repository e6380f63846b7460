package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
)

const (
	streamType = "text/event-stream"
	keyWhole   = "whole"  // the request's context without the limit of a handler
	keyStream  = "stream" // set once the answer is a stream

	heartbeat   = 15 * time.Second       // a comment when nothing else is sent
	streamLife  = time.Hour              // then it ends and the client comes again: tokens and limits are looked at anew
	reconnectMS = 2000                   // what clients wait before they come again
	gather      = 100 * time.Millisecond // how long changes of a stream are gathered
	tokenCheck  = time.Second            // how often the tokens of open streams are looked at
	resync      = 5 * time.Second        // when every stream is looked at without being woken: a wake-up can be lost
)

// Why a stream ends before its last event, as told to the reader (bye), to the log and to the metrics.
const (
	endOver        = "over"
	endGone        = "client_gone"
	endSlow        = "slow_reader"
	endStopping    = "shutdown"
	endLife        = "lifetime"
	endUnavailable = "unavailable"
	endToken       = "token_ended"
)

// Run keeps the streams going until ctx ends: it listens for what changes, here or in other processes.
func (s *Server) Run(ctx context.Context) error {
	var beside sync.WaitGroup
	defer beside.Wait()
	beside.Go(func() { s.store.Listen(ctx, s.hub.note) })
	beside.Go(func() { s.checkTokens(ctx) })
	tick, gathered := time.NewTicker(resync), time.NewTicker(gather/turns)
	defer tick.Stop()
	defer gathered.Stop()
	for turn := 0; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			s.hub.wake("")
		case <-gathered.C:
			s.hub.flush(turn)
			turn++
		}
	}
}

// checkTokens ends, until ctx does, the streams of those whose token has been revoked or is over, or whose account has been
// disabled. While the database is away they go on.
func (s *Server) checkTokens(ctx context.Context) {
	tick := time.NewTicker(tokenCheck)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		ended, err := s.store.EndedTokens(ctx, s.hub.tokens())
		if err != nil && ctx.Err() == nil {
			s.log.LogAttrs(ctx, slog.LevelWarn, "tokens of open streams were not looked at", slog.String("err", err.Error()))
		}
		for _, id := range ended {
			s.hub.end(id)
		}
	}
}

// tokenID is the id of the caller's token; "" is anonymous.
func tokenID(c *gin.Context) string {
	if who := whoIs(c); who != nil {
		return who.tokenID
	}
	return ""
}

// wantsStream tells whether the caller asked for Server-Sent Events.
func wantsStream(c *gin.Context) bool {
	for _, list := range c.Request.Header.Values("Accept") {
		for kind := range strings.SplitSeq(list, ",") {
			kind, _, _ = strings.Cut(kind, ";")
			if strings.EqualFold(strings.TrimSpace(kind), streamType) {
				return true
			}
		}
	}
	return false
}

// maxEventID bounds numbers of events to what every reader of JSON can hold.
const maxEventID = 1 << 53

// eventID is the number after which a caller wants to go on, and whether they said so. Last-Event-ID, which browsers send
// by themselves, counts before the query.
func eventID(c *gin.Context, q map[string]string) (after int64, given bool, err error) {
	c.Writer.Header().Add("Vary", "Accept")
	name := "after"
	value, has := q["after"]
	if last := c.Request.Header.Values("Last-Event-ID"); len(last) > 0 && wantsStream(c) {
		name, value, has = "Last-Event-ID", last[0], true
	}
	if !has {
		return 0, false, nil
	}
	after, err = strconv.ParseInt(value, 10, 64)
	if err != nil || after < 0 || after > maxEventID || strconv.FormatInt(after, 10) != value {
		return 0, true, httpx.BadQuery(name, "wants the number of an event of this stream, or 0")
	}
	return after, true, nil
}

// stream answers with what a topic has after a number, and goes on as more comes, until its last event. Only what goes
// wrong before the first byte is an error.
func (s *Server) stream(c *gin.Context, name string, src source, end, after int64) error {
	done, err := s.holdStream(c)
	if err != nil {
		return err
	}
	defer done()
	t := s.hub.join(name, src, end)
	defer s.hub.leave(name)
	t.fresh(true) // another process may have told the caller more than we know
	first := t.waiting()
	p, err := s.nextOf(c, t, after)
	if err != nil {
		return err
	}
	if p.over && len(p.list) == 0 {
		c.Status(http.StatusNoContent) // tells a browser not to come again
		return nil
	}
	w := s.newStreamWriter(c)
	s.metrics.streams.Inc()
	why := s.follow(c, w, t, after, p, first)
	s.metrics.streams.Dec()
	s.metrics.streamEnds.WithLabelValues(why).Inc()
	if why == endSlow || why == endUnavailable {
		s.log.LogAttrs(context.WithoutCancel(c.Request.Context()), slog.LevelInfo, "stream ended",
			slog.String("request_id", requestID(c)), slog.String("route", routeLabel(c)), slog.String("reason", why))
	}
	return nil
}

// nextOf reads a topic in a time of its own: whoever reads does it for all who wait.
func (s *Server) nextOf(c *gin.Context, t *topic, after int64) (page, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), handlerTime)
	defer cancel()
	return t.next(ctx, after)
}

// follow writes the stream and tells why it ended.
func (s *Server) follow(c *gin.Context, w *streamWriter, t *topic, after int64, p page, changed <-chan struct{}) string {
	ctx := whole(c)
	ended, leave := s.hub.lease(tokenID(c))
	defer leave()
	beat, life := time.NewTicker(heartbeat), time.NewTimer(streamLife)
	defer beat.Stop()
	defer life.Stop()
	w.begin(after)
	for {
		for _, i := range p.list {
			w.event(i)
			after = i.id
		}
		switch slow, err := w.send(); {
		case err != nil && slow: // before ctx: a failed write ends it too
			return endSlow
		case err != nil || ctx.Err() != nil:
			return endGone
		case p.over:
			return endOver
		case slow:
			return w.bye(endSlow)
		}
		if !p.more {
			select {
			case <-ctx.Done():
				return endGone
			case <-ended:
				return w.bye(s.whyEnded())
			case <-life.C:
				return w.bye(endLife)
			case <-beat.C:
				w.comment("beat")
				p.list = nil
				continue
			case <-changed:
			}
		}
		var err error
		changed = t.waiting()
		if p, err = s.nextOf(c, t, after); err != nil {
			s.log.LogAttrs(context.WithoutCancel(ctx), slog.LevelError, "stream failed",
				slog.String("request_id", requestID(c)), slog.String("err", err.Error()))
			return w.bye(endUnavailable)
		}
	}
}

// whyEnded is why a lease has ended.
func (s *Server) whyEnded() string {
	select {
	case <-s.hub.closing:
		return endStopping
	default:
		return endToken
	}
}

func whole(c *gin.Context) context.Context {
	if ctx, ok := c.Value(keyWhole).(context.Context); ok {
		return ctx
	}
	return c.Request.Context()
}

// streamWriter writes Server-Sent Events. It keeps nothing but what is being sent: who does not read it in time is cut off.
type streamWriter struct {
	c       *gin.Context
	control *http.ResponseController
	limit   time.Duration
	now     func() time.Time
	buffer  bytes.Buffer
}

func (s *Server) newStreamWriter(c *gin.Context) *streamWriter {
	c.Set(keyStream, true)
	h := c.Writer.Header()
	h.Set("Content-Type", streamType)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // nginx would gather it
	c.Writer.WriteHeaderNow()
	var raw http.ResponseWriter = c.Writer
	if u, ok := raw.(interface{ Unwrap() http.ResponseWriter }); ok {
		raw = u.Unwrap() // gin's own Flush hides errors
	}
	w := &streamWriter{c: c, control: http.NewResponseController(raw), limit: s.limits.SlowReader, now: s.now}
	_ = w.control.SetReadDeadline(time.Time{}) // the server's is for requests; where there is none, none needs lifting
	return w
}

// begin tells where the stream is, so that who is cut off before the first event misses nothing.
func (w *streamWriter) begin(after int64) {
	fmt.Fprintf(&w.buffer, "retry: %d\nid: %d\n\n", reconnectMS, after)
}

func (w *streamWriter) event(i item) {
	fmt.Fprintf(&w.buffer, "id: %d\n", i.id)
	if i.kind != "" {
		fmt.Fprintf(&w.buffer, "event: %s\n", i.kind)
	}
	fmt.Fprintf(&w.buffer, "data: %s\n\n", i.data)
}

func (w *streamWriter) comment(text string) { fmt.Fprintf(&w.buffer, ": %s\n\n", text) }

// bye tells the reader why the stream ends, if it can be told.
func (w *streamWriter) bye(why string) string {
	fmt.Fprintf(&w.buffer, "event: bye\ndata: %s\n\n", httpx.JSON(wire.StreamBye{Reason: why}))
	_, _ = w.send()
	return why
}

// send passes on what is written. slow tells that the reader took more than half of the time it has, or all of it.
func (w *streamWriter) send() (slow bool, err error) {
	if w.buffer.Len() == 0 {
		return false, nil
	}
	begin := w.now()
	_ = w.control.SetWriteDeadline(time.Now().Add(w.limit)) //nolint:forbidigo // the network runs by the system's clock
	if _, err = w.c.Writer.Write(w.buffer.Bytes()); err == nil {
		err = w.control.Flush()
	}
	w.buffer.Reset()
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) {
		return timeout.Timeout(), err
	}
	return w.now().Sub(begin) > w.limit/2, err
}
