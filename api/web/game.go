package web

import (
	"errors"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// topLines is how many lines of its ladder the page of a game shows.
const topLines = 10

// Games returns the page of all games.
func (s *Pages) Games(c *gin.Context) ([]byte, error) {
	latest, err := s.Store.Latest(c.Request.Context(), "")
	if err != nil {
		return nil, err
	}
	tops, err := s.Store.Tops(c.Request.Context())
	if err != nil {
		return nil, err
	}
	out := pages.List[pages.GameCard]{Asking: pages.Asking{
		Page: pages.Page{Title: "Games", About: "The games that bots play here.", At: s.Now(), Here: "/games"},
		Name: "game",
	}}
	out.Rows = s.cards(latest, tops)
	return s.site.Page("games", out)
}

// Game returns the page of a game.
func (s *Pages) Game(c *gin.Context) ([]byte, error) {
	engine, ok := s.Engines.Find(c.Param("game"))
	if !ok {
		return nil, tournament.ErrNotFound
	}
	info := engine.Info()
	out := pages.Game{
		Page:     pages.Page{Title: info.Name, About: info.Name + ": ladder, matches, rules, and how to write a bot for it.", Card: s.cardOf(c, "/games/"+info.ID), Live: "/v1/events", At: s.Now(), Here: "/games"},
		GameCard: s.card(engine),
		Version:  info.Version,
		What:     info.About,
	}
	for _, v := range info.Variants {
		out.Variants = append(out.Variants, tournament.Spaced(v.Name))
	}
	latest, err := s.Store.Latest(c.Request.Context(), info.ID)
	if err != nil {
		return nil, err
	}
	running, results := s.latest(latest)
	out.Running = len(running)
	out.Matches = first(append(running, results...))
	ladder, rows, _, err := s.Store.LadderPage(c.Request.Context(), info.ID, "", store.Page{Limit: topLines})
	if err != nil && !errors.Is(err, tournament.ErrNotFound) { // a ladder begins with its first rated match
		return nil, err
	}
	out.Ladder = ladder
	all, err := s.Store.Ladders(c.Request.Context())
	if err != nil {
		return nil, err
	}
	for _, l := range all {
		if l.Game == info.ID && !l.IsBase() {
			out.Others = append(out.Others, pages.LadderTop{Ladder: l})
		}
	}
	out.Top = slices.DeleteFunc(rows, func(r tournament.LadderRow) bool {
		return r.Class != tournament.LineEstablished && r.Class != tournament.LineProvisional
	})
	return s.site.Page("game", out)
}

// GamePicture answers with a picture of a game.
func (s *Pages) GamePicture(c *gin.Context) error {
	draw, ok := s.samples[c.Param("game")]
	if !ok || draw() == nil {
		return tournament.ErrNotFound
	}
	c.Header("Content-Security-Policy", pages.BoardPolicy)
	return httpx.SendBytes(c, http.StatusOK, "image/svg+xml", draw())
}

// card returns a game without its matches.
func (s *Pages) card(e game.Engine) pages.GameCard {
	info := e.Info()
	out := pages.GameCard{GameID: info.ID, Game: info.Name, Players: info.Sizes() + " players", HasPicture: s.samples[info.ID]() != nil, Rules: s.rulesPath(info.ID)}
	if s.Guests > 0 {
		out.Play = "/play/" + info.ID
	}
	return out
}

// sampleSteps is how far into a match the picture of a game is: far enough for pieces to have moved.
const sampleSteps = 24

// sample returns a picture of a game, some steps into a match of its house against itself; nil for a game without drawings.
func sample(e game.Engine) []byte {
	info := e.Info()
	seats := (info.MinSeats + info.MaxSeats) / 2
	config, err := e.Configure(nil, seats)
	if err != nil {
		return nil
	}
	table, _, err := e.New(config, seats, game.Seed{1})
	if err != nil {
		return nil
	}
	for table.Due() != 0 && table.Step() < sampleSteps {
		var turns []game.Turn
		for seat := range table.Due().Each() {
			turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
		}
		if _, err := table.Apply(turns); err != nil {
			return nil
		}
	}
	svg, err := table.Draw(game.Spectator, nil)
	if err != nil {
		return nil
	}
	return pages.Still(svg)
}
