package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament/store"
)

const (
	streamType = "text/event-stream"
	readTime   = 20 * time.Second // limit of one read for all readers

	heartbeat   = 15 * time.Second       // a comment when nothing else is sent
	streamLife  = time.Hour              // then it ends and the client reconnects: tokens and limits are checked again
	reconnectMS = 2000                   // how long clients wait before they reconnect
	gather      = 100 * time.Millisecond // how long a stream's changes are collected
	tokenCheck  = time.Second            // how often the tokens of open streams are checked
	resync      = 5 * time.Second        // how often every stream is read without a wake-up, because one can be lost
)

// Why a stream ends before its last event, for the reader (bye), the log and the metrics.
const (
	endOver        = "over"
	endGone        = "client_gone"
	endSlow        = "slow_reader"
	endStopping    = "shutdown"
	endLife        = "lifetime"
	endUnavailable = "unavailable"
	endToken       = "token_ended"
)

// Streams are the streams of this process. Each topic is read once for all its readers.
type Streams struct {
	store *store.Store
	hub   *hub
	log   *slog.Logger
	now   func() time.Time
	slow  time.Duration // how long a reader may take to accept what it is sent

	open prometheus.Gauge
	ends *prometheus.CounterVec
}

// NewStreams starts nothing: see [Streams.Run]. A reader that takes longer than slow to accept what it is sent is cut off.
func NewStreams(db *store.Store, log *slog.Logger, now func() time.Time, slow time.Duration, reg prometheus.Registerer) (*Streams, error) {
	s := &Streams{
		store: db,
		hub:   newHub(),
		log:   log,
		now:   now,
		slow:  slow,
	}
	s.open = prometheus.NewGauge(prometheus.GaugeOpts{Name: "molerun_streams", Help: "Event streams that are open now."})
	s.ends = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "molerun_stream_ends_total", Help: "Event streams that have ended, by reason.",
	}, []string{"reason"})
	for _, c := range []prometheus.Collector{s.open, s.ends} {
		if err := reg.Register(c); err != nil {
			return nil, fmt.Errorf("streams: %w", err)
		}
	}
	return s, nil
}

// Drain ends the streams; readers continue at another process.
func (s *Streams) Drain() { s.hub.drain() }

// Close ends the streams, and every [Streams.Lease].
func (s *Streams) Close() { s.hub.close() }

// Lease watches the token of a caller who stays connected: ended is closed when the token is no longer live, or the streams
// are closed; without a token ("") only in the second case. Call leave when done.
func (s *Streams) Lease(tokenID string) (<-chan struct{}, func()) {
	return s.hub.lease(tokenID)
}

// Run keeps the streams going until ctx ends: it listens for changes, here and in other processes.
func (s *Streams) Run(ctx context.Context) {
	var beside sync.WaitGroup
	defer beside.Wait()
	beside.Go(func() { s.store.Bus().Listen(ctx, s.hub.note) })
	beside.Go(func() { s.checkTokens(ctx) })
	tick, gathered := time.NewTicker(resync), time.NewTicker(gather/turns)
	defer tick.Stop()
	defer gathered.Stop()
	for turn := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.hub.note("")
		case <-gathered.C:
			s.hub.flush(turn, gather/turns)
			turn++
		}
	}
}

