package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
)

func (s *Server) getMatch(c *gin.Context, in op.One) error {
	m, sec, err := s.match(c.Request.Context(), in.ID)
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

// redeploys returns the redeployments of the match that the caller may know of.
func (s *Server) redeploys(c *gin.Context, m tournament.Match, sec live.Secrecy) ([]tournament.Redeploy, error) {
	mine := func(seat tournament.MatchSeat) bool { return gate.OwnsBot(c, seat.OwnerID, seat.BotID) }
	if m.Status == tournament.MatchQueued || !sec.Open && !slices.ContainsFunc(m.Seats, mine) {
		return nil, nil
	}
	list, err := s.Store.Reader(c.Request.Context()).Redeploys(m)
	return slices.DeleteFunc(list, func(r tournament.Redeploy) bool { return !sec.Open && !mine(m.Seats[r.Seat]) }), err
}

// matchOf returns the match the path names, and what of it is open.
func (s *Server) matchOf(c *gin.Context) (tournament.Match, live.Secrecy, error) {
	if !httpx.IsUUID(c.Param("id")) {
		return tournament.Match{}, live.Secrecy{}, tournament.ErrNotFound
	}
	return s.match(c.Request.Context(), c.Param("id"))
}

// match returns a match, and what of it is open.
func (s *Server) match(ctx context.Context, id string) (tournament.Match, live.Secrecy, error) {
	m, err := s.Store.Match(ctx, id)
	if err != nil {
		return m, live.Secrecy{}, err
	}
	sec, err := s.matches.Seals().Of(ctx, m)
	return m, sec, err
}

func (s *Server) voidMatch(ctx context.Context, in op.WithID[wire.CancelRequest]) (wire.Match, error) {
	err := s.mayVoid(ctx, in.ID)
	if err == nil {
		err = checkReason(in.Body)
	}
	if err != nil {
		return wire.Match{}, err
	}
	return s.shownMatch(ctx)(s.Director.VoidMatch(ctx, in.ID, in.Body.Reason))
}

// mayVoid returns why the caller may not make a match void: it is for the organiser of its tournament, where no rating of theirs gains by it.
func (s *Server) mayVoid(ctx context.Context, id string) error {
	m, err := s.Store.Match(ctx, id)
	if err != nil || gate.Owns(ctx, "") {
		return err
	}
	if m.TournamentID == "" {
		return fmt.Errorf("%w: the match is of no tournament; ask an administrator", tournament.ErrNotYours)
	}
	own := func(seat tournament.MatchSeat) bool { return seat.OwnerID == gate.UserID(ctx) }
	_, err = s.myTournament(ctx, m.TournamentID)
	if err == nil && m.Rated && slices.ContainsFunc(m.Seats, own) {
		err = fmt.Errorf("%w: a bot of yours plays in this rated match; ask an administrator", tournament.ErrNotYours)
	}
	return err
}

func (s *Server) requeueMatch(ctx context.Context, in op.One) (wire.Match, error) {
	return s.shownMatch(ctx)(s.Director.Requeue(ctx, in.ID))
}

// shownMatch makes a match an answer, as far as it is open.
func (s *Server) shownMatch(ctx context.Context) func(tournament.Match, error) (wire.Match, error) {
	return func(m tournament.Match, err error) (wire.Match, error) {
		if err != nil {
			return wire.Match{}, err
		}
		sec, err := s.matches.Seals().Of(ctx, m)
		return live.MatchOf(m, sec), err
	}
}

func (s *Server) createChallenge(ctx context.Context, in wire.ChallengeCreate) (wire.Match, error) {
	none := wire.Match{}
	x := director.Challenge{
		Game:    in.Game,
		Config:  in.Config,
		Bots:    in.Bots,
		Beliefs: in.Beliefs,
	}
	engine, ok := s.Engines.Find(in.Game)
	if !ok {
		return none, &tournament.FieldError{Pointer: "/game", Reason: s.Engines.NoGame()}
	}
	if info := engine.Info(); len(in.Bots) < info.MinSeats || len(in.Bots) > info.MaxSeats {
		return none, &tournament.FieldError{Pointer: "/bots", Reason: fmt.Sprintf("%s; %s is played by %s", game.Plural(len(in.Bots), "bot"), info.ID, info.Sizes())}
	}
	for i, id := range in.Bots {
		if _, err := parseID(fmt.Sprintf("/bots/%d", i), id); err != nil {
			return none, err
		}
	}
	x.Clock, x.Limits = controlOf(in.Clock, in.Faults)
	if err := tournament.SourceChallenge.Bounds().Check(x.Clock, x.Limits); err != nil {
		return none, err
	}
	var err error
	if x.Config, err = engine.Configure(in.Config, len(in.Bots)); err != nil {
		return none, configError(err)
	}
	return s.challenge(ctx, x)
}

func (s *Server) createRematch(ctx context.Context, in op.One) (wire.Match, error) {
	none := wire.Match{}
	m, sec, err := s.match(ctx, in.ID)
	if err != nil {
		return none, err
	}
	if err := s.mayReplay(ctx, m); err != nil {
		return none, err
	}
	if !sec.Open {
		return none, fmt.Errorf("%w: the match, or one on its seed, is not over", tournament.ErrState)
	}
	engine, ok := s.Engines.Find(m.Game)
	if !ok {
		return none, fmt.Errorf("%w: game %q is not played here any more", tournament.ErrState, m.Game)
	}
	x := director.Challenge{Game: m.Game, Bots: rotated(m.Seats), Beliefs: m.Beliefs, Asker: tournament.Asker{Bystander: true}}
	x.Clock, x.Limits = tournament.SourceChallenge.Bounds().Cap(m.Clock, m.Limits) // an organiser may have given more
	if x.Config, err = engine.Configure(m.Config, len(m.Seats)); err != nil {
		return none, fmt.Errorf("%w: the configuration is not played any more: %w", tournament.ErrState, err)
	}
	return s.challenge(ctx, x)
}

// rotated returns the bots of a match, by the seats of the next: everybody sits one further.
func rotated(seats []tournament.MatchSeat) []string {
	out := make([]string, len(seats))
	for i, seat := range seats {
		out[(i+1)%len(out)] = seat.BotID
	}
	return out
}

// mayReplay returns why the caller may not have a match played again.
func (s *Server) mayReplay(ctx context.Context, m tournament.Match) error {
	if slices.ContainsFunc(m.Seats, func(seat tournament.MatchSeat) bool { return gate.OwnsBot(ctx, seat.OwnerID, seat.BotID) }) {
		return nil
	}
	if m.TournamentID != "" {
		t, err := s.Store.Tournament(ctx, m.TournamentID)
		if err == nil {
			err = s.organises(ctx, t.OrganiserID, t.ID, t.ScheduleID)
		}
		if !errors.Is(err, tournament.ErrNotYours) {
			return err
		}
	}
	return fmt.Errorf("%w: the match can be played again by the owner of a bot in it, or its organiser", tournament.ErrNotYours)
}

// challenge makes the match that the caller asks for.
func (s *Server) challenge(ctx context.Context, x director.Challenge) (wire.Match, error) {
	who := gate.Who(ctx)
	x.Asker.UserID, x.Asker.BotID = who.User.ID, who.Token.BotID
	x.Asker.Admin = gate.Owns(ctx, "")
	return s.shownMatch(ctx)(s.Director.Challenge(ctx, x))
}
