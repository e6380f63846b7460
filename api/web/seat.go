package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web/controls"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// seatCookie holds the secret of a seat. No other site's page sends it.
const seatCookie = "molerun_seat"

func (s *Pages) cookies() Cookies { return Cookies{Public: s.Public, Site: http.SameSiteStrictMode} }

// setSeatCookie gives a browser the secret of a seat; "" takes it away.
func (s *Pages) setSeatCookie(c *gin.Context, secret string) {
	s.cookies().Set(c, seatCookie, secret, seatCookieAge)
}

// turn is what a person is asked: the fields of a bot's turn that the page needs.
type turn struct {
	Type     string          `json:"type"`
	Step     int             `json:"step"`
	Decision string          `json:"decision"`
	Offer    json.RawMessage `json:"offer"`
	messages []string        // that ask it; more than one after a worker was lost
	left     time.Duration
}

// seatCookieAge is how long a browser keeps the secret: the result can be read after the match.
const seatCookieAge = 4 * time.Hour

// sitting is a person at their seat.
type sitting struct {
	who   httpx.Caller
	guest tournament.Guest
	match tournament.Match
	seat  game.Seat
	turn  *turn // nil: it is not the person's turn
}

// names returns the names of the seats on the person's page: in a game with hidden teams, names of bots would help to guess them.
func (x sitting) names(info game.Info) []string {
	out := make([]string, len(x.match.Seats))
	for i, seat := range x.match.Seats {
		switch {
		case seat.Seat == x.seat:
			out[i] = "you"
		case info.Teams:
			out[i] = seat.Alias
		default:
			out[i] = seat.BotName
		}
	}
	return out
}

// named returns the names with which the page tells what happened: once the match is over, which bot had an alias.
func (x sitting) named(info game.Info) []string {
	out := x.names(info)
	for i, seat := range x.match.Seats {
		if info.Teams && x.match.Status.Over() && seat.Seat != x.seat {
			out[i] += " (" + seat.BotName + ")"
		}
	}
	return out
}

// words are those in which the person is asked.
func (x sitting) words(engine game.Engine) controls.Words {
	names := x.names(engine.Info())
	return controls.Words{
		Action: func(a json.RawMessage) string { return pages.Named(engine.ActionWordsTo(a, x.seat), names) },
		Label:  engine.Label,
		Seat: func(n int) string {
			if n < 0 || n >= len(names) {
				return fmt.Sprintf("seat %d", n)
			}
			return names[n]
		},
	}
}

// errNoSeat tells a browser without a seat where to take one.
var errNoSeat = fmt.Errorf("%w: this browser has no seat: none was taken in it, it was left, or the browser has forgotten it; choose a game at /games, and sit down there", tournament.ErrNotFound)

// sits returns the guest of the request's cookie, with their match. Without one it is [tournament.ErrNotFound].
func (s *Pages) sits(c *gin.Context) (tournament.Guest, tournament.Match, error) {
	var m tournament.Match
	cookie, err := c.Request.Cookie(s.cookies().Name(c, seatCookie))
	if err != nil {
		return tournament.Guest{}, m, errNoSeat
	}
	g, err := tournament.FindGuest(cookie.Value)
	if err == nil {
		m, err = s.Store.GuestMatch(c.Request.Context(), g)
	}
	if errors.Is(err, tournament.ErrNotFound) {
		err = errNoSeat
	}
	return g, m, err
}

// sitting returns the person of a request, and what they are asked. Messages that ask nothing are answered on the way.
func (s *Pages) sitting(c *gin.Context) (sitting, error) {
	g, m, err := s.sits(c)
	if err != nil {
		return sitting{}, err
	}
	x := sitting{who: httpx.CallerOf(c), guest: g, match: m}
	for _, seat := range m.Seats {
		if seat.BotID == g.BotID {
			x.seat = seat.Seat
		}
	}
	return x, s.read(c.Request.Context(), &x)
}

