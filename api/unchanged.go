package api

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

// unchanged runs a route. Where a request that changes something carries If-Match, the thing its path begins with
// (/v1/KIND/{id}) must look to the caller as it did when they got that ETag, and its row must stay so until the change is
// made.
func (s *Server) unchanged(c *gin.Context, r route) error {
	fields := c.Request.Header.Values("If-Match")
	if r.method == "" || r.method == http.MethodGet || len(fields) == 0 { // "": there is no such route, whatever else is asked
		return r.do(s, c)
	}
	parts := strings.Split(r.path, "/")
	get := route{}
	if len(parts) > 3 && parts[3] == ":id" {
		all := routes()
		if i := slices.IndexFunc(all, func(g route) bool { return g.method == http.MethodGet && g.path == strings.Join(parts[:4], "/") }); i >= 0 {
			get = all[i]
		}
	}
	if get.do == nil {
		return fmt.Errorf("%w: this route changes nothing that has an ETag; leave If-Match out", tournament.ErrChanged)
	}
	kind := store.Kind(parts[2])
	if slices.Contains([]store.Kind{store.Bots, store.Tournaments, store.Schedules, store.Users}, kind) {
		id, err := pathUUID(c, "id")
		if err != nil {
			return err
		}
		ctx, err := s.store.WithUnchanged(c.Request.Context(), kind, id)
		if err != nil {
			return err
		}
		c.Request = c.Request.WithContext(ctx)
	}
	tag, err := httpx.ETagOf(c, func(c *gin.Context) error { return get.do(s, c) })
	if err != nil {
		return err
	}
	if !httpx.Matches(strings.Join(fields, ","), tag) {
		return fmt.Errorf("%w: If-Match is not its ETag now, %s; read it again and decide anew", tournament.ErrChanged, tag)
	}
	return r.do(s, c)
}
