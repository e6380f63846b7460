package web

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Match returns the page of a match.
func (s *Pages) Match(c *gin.Context) ([]byte, error) {
	return s.cached(c, func() (cachedPage, error) {
		m, err := s.match(c)
		if err != nil {
			return cachedPage{}, err
		}
		var out cachedPage
		if m.Viewer.Has && m.Status == string(tournament.MatchRunning) {
			out.match, out.step = m.ID, m.Viewer.Last
		}
		out.body, err = s.site.Page("match", m)
		return out, err
	})
}

// match returns the page of the match that the path names.
func (s *Pages) match(c *gin.Context) (pages.Match, error) {
	var none pages.Match
	q, err := httpx.Query(c, "step", "seat", "spoilers")
	if err != nil {
		return none, err
	}
	spoilers, err := httpx.OneOf(q, "spoilers", "hide")
	if err != nil {
		return none, err
	}
	w, sec, err := s.watchedOf(c)
	if err != nil {
		return none, err
	}
	replay, err := s.replay(c, w.Match, sec)
	if err != nil {
		return none, err
	}
	out := s.matchModel(w, sec)
	if w.Match.TournamentID != "" {
		stage, err := s.stageOf(c.Request.Context(), w.Match.TournamentID, w.Match.Round, w.Match.ID)
		if err != nil {
			return none, err
		}
		out.In += ", " + stage.name
	}
	out.Base = s.baseOf(c)
	out.Card = s.cardOf(c, "/matches/"+out.ID)
	out.OEmbed = "/oembed?url=" + url.QueryEscape(out.Base+"/matches/"+out.ID)
	if replay == nil {
		return out, nil
	}
	first := 0 // of a match that runs the page begins at the end, and follows
	if w.Match.Status != tournament.MatchDone {
		first = replay.Last()
	}
	seat, step, err := look(q, replay, w.Match, sec, "step", first)
	if err != nil {
		return none, err
	}
	who := pages.Look{Seat: seat, Open: sec.Open, Names: out.Names()}
	out.Viewer, out.Hide = replay.Watch(who, step, maxMoves), spoilers != ""
	if _, asked := q["seat"]; !asked || out.Hiding() { // what a seat saw has its role
		seat = out.First(step)
		who.Seat, out.Viewer.Seat = seat, seat
	}
	board := fmt.Sprintf("/matches/%s/board.svg?seat=%d&step=%d", out.ID, seat, step)
	if out.Viewer.Stage, err = s.site.Stage(replay, who, step, board); err != nil {
		return none, err
	}
	if !sec.Open {
		return out, nil
	}
	out.Claims = pages.ClaimsOf(replay.Claims(), who.Names)
	out.Times, out.TimesText = replay.Timeline(w.Match.Clock.Limit)
	if out.Review, err = s.review(c.Request.Context(), w.Match, who.Names); out.Review.Going() {
		out.Live = "poll"
	}
	return out, err
}

// review returns what the page of an open match says of its review.
func (s *Pages) review(ctx context.Context, m tournament.Match, names []string) (pages.Review, error) {
	r, err := s.Store.Review(ctx, m.ID)
	if errors.Is(err, tournament.ErrNotFound) {
		return pages.Review{}, nil
	}
	if err != nil {
		return pages.Review{}, err
	}
	return pages.ReviewOf(r, names)
}

