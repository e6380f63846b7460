package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
)

// Embed is the viewer of a match for a frame on somebody's page.
//
// @Summary	The viewer of a match, to be framed
// @Description	Any page may frame it. It shows what the page of the match shows to anybody.
// @Tags		pages
// @Produce	text/html
// @Param		id		path		string	true	"id of the match"
// @Param		step	query		int		false	"the step that is shown, from 0; the first if left out, the last of a match that runs"
// @Param		seat	query		int		false	"the seat that sees it, from 0, once the match is over; -1 or left out: a spectator"
// @Success	200		{string}	string	"a page"
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Router		/embed/matches/{id} [get]
func (s *Pages) Embed(c *gin.Context) error {
	m, err := s.match(c)
	if err != nil {
		return err
	}
	m.Framed = true
	body, err := s.site.Embed(m)
	if err != nil {
		return err
	}
	c.Header("Content-Security-Policy", pages.EmbedPolicy)
	httpx.SendBytes(c, http.StatusOK, "text/html; charset=utf-8", body)
	return nil
}

// OEmbed says how a link to a match is embedded (oembed.com).
type OEmbed struct {
	Version      string `json:"version" enums:"1.0"`
	Type         string `json:"type" enums:"rich"`
	Title        string `json:"title"`
	ProviderName string `json:"provider_name"`
	HTML         string `json:"html"`   // a frame
	Width        int    `json:"width"`  // px
	Height       int    `json:"height"` // px
} // @name OEmbed

// The size of a frame in px, and the least that shows a board.
const embedWide, embedHigh, embedLeast = 720, 640, 240

// OEmbed answers with how a link to a match is embedded.
//
// @Summary	How a link to a match is embedded
// @Description	oEmbed 1.0, of the addresses of matches on this host.
// @Tags		pages
// @Param		url			query		string	true	"the address of a match's page on this host"
// @Param		maxwidth	query		int		false	"px, at least 240"
// @Param		maxheight	query		int		false	"px, at least 240"
// @Param		format		query		string	false	"only json"
// @Success	200			{object}	OEmbed
// @Failure	404			{object}	wire.Problem
// @Router		/oembed [get]
func (s *Pages) OEmbed(c *gin.Context) error {
	q, err := httpx.Query(c, "url", "maxwidth", "maxheight", "format")
	if err != nil {
		return err
	}
	wide, err := httpx.Number(q, "maxwidth", embedWide, embedLeast, 1<<16)
	if err != nil {
		return err
	}
	high, err := httpx.Number(q, "maxheight", embedHigh, embedLeast, 1<<16)
	if err != nil {
		return err
	}
	at, err := url.Parse(q["url"])
	if err != nil || at.Host != c.Request.Host || at.Scheme != "http" && at.Scheme != "https" || q["format"] != "" && q["format"] != "json" {
		return fmt.Errorf("%w: oEmbed knows the pages of matches on this host, as JSON", tournament.ErrNotFound)
	}
	id, isMatch := strings.CutPrefix(at.Path, "/matches/")
	if !isMatch || !httpx.IsUUID(id) {
		return fmt.Errorf("%w: oEmbed knows the pages of matches on this host", tournament.ErrNotFound)
	}
	w, err := s.store.Watch(c.Request.Context(), id)
	if err != nil {
		return err
	}
	out := OEmbed{
		Version:      "1.0",
		Type:         "rich",
		Title:        s.matchModel(w.Match, s.engines.SecrecyOf(w.Match, w.Shared, !w.Open)).Title,
		ProviderName: "molerun",
		Width:        min(wide, embedWide),
		Height:       min(high, embedHigh),
	}
	out.HTML = fmt.Sprintf(`<iframe src="%s://%s/embed/matches/%s" width="%d" height="%d" title="molerun" allowfullscreen></iframe>`, at.Scheme, c.Request.Host, id, out.Width, out.Height)
	return httpx.Send(c, http.StatusOK, out)
}

// baseOf is the address of this host as the caller knows it.
func baseOf(c *gin.Context) string {
	if c.Request.TLS != nil || c.GetHeader("X-Forwarded-Proto") == "https" {
		return "https://" + c.Request.Host
	}
	return "http://" + c.Request.Host
}
