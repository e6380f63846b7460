package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
)

func (s *Server) getMatch(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	m, sec, err := s.matchOf(c)
	if err != nil {
		return err
	}
	out := wire.MatchDetail{Match: live.MatchOf(m, sec)}
	if sec.Watch {
		seen, err := s.matches.SpectatorView(c.Request.Context(), httpx.CallerOf(c), m)
		if err != nil {
			return err
		}
		out.Step, out.Due, out.View = &seen.Step, live.SeatList(seen.Due), seen.View
	}
	if out.Notes, err = s.redeploys(c, m, sec); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, out)
}

// redeploys are those of the match that the caller may know of.
func (s *Server) redeploys(c *gin.Context, m tournament.Match, sec live.Secrecy) ([]wire.Redeploy, error) {
	mine := func(seat tournament.MatchSeat) bool { return gate.OwnsBot(c, seat.OwnerID, seat.BotID) }
	if m.Status == tournament.MatchQueued || !sec.Open && !slices.ContainsFunc(m.Seats, mine) {
		return nil, nil
	}
	list, err := s.store.Redeploys(c.Request.Context(), m.ID)
	var out []wire.Redeploy
	for _, r := range list {
		if sec.Open || mine(m.Seats[r.Seat]) {
			out = append(out, wire.Redeploy(r))
		}
	}
	return out, err
}

// matchOf is the match the path names, and what of it is open.
func (s *Server) matchOf(c *gin.Context) (tournament.Match, live.Secrecy, error) {
	m, err := named(c, s.store.Match)
	if err != nil {
		return m, live.Secrecy{}, err
	}
	sec, err := s.matches.Seals().Of(c.Request.Context(), m)
	return m, sec, err
}

func (s *Server) voidMatch(c *gin.Context) error {
	return withReason(c, func(ctx context.Context, id, reason string) error {
		m, err := s.director.VoidMatch(ctx, id, reason)
		if err != nil {
			return err
		}
		return s.sendMatch(ctx, c, m)
	})
}

func (s *Server) requeueMatch(c *gin.Context) error {
	return withoutReason(c, func(ctx context.Context, id string) error {
		m, err := s.director.Requeue(ctx, id)
		if err != nil {
			return err
		}
		return s.sendMatch(ctx, c, m)
	})
}

func (s *Server) sendMatch(ctx context.Context, c *gin.Context, m tournament.Match) error {
	sec, err := s.matches.Seals().Of(ctx, m)
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, live.MatchOf(m, sec))
}

func (s *Server) createChallenge(c *gin.Context) error {
	in, err := read[wire.ChallengeCreate](c)
	if err != nil {
		return err
	}
	x := director.Challenge{
		Game:   in.Game,
		Config: in.Config,
		Bots:   in.Bots,
		Clock:  tournament.DefaultClock(),
		Limits: tournament.DefaultFaultLimits(),
	}
	engine, ok := s.engines.Find(in.Game)
	if !ok {
		return &tournament.FieldError{Pointer: "/game", Reason: "names no game; /v1/games lists them"}
	}
	if info := engine.Info(); len(in.Bots) < info.MinSeats || len(in.Bots) > info.MaxSeats {
		return &tournament.FieldError{Pointer: "/bots", Reason: fmt.Sprintf("%d bots; %s is played by %d to %d", len(in.Bots), info.ID, info.MinSeats, info.MaxSeats)}
	}
	for i, id := range in.Bots {
		if _, err := parseID(fmt.Sprintf("/bots/%d", i), id); err != nil {
			return err
		}
	}
	if in.Clock != nil {
		x.Clock = clockOf(*in.Clock)
	}
	if in.Faults != nil {
		x.Limits = tournament.FaultLimits{InRow: in.Faults.InRow, Total: in.Faults.Total}
	}
	if err := tournament.SourceChallenge.Bounds().Check(x.Clock, x.Limits); err != nil {
		return err
	}
	if x.Config, err = engine.Configure(in.Config, len(in.Bots)); err != nil {
		return configError(err)
	}
	return s.challenge(c, x)
}

func (s *Server) createRematch(c *gin.Context) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	m, sec, err := s.matchOf(c)
	if err != nil {
		return err
	}
	if err := s.mayReplay(c, m); err != nil {
		return err
	}
	if !sec.Open {
		return fmt.Errorf("%w: the match, or one on its seed, is not over", tournament.ErrState)
	}
	engine, ok := s.engines.Find(m.Game)
	if !ok {
		return fmt.Errorf("%w: game %q is not played here any more", tournament.ErrState, m.Game)
	}
	x := director.Challenge{Game: m.Game, Bots: rotated(m.Seats), Asker: tournament.Asker{Bystander: true}}
	x.Clock, x.Limits = tournament.SourceChallenge.Bounds().Cap(m.Clock, m.Limits) // an organiser may have given more
	if x.Config, err = engine.Configure(m.Config, len(m.Seats)); err != nil {
		return fmt.Errorf("%w: the configuration is not played any more: %w", tournament.ErrState, err)
	}
	return s.challenge(c, x)
}

// rotated is the bots of a match, by the seats of the next: everybody sits one further.
func rotated(seats []tournament.MatchSeat) []string {
	out := make([]string, len(seats))
	for i, seat := range seats {
		out[(i+1)%len(out)] = seat.BotID
	}
	return out
}

// mayReplay tells why the caller may not have a match played again.
func (s *Server) mayReplay(c *gin.Context, m tournament.Match) error {
	if slices.ContainsFunc(m.Seats, func(seat tournament.MatchSeat) bool { return gate.OwnsBot(c, seat.OwnerID, seat.BotID) }) {
		return nil
	}
	if m.TournamentID != "" {
		t, err := s.store.Tournament(c.Request.Context(), m.TournamentID)
		if err != nil || gate.Organises(c, t.OrganiserID) {
			return err
		}
	}
	return fmt.Errorf("%w: the match can be played again by the owner of a bot in it, or its organiser", tournament.ErrNotYours)
}

// challenge makes the match that the caller asks for and answers with it.
func (s *Server) challenge(c *gin.Context, x director.Challenge) error {
	who := gate.Who(c)
	x.Asker.UserID, x.Asker.BotID = who.User.ID, who.Token.BotID
	x.Asker.Admin = gate.Owns(c, "")
	m, err := s.director.Challenge(c.Request.Context(), x)
	if err != nil {
		return err
	}
	sec, err := s.matches.Seals().Of(c.Request.Context(), m)
	if err != nil {
		return err
	}
	c.Header("Location", "/v1/matches/"+m.ID)
	return httpx.Send(c, http.StatusCreated, live.MatchOf(m, sec))
}