// matchModel returns what the page says of a match beside its steps.
func (s *Pages) matchModel(w store.Watched, sec live.Secrecy) pages.Match {
	m := w.Match
	dto := live.MatchOf(m, sec)
	out := pages.Match{
		ID:     m.ID,
		Game:   s.Engines.NameOf(m.Game),
		Rules:  s.rulesPath(m.Game),
		Status: dto.Status,
		Sealed: dto.Sealed,
		Why:    dto.Reason,
		Open:   sec.Open,
	}
	out.At = s.Now()
	if !sec.Open {
		out.Live = "/v1/matches/" + m.ID + "/events"
	}
	out.In, out.InPath = partOf(m, w.Tournament)
	if e, ok := s.Engines.Find(m.Game); ok {
		out.What = e.Info().About
		if out.Sealed == "" && !sec.Open && e.Hides() {
			out.Sealed = "what the players hide from each other is shown when the match is over"
		}
	}
	for i, seat := range dto.Seats {
		line := pages.Seat{
			Seat:  i,
			Alias: seat.Alias,
			Bot:   seat.Bot,
			BotID: seat.BotID,
		}
		if dto.Outcome != nil {
			line.Faults, line.Retired = dto.Outcome.Faults[i], m.Retired.Has(game.Seat(i)) // a seat of the match
			if m.Result != nil {
				line.Role, line.Points = pages.ResultOf(*m.Result, i)
			}
			if i < len(m.Rank) {
				line.Rank = strconv.Itoa(m.Rank[i])
			}
		}
		out.Seats = append(out.Seats, line)
	}
	out.Title = out.Game + ": " + strings.Join(out.Names(), " – ")
	out.About = fmt.Sprintf("A match of %s, step by step: %s.", out.Game, dto.Status)
	out.Facts, out.Proof = matchFacts(dto, m.Clock, sec.Names && m.TournamentID != "" && m.OneOwner())
	if dto.Outcome != nil && m.Result != nil {
		out.Result = pages.Outcome(*m.Result, m.Retired, out.Names(), s.endingWords(m))
		out.Replay = "/v1/matches/" + m.ID + "/replay"
	}
	return out
}

// endingWords returns how a match that counts came to its end; "" if its game has no words for it.
func (s *Pages) endingWords(m tournament.Match) string {
	e, ok := s.Engines.Find(m.Game)
	if !ok {
		return ""
	}
	return e.EndingWords(m.Result.Why)
}

// matchFacts returns what is to be known of a match, and what it can be checked by. oneOwner says why it is not rated.
func matchFacts(m wire.Match, clock tournament.Clock, oneOwner bool) (facts, proof []pages.Fact) {
	facts = []pages.Fact{
		{Name: "Rules", Value: fmt.Sprintf("version %d", m.RulesVersion)},
		{Name: "Clock", Value: clock.Words()},
		{Name: "Rated", Value: ratedWords(m, oneOwner)},
	}
	if m.ReplayedAs != "" {
		facts = append(facts, pages.Fact{Name: "Played again as", Value: m.ReplayedAs, Path: "/matches/" + m.ReplayedAs})
	}
	if m.ReplayOf != "" {
		facts = append(facts, pages.Fact{Name: fmt.Sprintf("Replay %d of", m.Replay), Value: m.ReplayOf, Path: "/matches/" + m.ReplayOf})
	}
	if m.StartedAt != nil {
		facts = append(facts, pages.Fact{Name: "Started", Value: pages.Time(*m.StartedAt)})
	}
	if m.EndedAt != nil {
		facts = append(facts, pages.Fact{Name: "Ended", Value: pages.Time(*m.EndedAt)})
	}
	proof = []pages.Fact{{Name: "Match", Value: m.ID}, {Name: "Configuration", Value: string(m.Config)}, {Name: "Commitment to the seed", Value: m.Commitment}}
	if m.Outcome != nil {
		proof = append(proof, pages.Fact{Name: "Seed", Value: m.Outcome.Seed}, pages.Fact{Name: "Nonce", Value: m.Outcome.Nonce}, pages.Fact{Name: "Hash of the record", Value: m.Outcome.Hash})
	}
	return facts, proof
}

// ratedWords says whose ratings a match changes.
func ratedWords(m wire.Match, oneOwner bool) string {
	switch {
	case m.Outcome != nil && m.Outcome.Apart:
		return "only for the retired bots"
	case m.Rated:
		return "yes"
	case oneOwner:
		return "no: two of the bots belong to one owner"
	}
	return "no"
}