// checkTokens ends, until ctx does, the streams of those whose token has been revoked or is over, or whose account has been
// disabled. While the database is away they go on.
func (s *Streams) checkTokens(ctx context.Context) {
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

// Reader is the reader of a stream.
type Reader struct {
	TokenID string // "" is anonymous
	After   int64  // number of the last event that they have
	Log     *slog.Logger
	Begun   func() // called once the answer is a stream
}

// Serve answers with a topic's events after a number, and with more as they come, until its last event or until ctx ends. end
// is the number up to which the topic need not be kept for new readers. Only failures before the first byte are errors.
func (s *Streams) Serve(ctx context.Context, to http.ResponseWriter, name string, src Source, end int64, who Reader) error {
	t := s.hub.join(name, src, end)
	defer s.hub.leave(name)
	t.fresh(true) // another process may have sent the caller more than this one knows
	first := t.waiting()
	p, err := t.next(ctx, who.After)
	if err != nil {
		return err
	}
	if p.over && len(p.list) == 0 {
		to.WriteHeader(http.StatusNoContent) // tells a browser not to come again
		return nil
	}
	who.Begun()
	w := s.newStreamWriter(to)
	s.open.Inc()
	why := s.follow(ctx, w, t, who, p, first)
	s.open.Dec()
	s.ends.WithLabelValues(why).Inc()
	if why == endSlow || why == endUnavailable {
		who.Log.Info("stream ended", "reason", why)
	}
	return nil
}

// follow writes the stream and says why it ended.
func (s *Streams) follow(ctx context.Context, w *streamWriter, t *topic, who Reader, p page, changed <-chan struct{}) string {
	after := who.After
	ended, leave := s.hub.lease(who.TokenID)
	defer leave()
	beat, life := time.NewTicker(heartbeat), time.NewTimer(streamLife)
	defer beat.Stop()
	defer life.Stop()
	fmt.Fprintf(&w.buffer, "retry: %d\nid: %d\n\n", reconnectMS, after) // a reader cut off before the first event misses nothing
	for {
		for _, i := range p.list {
			w.buffer.Write(i.text)
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
		if p.more { // the reader has a page to come, unless it may read no more
			select {
			case <-s.hub.draining:
				return w.bye(endStopping)
			case <-ended:
				return w.bye(s.whyEnded())
			case <-life.C:
				return w.bye(endLife)
			default:
			}
		} else {
			select {
			case <-ctx.Done():
				return endGone
			case <-s.hub.draining:
				return w.bye(endStopping)
			case <-ended:
				return w.bye(s.whyEnded())
			case <-life.C:
				return w.bye(endLife)
			case <-beat.C:
				w.buffer.WriteString(": beat\n\n")
				p.list = nil
				continue
			case <-t.look:
			case <-changed:
			}
		}
		var err error
		changed = t.waiting()
		if p, err = t.next(ctx, after); err != nil {
			who.Log.Error("stream failed", "err", err.Error())
			return w.bye(endUnavailable)
		}
	}
}

// whyEnded returns why a lease has ended.
func (s *Streams) whyEnded() string {
	select {
	case <-s.hub.draining:
		return endStopping
	default:
		return endToken
	}
}

// streamWriter writes Server-Sent Events. It buffers only what is being sent: a reader that does not take it in time is cut
// off.
type streamWriter struct {
	parts  *httpx.Parts
	limit  time.Duration
	now    func() time.Time
	buffer bytes.Buffer
}

func (s *Streams) newStreamWriter(to http.ResponseWriter) *streamWriter {
	to.Header().Set("Cache-Control", "no-store")
	_ = http.NewResponseController(to).SetReadDeadline(time.Time{}) // the server's is for requests; where there is none, none needs lifting
	return &streamWriter{parts: httpx.NewParts(to, streamType, s.slow), limit: s.slow, now: s.now}
}

// bye sends the reader why the stream ends, if the connection still takes it.
func (w *streamWriter) bye(why string) string {
	fmt.Fprintf(&w.buffer, "event: bye\ndata: %s\n\n", httpx.JSON(wire.StreamBye{Reason: why}))
	_, _ = w.send()
	return why
}

// send passes on what is written, and reports whether the reader is slow: took more than half of the time it has, or all.
func (w *streamWriter) send() (bool, error) {
	if w.buffer.Len() == 0 {
		return false, nil
	}
	begin := w.now()
	err := w.parts.Send(w.buffer.Bytes())
	w.buffer.Reset()
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) {
		return timeout.Timeout(), err
	}
	return w.now().Sub(begin) > w.limit/2, err
}
