package api

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

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
	tag, err := s.tagOf(c, get)
	if err != nil {
		return err
	}
	if !matches(strings.Join(fields, ","), tag) {
		return fmt.Errorf("%w: If-Match is not its ETag now, %s; read it again and decide anew", tournament.ErrChanged, tag)
	}
	return r.do(s, c)
}

// tagOf is the ETag that the caller would get now from a GET route with the parameters of this request.
func (s *Server) tagOf(c *gin.Context, get route) (string, error) {
	asked := c.Request
	defer func() { c.Request = asked }()
	r := asked.Clone(asked.Context())
	r.Method, r.Body = http.MethodGet, http.NoBody
	r.URL = &url.URL{Path: asked.URL.Path}
	r.Header.Del("If-None-Match")
	c.Request = r
	rec, err := record(c, func() error { return get.do(s, c) })
	if err != nil {
		return "", err
	}
	return rec.head.Get("ETag"), nil
}

// matches compares strong entity tags; a weak one matches nothing.
func matches(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.TrimSpace(one); one == "*" || one == tag {
			return true
		}
	}
	return false
}