func (s *Pages) read(ctx context.Context, x *sitting) error {
	x.turn = nil
	list, err := s.Store.Unread(ctx, x.guest.Box())
	if err != nil {
		return err
	}
	for _, l := range list {
		var t turn
		if err := json.Unmarshal(l.Body, &t); err != nil {
			return fmt.Errorf("a message of ours: %w", err)
		}
		switch {
		case t.Type != "turn":
			err := s.Store.Answer(ctx, x.guest.Box(), l.ID, tournament.MessageAnswer{Status: http.StatusOK, Body: []byte("{}")})
			if err != nil && !errors.Is(err, tournament.ErrState) {
				return err
			}
		case x.turn != nil && x.turn.Decision == t.Decision:
			x.turn.messages, x.turn.left = append(x.turn.messages, l.ID), l.Left
		default:
			t.messages, t.left = []string{l.ID}, l.Left
			x.turn = &t
		}
	}
	return nil
}

// Seat returns the page of the seat that the request's cookie proves.
func (s *Pages) Seat(c *gin.Context) ([]byte, error) {
	q, err := httpx.Query(c, "after")
	if err != nil {
		return nil, err
	}
	x, err := s.sitting(c)
	if err != nil {
		return nil, err
	}
	if err := s.stays(c.Request.Context(), x, q["after"] != ""); err != nil {
		return nil, err
	}
	if err := s.news(c.Request.Context(), &x, q["after"], s.Wait); err != nil {
		return nil, err
	}
	return s.seatPage(c, x, "", nil)
}

// stays keeps the seat of a person whose page asks for it. A page that follows the match asks again; any other may be read for as
// long as the person has for their decision.
func (s *Pages) stays(ctx context.Context, x sitting, follows bool) error {
	long := tournament.GuestAway
	if x.turn != nil && !follows {
		long += x.turn.left
	}
	return s.Store.StayAt(ctx, x.guest.Box(), long)
}

// lookEvery is how often a seat is looked at for news while somebody waits for them.
const lookEvery = 250 * time.Millisecond

