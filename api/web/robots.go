package web

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament/store"
)

// Robots tells crawlers what to leave alone: what is no page, and what is somebody's own.
func (s *Pages) Robots(c *gin.Context) error {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for _, path := range []string{"/v1/", "/me", "/login", "/seat", "/embed/", "/*cursor=", "/matches/*?"} {
		fmt.Fprintf(&b, "Disallow: %s\n", path)
	}
	fmt.Fprintf(&b, "Sitemap: %s/sitemap.xml\n", s.baseOf(c))
	return httpx.SendBytes(c, http.StatusOK, "text/plain; charset=utf-8", []byte(b.String()))
}

// Sitemap lists the pages that stay, and the newest tournaments and bots, at most [httpx.MaxLimit] of either.
func (s *Pages) Sitemap(c *gin.Context) error {
	ctx, newest := c.Request.Context(), store.Page{Limit: httpx.MaxLimit}
	tournaments, _, err := s.Store.Tournaments(ctx, store.TournamentFilter{}, newest)
	if err != nil {
		return err
	}
	bots, _, err := s.Store.Bots(ctx, store.BotFilter{}, newest)
	if err != nil {
		return err
	}
	ladders, err := s.Store.Ladders(ctx)
	if err != nil {
		return err
	}
	paths := append(s.standing(), "/")
	for _, e := range s.Engines {
		paths = append(paths, "/games/"+e.Info().ID)
	}
	for _, l := range ladders {
		paths = append(paths, "/ladders/"+l.ID)
	}
	for _, t := range tournaments {
		paths = append(paths, "/tournaments/"+t.ID)
	}
	for _, b := range bots {
		paths = append(paths, "/bots/"+b.ID)
	}
	type place struct {
		Loc string `xml:"loc"`
	}
	out := struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URL     []place  `xml:"url"`
	}{}
	for _, path := range paths {
		out.URL = append(out.URL, place{s.baseOf(c) + path})
	}
	body, err := xml.Marshal(out)
	if err != nil {
		return err
	}
	return httpx.SendBytes(c, http.StatusOK, "application/xml; charset=utf-8", append([]byte(xml.Header), body...))
}
