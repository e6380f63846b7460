package gate

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Mount puts routes behind the gate.
func (g *Gate) Mount(engine *gin.Engine, routes []Route, lost func(*store.Store, *gin.Context) error) {
	engine.Use(g.observe, g.guard)
	for _, r := range routes {
		if r.Method == http.MethodGet {
			g.gets[r.Path] = r
		}
		engine.Handle(r.Method, r.Path, g.serve(r))
	}
	engine.NoRoute(g.serve(Route{Do: lost}))
	engine.NoMethod(g.serve(Route{Do: func(*store.Store, *gin.Context) error { return httpx.ErrMethod }}))
}

// handlerTime limits the work on one request; it is shorter than the server's write timeout, so that a problem can still be
// sent.
const handlerTime = 20 * time.Second

// observe gives the request an id, then logs and measures it. Neither path nor query nor headers are logged: they may
// hold a secret sent to the wrong place.
func (g *Gate) observe(c *gin.Context) {
	start := g.Now()
	b := make([]byte, 8)
	if _, err := io.ReadFull(g.Rand, b); err != nil {
		panic(fmt.Errorf("api: no randomness: %w", err))
	}
	id := hex.EncodeToString(b)
	c.Set(keyRequestID, id)
	c.Header("X-Request-Id", id)
	g.inFlight.Inc()
	defer func() {
		g.inFlight.Dec()
		took := g.Now().Sub(start)
		status := strconv.Itoa(c.Writer.Status())
		if !c.GetBool(keySkip) {
			g.duration.WithLabelValues(methodLabel(c.Request.Method), RouteLabel(c), status).Observe(took.Seconds())
		}
		attrs := []slog.Attr{
			slog.String("request_id", id), slog.String("method", methodLabel(c.Request.Method)), slog.String("route", RouteLabel(c)),
			slog.Int("status", c.Writer.Status()), slog.Int64("duration_ms", took.Milliseconds()), slog.Int("bytes", max(0, c.Writer.Size())),
		}
		if c.GetBool(keyBroken) {
			attrs = append(attrs, slog.Bool("broke_off", true))
		}
		if who := Who(c); who != nil {
			attrs = append(attrs, slog.String("user_id", who.User.ID), slog.String("token_id", who.Token.ID))
		}
		g.Log.LogAttrs(context.WithoutCancel(c.Request.Context()), slog.LevelInfo, "request", attrs...)
	}()
	c.Next()
}

func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// guard sets the headers every answer has and refuses what no route takes.
func (g *Gate) guard(c *gin.Context) {
	h := c.Writer.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Add("Vary", "Authorization")
	switch {
	case c.Request.Method != http.MethodGet:
		h.Set("Cache-Control", "no-store")
	case c.GetHeader("Authorization") != "":
		h.Set("Cache-Control", "private, no-cache")
	default:
		h.Set("Cache-Control", "no-cache")
	}
	// net/http drops a Content-Length beside Transfer-Encoding, and a Transfer-Encoding in HTTP/1.0. A proxy may have believed what it
	// dropped and see the end of the request elsewhere; after such a request nothing more may be read (RFC 9112, 6.3).
	if len(c.Request.TransferEncoding) > 0 || !c.Request.ProtoAtLeast(1, 1) {
		h.Set("Connection", "close")
	}
	if readByOthers(c) {
		return
	}
	if c.Request.Method == http.MethodTrace || c.Request.Method == http.MethodConnect {
		g.fail(c, Route{}, httpx.ErrMethod)
		return
	}
	c.Next()
}

// serve runs a route; its error becomes a problem, and so does a panic.
func (g *Gate) serve(r Route) gin.HandlerFunc {
	return func(c *gin.Context) {
		ctx, cancel := context.WithTimeout(c.Request.Context(), handlerTime)
		defer cancel()
		c.Set(keyBase, c.Request.Context())
		c.Request = c.Request.WithContext(ctx)
		err := g.handle(c, r)
		g.note(c, r, err)
		if err != nil {
			g.fail(c, r, err)
		}
	}
}

// handle finds out who asks, whether they may and whether it is not too much; then the handler has its turn.
func (g *Gate) handle(c *gin.Context, r Route) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if err, is := p.(error); is && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			err = fmt.Errorf("%w: panic: %v\n%s", httpx.ErrInternal, p, debug.Stack())
		}
	}()
	if !r.Probe {
		if err := g.admit(c, r); err != nil {
			return err
		}
	}
	return g.carryOut(c, r)
}

// CarryOut has a route carry out the request of c for the caller whom a session has proved ([SetCaller]), as if a token of theirs had
// come with it: counted, refused and audited alike. Its error has not been answered.
func (g *Gate) CarryOut(c *gin.Context, r Route) error {
	err := g.permit(c, r)
	if err == nil {
		err = g.carryOut(c, r)
	}
	g.note(c, r, err)
	return err
}

func (g *Gate) carryOut(c *gin.Context, r Route) error {
	for _, p := range c.Params {
		if text.Line.Check(p.Value, httpx.MaxQueryValue) != nil { // no id and no name is such a text
			return tournament.ErrNotFound
		}
	}
	return g.once(c, r)
}
