package gate

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

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