// news waits until a sitting is not as its key says any more, at most for some time.
func (s *Pages) news(ctx context.Context, x *sitting, key string, most time.Duration) error {
	end := time.NewTimer(most)
	defer end.Stop()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	rung, leave := s.Store.Rings(x.guest.Box())
	defer leave()
	for key != "" {
		now, err := s.keyOf(ctx, *x)
		if err != nil || now != key {
			return err
		}
		select {
		case <-rung:
		case <-tick.C:
		case <-end.C:
			return nil
		case <-s.Stopping:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
		if x.match, err = s.Store.GuestMatch(ctx, x.guest); err != nil {
			return err
		}
		if err := s.read(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// keyOf changes whenever the page of a sitting has something new to show.
func (s *Pages) keyOf(ctx context.Context, x sitting) (string, error) {
	key := string(x.match.Status)
	if x.turn != nil {
		return key + "." + x.turn.Decision, nil
	}
	if x.match.Status == tournament.MatchRunning {
		seen, err := s.Live.SpectatorView(ctx, x.who, x.match)
		return fmt.Sprintf("%s.%d", key, seen.Step), err
	}
	return key, nil
}

// seatPage returns the page of a sitting, with why the last try was refused and what was filled in.
func (s *Pages) seatPage(c *gin.Context, x sitting, problem string, filled *controls.Offer) ([]byte, error) {
	ctx := c.Request.Context()
	engine, ok := s.Engines.Find(x.match.Game)
	if !ok {
		return nil, fmt.Errorf("%w: the game is not played here any more", tournament.ErrState)
	}
	key, err := s.keyOf(ctx, x)
	if err != nil {
		return nil, err
	}
	info := engine.Info()
	out := pages.Sitting{
		Page:    pages.Page{Title: "Your seat: " + info.Name},
		Match:   x.match.ID,
		Game:    info.Name,
		GameID:  info.ID,
		Rules:   s.rulesPath(info.ID),
		Key:     key,
		State:   stateOf(x.match.Status),
		Talk:    info.Talk,
		Problem: problem,
	}
	for i, name := range x.named(info) {
		out.Players = append(out.Players, pages.Chair{Seat: i, Name: name, You: game.Seat(i) == x.seat})
	}
	if x.match.Status.Over() {
		out.Result = s.ending(x, x.named(info))
		out.Again = rematch(engine, x)
	}
	if x.match.StartedAt != nil {
		if err := s.look(ctx, x, info, &out); err != nil {
			return nil, err
		}
	}
	if x.turn != nil && out.State == pages.SittingOthers {
		if filled == nil {
			made, err := controls.Of(x.turn.Offer, x.words(engine))
			if err != nil {
				return nil, err
			}
			for i, choice := range made.Choices {
				var action struct{ Type string }
				if json.Unmarshal(choice.Action, &action) == nil && out.Aid.Calls[action.Type] != "" {
					made.Choices[i].Words = pages.Capital(out.Aid.Calls[action.Type])
				}
			}
			filled = &made
		}
		out.State, out.Decision, out.LeftMS = pages.SittingTurn, x.turn.Decision, x.turn.left.Milliseconds()
		out.Offer, out.Say = *filled, c.PostForm("say")
	}
	c.Header("Cache-Control", "no-store")
	return s.site.Page("seat", out)
}

// stateOf returns the state of a sitting where the person is not asked.
func stateOf(status tournament.MatchStatus) string {
	switch {
	case status.Over():
		return pages.SittingOver
	case status == tournament.MatchRunning:
		return pages.SittingOthers
	}
	return pages.SittingWaits
}

// look fills in what the seat sees of the match.
func (s *Pages) look(ctx context.Context, x sitting, info game.Info, out *pages.Sitting) error {
	seen, err := s.Live.AtSeat(ctx, x.who, x.match, x.seat, x.names(info))
	if err != nil {
		return err
	}
	names := x.names(info)
	described := slices.Clone(names) // the view speaks of each seat in the third person
	described[x.seat] = x.match.Seats[x.seat].Alias + " (you)"
	out.Words, out.Missed, out.Step = pages.Named(seen.Words, described), pages.Missed(seen.Own.House), seen.Step
	out.Aid = pages.NewAid(seen.Aid, names)
	for _, e := range seen.Heard {
		out.Said = append(out.Said, pages.ToSeat(e.Event, x.seat, x.named(info)))
		out.AddFlick(e.Step, e.Data, seen.View)
	}
	if seen.Drawing != nil {
		out.Board = pages.SeatBoard(seen.Step)
	}
	return nil
}

// rematch returns the seating of a match, to be asked for once more.
func rematch(engine game.Engine, x sitting) pages.Rematch {
	out := pages.Rematch{Seat: int(x.seat)}
	for _, v := range engine.Info().Variants {
		config, err := engine.Configure(json.RawMessage(v.Config), len(x.match.Seats))
		if err == nil && bytes.Equal(config, x.match.Config) {
			out.Variant = v.Name
		}
	}
	for _, seat := range x.match.Seats {
		if seat.Seat != x.seat {
			out.Bots = append(out.Bots, seat.BotID)
		}
	}
	return out
}

// ending returns how the match ended, in words.
func (s *Pages) ending(x sitting, names []string) string {
	if x.match.Result == nil {
		reason := strings.Replace(x.match.Reason, "the person at the seat", "you", 1)
		return "The match was stopped and does not count: " + strings.TrimSuffix(reason, ".") + "."
	}
	return pages.OutcomeTo(int(x.seat), *x.match.Result, x.match.Retired, names, s.endingWords(x.match))
}

// SeatBoard answers with the drawing of the seat that the request's cookie proves.
func (s *Pages) SeatBoard(c *gin.Context) error {
	if _, err := httpx.Query(c, "step"); err != nil {
		return err
	}
	x, err := s.sitting(c)
	if err != nil {
		return err
	}
	engine, ok := s.Engines.Find(x.match.Game)
	if !ok {
		return tournament.ErrNotFound
	}
	seen, err := s.Live.AtSeat(c.Request.Context(), x.who, x.match, x.seat, x.names(engine.Info()))
	switch {
	case err != nil:
		return err
	case seen.Drawing == nil:
		return fmt.Errorf("%w: this game has no drawing", tournament.ErrNotFound)
	}
	c.Header("Content-Security-Policy", pages.BoardPolicy)
	c.Header("Cache-Control", "no-store")
	return httpx.SendBytes(c, http.StatusOK, "image/svg+xml", seen.Drawing)
}
