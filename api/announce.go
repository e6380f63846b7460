package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// previewMatches is how many random matches the length of one is measured on.
const previewMatches = 8

func (s *Server) previewTournament(ctx context.Context, in wire.TournamentCreate) (wire.Preview, error) {
	t, err := s.announced(ctx, in)
	if err != nil {
		return wire.Preview{}, err
	}
	return s.preview(ctx, t, []time.Time{t.StartsAt})
}

func (s *Server) previewSchedule(ctx context.Context, in wire.ScheduleCreate) (wire.Preview, error) {
	x, err := s.plan(ctx, in)
	if err != nil {
		return wire.Preview{}, err
	}
	return s.preview(ctx, x.Template, x.Upcoming(shownStarts))
}

// preview estimates how long a tournament takes.
func (s *Server) preview(ctx context.Context, t tournament.Tournament, starts []time.Time) (wire.Preview, error) {
	matches, err := matchesAtCapacity(t)
	if err != nil {
		return wire.Preview{}, err
	}
	engine, _ := s.Engines.Find(t.Game)
	steps, err := meanSteps(engine, t.Config, t.Table)
	if err != nil {
		return wire.Preview{}, err
	}
	ladders, err := s.Store.Ladders(ctx)
	if err != nil {
		return wire.Preview{}, err
	}
	ladder, differs, err := t.DecideRated(engine, ladders, &t.Rated)
	if err != nil {
		return wire.Preview{}, err
	}
	match := time.Duration(steps * float64(t.Clock.Limit))
	out := wire.Preview{
		Rated:   t.Rated,
		Ladder:  ladder,
		Differs: differs,
		Starts:  starts,
		Rounds:  pairing.Rounds(t.Capacity, pairing.SettingsOf(t, engine.Info())),
		Matches: matches,
		MatchMS: match.Milliseconds(),
	}
	if t.Format == tournament.Arena {
		out.LeastMS = (t.Options.Lasts() + match).Milliseconds()
		out.MostMS = out.LeastMS
	} else {
		out.LeastMS = int64(out.Rounds) * out.MatchMS
		out.MostMS = int64(matches) * out.MatchMS
	}
	return out, nil
}

// meanSteps returns how many steps random matches have in the mean; always the same for the same configuration.
func meanSteps(engine game.Engine, config json.RawMessage, seats int) (float64, error) {
	walk, err := engine.Playout(config, seats)
	if err != nil {
		return 0, err
	}
	steps := 0
	for match := range previewMatches {
		rng := game.Stream(game.Seed{}, match, "preview")
		for walk.Deal(rng); walk.Step(rng) > 0; {
			steps++
		}
	}
	return float64(steps) / previewMatches, nil
}

// matchesAtCapacity returns the most matches that a full field makes.
func matchesAtCapacity(t tournament.Tournament) (int, error) {
	return pairing.Matches(t.Capacity, pairing.SettingsOf(t, game.Info{}))
}

// draft makes the tournament that is asked for, and refuses everything wrong with it at once. check sees to its times, and looks
// at all but the number of matches and the configuration. Results may enter the ladders.
func (s *Server) draft(in wire.TournamentTemplate, organiser string, ladders []tournament.Ladder, check func(*tournament.Tournament, game.Info) error) (tournament.Tournament, error) {
	t := templateOf(in)
	t.OrganiserID, t.Status = organiser, tournament.Scheduled
	engine, known := s.Engines.Find(in.Game)
	if !known {
		anyTable := game.Info{MinSeats: in.Table, MaxSeats: in.Table}
		return t, errors.Join(&tournament.FieldError{Pointer: "/game", Reason: s.Engines.NoGame()}, check(&t, anyTable))
	}
	wrong := configure(&t, engine, in.Config)
	var unrated error
	if t.Config != nil {
		_, _, unrated = t.DecideRated(engine, ladders, in.Rated)
	}
	err := check(&t, engine.Info())
	if err == nil {
		err = errors.Join(s.checkMatches(t), unrated) // it follows from what else may be wrong
	}
	return t, errors.Join(err, wrong)
}

// checkMatches refuses a tournament whose full field would play too many matches.
func (s *Server) checkMatches(t tournament.Tournament) error {
	count, err := matchesAtCapacity(t)
	switch {
	case err != nil:
		pointer := "/format_options"
		if errors.Is(err, pairing.ErrTooMany) {
			pointer = "/capacity"
		}
		return &tournament.FieldError{Pointer: pointer, Reason: pairing.Reason(err)}
	case count > s.Limits.Matches:
		return &tournament.FieldError{Pointer: "/capacity", Reason: fmt.Sprintf("a full field would play %d matches, more than %d: lower capacity, cycles, rounds or max_pairs", count, s.Limits.Matches)}
	}
	return nil
}

// configure gives the tournament the configuration that is asked for, where its table is one that the game has.
func configure(t *tournament.Tournament, engine game.Engine, config json.RawMessage) error {
	if info := engine.Info(); t.Table < info.MinSeats || t.Table > info.MaxSeats {
		return nil // the table is refused
	}
	var err error
	if t.Config, err = engine.Configure(config, t.Table); err != nil {
		return configError(err)
	}
	for seats := t.Table - 1; t.Options.MinTable > 1 && seats >= t.Options.MinTable; seats-- {
		if _, err := engine.Configure(t.Config, seats); err != nil {
			return &tournament.FieldError{Pointer: "/format_options/min_table_size", Reason: fmt.Sprintf("a table of %d cannot be played: %v", seats, err)}
		}
	}
	return nil
}

// configError points into the configuration, at each place that is refused.
func configError(err error) error {
	var forms strict.Errors
	var form *strict.Error
	if !errors.As(err, &forms) && errors.As(err, &form) {
		forms = strict.Errors{form}
	}
	var wrong []error
	for _, f := range forms {
		wrong = append(wrong, &tournament.FieldError{Pointer: "/config" + f.Pointer, Reason: f.Reason})
	}
	if wrong != nil {
		return errors.Join(wrong...)
	}
	_, reason := game.Code(err)
	return &tournament.FieldError{Pointer: "/config", Reason: reason}
}

// announced returns the tournament that is asked for, checked.
func (s *Server) announced(ctx context.Context, in wire.TournamentCreate) (tournament.Tournament, error) {
	ladders, err := s.Store.Ladders(ctx)
	if err != nil {
		return tournament.Tournament{}, err
	}
	return s.draft(in.TournamentTemplate, gate.UserID(ctx), ladders, func(t *tournament.Tournament, info game.Info) error {
		t.OpensAt, t.ClosesAt, t.StartsAt = in.OpensAt.UTC(), in.ClosesAt.UTC(), in.StartsAt.UTC()
		return errors.Join(t.Check(info, s.Now()), t.CheckSingle())
	})
}
