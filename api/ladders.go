package api

import (
	"cmp"
	"context"
	"errors"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func ladderDTO(l tournament.Ladder) wire.Ladder {
	return wire.Ladder{
		ID:         l.ID,
		Game:       l.Game,
		Variant:    l.Variant(),
		Config:     l.Config,
		Table:      l.Table,
		Beliefs:    l.Beliefs,
		ClockClass: string(l.ClockClass),
		Clock:      live.ClockOf(l.ClockClass.Clock()),
		Season:     l.Season,
		Scheduled:  l.LastSeq,
		Rated:      l.Rated(),
		CreatedAt:  l.CreatedAt,
	}
}

func (s *Server) createLadder(ctx context.Context, in wire.LadderCreate) (wire.Ladder, error) {
	l := tournament.Ladder{
		ID: in.ID, Game: in.Game, Table: in.Table, Beliefs: in.Beliefs, ClockClass: tournament.ClockClass(cmp.Or(in.ClockClass, string(tournament.ClockStandard))),
	}
	engine, known := s.Engines.Find(in.Game)
	if !known {
		return wire.Ladder{}, errors.Join(&tournament.FieldError{Pointer: "/game", Reason: s.Engines.NoGame()}, l.Check(game.Info{MinSeats: in.Table, MaxSeats: in.Table}))
	}
	err := l.Check(engine.Info())
	if info := engine.Info(); in.Table == 0 || in.Table >= info.MinSeats && in.Table <= info.MaxSeats {
		var wrong error
		if l.Config, wrong = tournament.VariantOf(engine, in.Config, in.Table); wrong != nil {
			err = errors.Join(err, configError(wrong))
		}
	}
	if err != nil {
		return wire.Ladder{}, err
	}
	gate.SetAuditSubject(ctx, l.ID)
	return as(ladderDTO)(s.Director.OpenLadder(ctx, l))
}

func entryDTO(r tournament.LadderRow) wire.LadderEntry {
	out := wire.LadderEntry{
		Rank:        r.Rank,
		Class:       string(r.Class),
		Retirements: r.Retirements,
		BotID:       r.BotID,
		Bot:         r.Bot,
		Owner:       r.Owner,
		VersionID:   r.VersionID,
		Rating:      tournament.Elo(r.Milli),
		Online:      tournament.Elo(r.OnlineMilli),
		Matches:     r.Games,
		Provisional: r.Provisional,
		Wins:        r.Wins,
		Draws:       r.Draws,
		Losses:      r.Losses,
		Faults:      r.Faults,
		Form:        r.Form,
		P95MS:       float64(r.P95.Microseconds()) / 1000,
	}
	if r.Fit != nil {
		out.Fit = new(columnsDTO(*r.Fit))
	}
	return out
}

func changeDTO(e tournament.RatingChange) wire.RatingChange {
	out := wire.RatingChange{
		Ladder:    e.LadderID,
		Seq:       e.LadderSeq,
		MatchID:   e.MatchID,
		VersionID: e.VersionID,
		Before:    tournament.Elo(e.BeforeMilli),
		Delta:     tournament.Elo(e.DeltaMilli),
		After:     tournament.Elo(e.AfterMilli),
		K:         e.K,
		Expected:  e.Expected,
		Score:     e.Score,
	}
	if p := e.Fit; p != nil {
		out.Fit = &wire.RatingPoint{Rating: tournament.Elo(p.Milli), Low: tournament.Elo(p.LowMilli), High: tournament.Elo(p.HighMilli)}
	}
	return out
}

func (s *Server) listLadders(ctx context.Context, _ op.Paging, p httpx.PageQuery) ([]wire.Ladder, string, error) {
	ladders, err := s.Store.Ladders(ctx)
	rows, next := httpx.Cut(ladders, p)
	return each(rows, ladderDTO), next, err
}

func (s *Server) getLadder(ctx context.Context, in wire.LadderOf) (wire.Ladder, error) {
	return as(ladderDTO)(s.ladder(ctx, in))
}

func (s *Server) listLadderEntries(ctx context.Context, in wire.LadderList, p httpx.PageQuery) ([]wire.LadderEntry, string, error) {
	ladder, err := s.ladder(ctx, in.LadderOf)
	if err != nil {
		return nil, "", err
	}
	rows, next, err := s.Store.LadderRows(ctx, ladder.ID, pageOf(p, ""))
	return each(rows, entryDTO), next, err
}

func (s *Server) listRatingHistory(ctx context.Context, in wire.RatingHistoryQuery, p httpx.PageQuery) ([]wire.RatingChange, string, error) {
	if err := checkLadder(in.Ladder); err != nil {
		return nil, "", err
	}
	bot, err := s.Store.Bot(ctx, in.ID)
	if err != nil {
		return nil, "", err
	}
	rows, next, err := s.Store.RatingEvents(ctx, store.RatingEventFilter{BotID: bot.ID, LadderID: in.Ladder}, pageOf(p, store.Newest))
	if err != nil {
		return nil, "", err
	}
	open, err := s.openMatches(ctx, rows)
	return each(rows, func(e tournament.RatingChange) wire.RatingChange {
		out := changeDTO(e)
		if !open[e.MatchID] {
			out.MatchID = ""
		}
		return out
	}), next, err
}

// openMatches returns the matches of rating changes whose bots are open.
func (s *Server) openMatches(ctx context.Context, events []tournament.RatingChange) (map[string]bool, error) {
	list, err := s.Store.MatchesByID(ctx, each(events, func(e tournament.RatingChange) string { return e.MatchID }))
	if err != nil {
		return nil, err
	}
	seals, open := s.matches.Seals(), map[string]bool{}
	for _, m := range list {
		sec, err := seals.Of(ctx, m)
		if err != nil {
			return nil, err
		}
		open[m.ID] = sec.Names
	}
	return open, nil
}

func (s *Server) ladder(ctx context.Context, in wire.LadderOf) (tournament.Ladder, error) {
	if !tournament.IsLadderID(in.ID) {
		return tournament.Ladder{}, tournament.ErrNotFound
	}
	return s.Store.Ladder(ctx, in.ID)
}

// onLadder returns what do returns for the ladder that a request names.
func onLadder[T any](ctx context.Context, s *Server, in wire.LadderOf, do func(context.Context, string) (T, error)) (T, error) {
	ladder, err := s.ladder(ctx, in)
	if err != nil {
		return *new(T), err
	}
	return do(ctx, ladder.ID)
}

func (s *Server) joinLadder(ctx context.Context, in wire.LadderJoinOf) (wire.LadderPlace, error) {
	botID, err := parseID("/bot_id", in.Body.BotID)
	if err != nil {
		return wire.LadderPlace{}, err
	}
	bot, err := s.ladderBot(ctx, in.LadderOf, botID)
	if err != nil {
		return wire.LadderPlace{}, err
	}
	perHour := tournament.DefaultMatchesPerHour
	if in.Body.MatchesPerHour != nil {
		perHour = *in.Body.MatchesPerHour
	}
	e, err := s.Director.JoinLadder(ctx, in.ID, bot.ID, bot.OwnerID, perHour)
	return wire.LadderPlace{
		Ladder:         e.LadderID,
		BotID:          e.BotID,
		Bot:            e.BotName,
		MatchesPerHour: e.MatchesPerHour,
		JoinedAt:       e.JoinedAt,
	}, err
}

func (s *Server) leaveLadder(ctx context.Context, in wire.LadderEntryOf) (op.None, error) {
	bot, err := s.ladderBot(ctx, in.LadderOf, in.BotID)
	if err != nil {
		return op.None{}, err
	}
	return op.None{}, s.Director.LeaveLadder(ctx, in.ID, bot.ID, bot.OwnerID)
}

// ladderBot returns a bot of the caller's, if there is such a ladder.
func (s *Server) ladderBot(ctx context.Context, in wire.LadderOf, botID string) (tournament.Bot, error) {
	if _, err := s.ladder(ctx, in); err != nil {
		return tournament.Bot{}, err
	}
	return s.myBot(ctx, botID)
}
