package api

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func ladderDTO(l tournament.Ladder) wire.Ladder {
	return wire.Ladder{
		ID:        l.ID,
		Game:      l.Game,
		Season:    l.Season,
		Scheduled: l.LastSeq,
		Rated:     max(0, l.NextSeq-1),
		CreatedAt: l.CreatedAt,
	}
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

func (s *Server) listLadders(c *gin.Context) error {
	p, err := s.cursors.Page(c)
	if err != nil {
		return err
	}
	ladders, err := s.store.Ladders(c.Request.Context())
	if err != nil {
		return err
	}
	rows, next := httpx.Cut(ladders, p)
	return httpx.SendPage(c, p, rows, next, ladderDTO)
}

func (s *Server) getLadder(c *gin.Context) error {
	return httpx.SendOne(c, s.ladderOf, ladderDTO)
}

func (s *Server) listLadderEntries(c *gin.Context) error {
	p, err := s.cursors.Page(c)
	if err != nil {
		return err
	}
	ladder, err := s.ladderOf(c)
	if err != nil {
		return err
	}
	rows, next, err := s.store.LadderRows(c.Request.Context(), ladder.ID, pageOf(p, ""))
	if err != nil {
		return err
	}
	return httpx.SendPage(c, p, rows, next, entryDTO)
}

func (s *Server) listRatingHistory(c *gin.Context) error {
	p, err := s.cursors.Page(c, "ladder")
	if err != nil {
		return err
	}
	ladder, err := ladderFilter(p.Filter)
	if err != nil {
		return err
	}
	bot, err := s.botOf(c)
	if err != nil {
		return err
	}
	rows, next, err := s.store.RatingEvents(c.Request.Context(), store.RatingEventFilter{BotID: bot.ID, LadderID: ladder}, pageOf(p, store.Newest))
	if err != nil {
		return err
	}
	open, err := s.openMatches(c.Request.Context(), rows)
	if err != nil {
		return err
	}
	return httpx.SendPage(c, p, rows, next, func(e tournament.RatingChange) wire.RatingChange {
		out := changeDTO(e)
		if !open[e.MatchID] {
			out.MatchID = ""
		}
		return out
	})
}

// openMatches are the matches of rating changes whose bots are open.
func (s *Server) openMatches(ctx context.Context, events []tournament.RatingChange) (map[string]bool, error) {
	ids := make([]string, len(events))
	for i, e := range events {
		ids[i] = e.MatchID
	}
	list, err := s.store.MatchesByID(ctx, ids)
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

func (s *Server) ladderOf(c *gin.Context) (tournament.Ladder, error) {
	if !tournament.IsLadderID(c.Param("id")) {
		return tournament.Ladder{}, tournament.ErrNotFound
	}
	return s.store.Ladder(c.Request.Context(), c.Param("id"))
}

func (s *Server) joinLadder(c *gin.Context) error {
	in, err := read[wire.LadderJoin](c)
	if err != nil {
		return err
	}
	botID, err := parseID("/bot_id", in.BotID)
	if err != nil {
		return err
	}
	bot, err := s.ladderBot(c, botID)
	if err != nil {
		return err
	}
	perHour := tournament.DefaultMatchesPerHour
	if in.MatchesPerHour != nil {
		perHour = *in.MatchesPerHour
	}
	e, err := s.director.JoinLadder(c.Request.Context(), c.Param("id"), bot.ID, bot.OwnerID, perHour)
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusCreated, wire.LadderPlace{
		Ladder:         e.LadderID,
		BotID:          e.BotID,
		Bot:            e.BotName,
		MatchesPerHour: e.MatchesPerHour,
		JoinedAt:       e.JoinedAt,
	})
}

func (s *Server) leaveLadder(c *gin.Context) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	botID, err := pathUUID(c, "bot_id")
	if err != nil {
		return err
	}
	bot, err := s.ladderBot(c, botID)
	if err != nil {
		return err
	}
	if err := s.director.LeaveLadder(c.Request.Context(), c.Param("id"), bot.ID, bot.OwnerID); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

// ladderBot is a bot of the caller's, after the ladder of the path.
func (s *Server) ladderBot(c *gin.Context, botID string) (tournament.Bot, error) {
	if _, err := s.ladderOf(c); err != nil {
		return tournament.Bot{}, err
	}
	bot, err := s.store.Bot(c.Request.Context(), botID)
	if err == nil && !gate.OwnsBot(c, bot.OwnerID, bot.ID) {
		err = tournament.ErrNotYours
	}
	return bot, err
}
