package gate

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// keeping limits the time to store an answer after the request has ended.
const keeping = 5 * time.Second

// once carries a POST with an Idempotency-Key out once: whoever asks again with the same key and the same request gets the
// first answer. A refusal is not kept: it has changed nothing, and the next try may do better.
func (g *Gate) once(c *gin.Context, r Route) error {
	if r.Method != http.MethodPost {
		return g.unchanged(g.Store, c, r)
	}
	key, err := httpx.IdempotencyKey(c.Request)
	if err != nil {
		return err
	}
	if key == "" {
		return g.unchanged(g.Store, c, r)
	}
	raw, err := httpx.Body(c)
	if err != nil {
		return err
	}
	c.Request.Body = io.NopCloser(bytes.NewReader(raw))
	caller, secret := callerAt(c)[0], ""
	if who := Who(c); who != nil {
		_, text, _ := strings.Cut(c.GetHeader("Authorization"), " ")
		caller, secret = "token:"+who.Token.ID, text
		if who.Token.ID == "" { // by a browser's session
			caller = "user:" + who.User.ID
		}
	}
	id := httpx.Hash(caller, r.Path, key)
	claim, err := g.Store.ClaimKey(c.Request.Context(), id, httpx.Hash(c.Request.URL.RequestURI(), c.GetHeader("Content-Type"), string(raw)))
	if err != nil {
		return err
	}
	box, err := httpx.NewAnswerBox(secret, key)
	if err != nil {
		return err
	}
	if claim.Answer != "" {
		if err := box.Send(c, id, claim.Answer); err != nil {
			return fmt.Errorf("%w: the answer kept cannot be opened: %w", tournament.ErrAnswer, err)
		}
		return nil
	}
	rec, err := httpx.Record(c, func() error { return g.unchanged(g.Store.WithClaim(claim), c, r) })
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), keeping) // also for a client that hung up: it will ask again
	defer cancel()
	if err != nil {
		if failed := g.Store.FreeKey(ctx, claim); failed != nil {
			g.Log.Warn("an idempotency key stays taken for a minute", "request_id", RequestID(c), "err", failed)
		}
		return err
	}
	answer, err := box.Seal(g.Rand, id, rec)
	if err == nil {
		err = g.Store.AnswerKey(ctx, claim, answer)
	}
	if err != nil { // it is carried out all the same
		g.Log.LogAttrs(ctx, slog.LevelError, "an answer was not kept", slog.String("request_id", RequestID(c)), slog.String("err", err.Error()))
	}
	rec.Replay(c)
	return nil
}

// unchanged runs a route that writes through db. Where a request that changes something carries If-Match, the thing its path
// begins with (/v1/KIND/{id}), or what a GET of the path itself answers, must look to the caller as it did when they got that ETag, and the
// row of the thing must stay so until the change is made.
func (g *Gate) unchanged(db *store.Store, c *gin.Context, r Route) error {
	fields := c.Request.Header.Values("If-Match")
	if r.Method == "" || r.Method == http.MethodGet || len(fields) == 0 { // "": there is no such route, whatever else is asked
		return r.Do(db, c)
	}
	parts := strings.Split(r.Path, "/")
	thing := strings.Join(parts[:min(4, len(parts))], "/")
	if _, ok := g.gets[thing]; !ok || !strings.HasSuffix(thing, "/:id") {
		return fmt.Errorf("%w: this route changes nothing that has an ETag; leave If-Match out", tournament.ErrChanged)
	}
	kind := store.Kind(parts[2])
	if slices.Contains([]store.Kind{store.Bots, store.Tournaments, store.Schedules, store.Series, store.Users}, kind) {
		id := c.Param("id")
		if !httpx.IsUUID(id) {
			return tournament.ErrNotFound
		}
		var err error
		if db, err = db.WithUnchanged(c.Request.Context(), kind, id); err != nil {
			return err
		}
	}
	var tag string
	for _, path := range []string{r.Path, thing} {
		get, ok := g.gets[path]
		if !ok {
			continue
		}
		var err error
		if tag, err = httpx.ETagOf(c, func(c *gin.Context) error { return get.Do(g.Store, c) }); err != nil {
			return err
		}
		if httpx.Matches(strings.Join(fields, ","), tag) {
			return r.Do(db, c)
		}
	}
	return fmt.Errorf("%w: If-Match is not its ETag now, %s; read it again, then decide", tournament.ErrChanged, tag)
}
