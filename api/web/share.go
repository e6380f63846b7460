package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/api/web/pictures"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// Embed answers with the viewer of a match for a frame on somebody's page.
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
	return httpx.SendBytes(c, http.StatusOK, "text/html; charset=utf-8", body)
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

	Thumbnail     string `json:"thumbnail_url"` // the card of the match
	ThumbnailWide int    `json:"thumbnail_width"`
	ThumbnailHigh int    `json:"thumbnail_height"`
} // @name OEmbed

// The size of a frame in px, and the least that shows a board.
const embedWide, embedHigh, embedLeast = 720, 640, 240

// OEmbed answers with how a link to a match is embedded.
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
	base := s.baseOf(c)
	if err != nil || at.Host != strings.TrimPrefix(strings.TrimPrefix(base, "https://"), "http://") || at.Scheme != "http" && at.Scheme != "https" || q["format"] != "" && q["format"] != "json" {
		return fmt.Errorf("%w: oEmbed knows the pages of matches on this host, as JSON", tournament.ErrNotFound)
	}
	if s.Public == "" { // only the caller knows whether the connection uses TLS
		base = at.Scheme + "://" + at.Host
	}
	id, isMatch := strings.CutPrefix(at.Path, "/matches/")
	if !isMatch || !httpx.IsUUID(id) {
		return fmt.Errorf("%w: oEmbed knows the pages of matches on this host", tournament.ErrNotFound)
	}
	w, err := s.Store.Watch(c.Request.Context(), id)
	if err != nil {
		return err
	}
	out := OEmbed{
		Version:      "1.0",
		Type:         "rich",
		Title:        s.matchModel(w, s.Engines.SecrecyOf(w)).Title,
		ProviderName: "molerun",
		Width:        min(wide, embedWide),
		Height:       min(high, embedHigh),

		Thumbnail:     base + "/matches/" + id + "/card.png",
		ThumbnailWide: pictures.CardWidth,
		ThumbnailHigh: pictures.CardHeight,
	}
	out.HTML = fmt.Sprintf(`<iframe src="%s/embed/matches/%s" width="%d" height="%d" title="molerun" allowfullscreen></iframe>`, base, id, out.Width, out.Height)
	return httpx.Send(c, http.StatusOK, out)
}

func (s *Pages) baseOf(c *gin.Context) string { return httpx.BaseOf(s.Public, c.Request) }

// cardSteps is how many steps can be replayed while a card is drawn: a caller's share of one is a share of the other.
const cardSteps = 2000

// picture returns a card as a file: the same card is not drawn twice. A caller beyond their share gets an [httpx.WaitError].
func (s *Pages) picture(ctx context.Context, who httpx.Caller, card pictures.Card) ([]byte, error) {
	return s.pictures.Get(ctx, who, card, cardSteps, func(context.Context) ([]byte, int, error) {
		file, err := card.PNG()
		return file, len(file), err
	})
}

// sendCard answers with a card.
func (s *Pages) sendCard(c *gin.Context, card pictures.Card) error {
	png, err := s.picture(c.Request.Context(), httpx.CallerOf(c), card)
	if err != nil {
		return err
	}
	return httpx.SendBytes(c, http.StatusOK, "image/png", png)
}

// cardOf returns the address of the card of a page.
func (s *Pages) cardOf(c *gin.Context, path string) string { return s.baseOf(c) + path + "/card.png" }

// HomeCard answers with the picture that is shown where the site is linked.
func (s *Pages) HomeCard(c *gin.Context) error {
	var names []string
	for _, e := range s.Engines {
		names = append(names, e.Info().Name)
	}
	return s.sendCard(c, pictures.Card{Title: homeTitle, Words: "Live matches, tournaments and ladders of " + game.JoinWords(names...) + "."})
}

// GameCard answers with the picture that is shown where a game is linked.
func (s *Pages) GameCard(c *gin.Context) error {
	engine, ok := s.Engines.Find(c.Param("game"))
	if !ok {
		return tournament.ErrNotFound
	}
	info := engine.Info()
	return s.sendCard(c, pictures.Card{
		Title: info.Name,
		Words: "For " + s.card(engine).Players + ". Ladder, matches, rules, and how to write a bot for it.",
	})
}

// TournamentCard answers with the picture that is shown where a tournament is linked.
func (s *Pages) TournamentCard(c *gin.Context) error {
	t, err := Named(c, s.Store.Tournament)
	if err != nil {
		return err
	}
	return s.sendCard(c, pictures.Card{Title: t.Name, Words: s.aboutTournament(t)})
}

// MatchCard answers with the picture that is shown where a match is linked.
func (s *Pages) MatchCard(c *gin.Context) error {
	w, sec, err := s.watchedOf(c)
	if err != nil {
		return err
	}
	m := s.matchModel(w, sec)
	return s.sendCard(c, pictures.Card{Title: m.Title, Words: cmp.Or(m.Result, m.About)})
}
