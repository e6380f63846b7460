package api

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func optionsDTO(o tournament.FormatOptions) *wire.FormatOptions {
	if o.IsZero() {
		return nil
	}
	x := o.Test
	return &wire.FormatOptions{
		MinTable:    o.MinTable,
		Rounds:      o.Rounds,
		BestOf:      o.BestOf,
		ThirdPlace:  o.ThirdPlace,
		GroupSize:   o.GroupSize,
		Playoff:     string(o.Playoff),
		Finalists:   o.Finalists,
		TieBreaks:   o.TieBreaks,
		LastsMS:     o.Lasts.Milliseconds(),
		LateEntries: o.LateEntries,
		Elo0:        x.Elo0,
		Elo1:        x.Elo1,
		Alpha:       x.Alpha,
		Beta:        x.Beta,
		Normalised:  x.Normalised,
		MaxPairs:    x.MaxPairs,
	}
}

func tournamentDTO(t tournament.Tournament) wire.Tournament {
	expected, err := matchesAtCapacity(t)
	if err != nil {
		expected = 0
	}
	return wire.Tournament{
		ID:          t.ID,
		Name:        t.Name,
		OrganiserID: t.OrganiserID,
		Game:        t.Game,
		Config:      t.Config,
		Table:       t.Table,
		Format:      string(t.Format),
		Cycles:      t.Cycles,
		Options:     optionsDTO(t.Options),
		Duplicate:   t.Duplicate,
		Rated:       t.Rated,
		LadderID:    t.LadderID,
		Capacity:    t.Capacity,
		PerOwner:    t.OwnerEntries,
		Waiting:     t.WaitingList,
		CheckInMS:   t.CheckIn.Milliseconds(),
		Expected:    expected,
		Clock:       live.ClockOf(t.Clock),
		Faults:      wire.FaultLimits{InRow: t.Limits.InRow, Total: t.Limits.Total},
		OpensAt:     t.OpensAt,
		ClosesAt:    t.ClosesAt,
		StartsAt:    t.StartsAt,
		Status:      string(t.Status),
		Reason:      t.Reason,
		CreatedAt:   t.CreatedAt,
		StartedAt:   t.StartedAt,
		EndedAt:     t.EndedAt,
		PausedAt:    t.PausedAt,
		InviteOnly:  t.Invite.Needed(),
		ScheduleID:  t.ScheduleID,
		Number:      t.Number,
		Texts:       wire.Texts(t.Texts),
	}
}

func (s *Server) createTournament(c *gin.Context) error {
	in, err := read[wire.TournamentCreate](c)
	if err != nil {
		return err
	}
	t, err := s.announced(in, gate.UserID(c))
	if err != nil {
		return err
	}
	var code string
	if in.InviteOnly {
		if code, t.Invite, err = tournament.NewInvite(s.rand); err != nil {
			return err
		}
	}
	within := s.store.WithQuota(t.OrganiserID, store.Tournaments, s.limits.Tournaments)
	if t, err = s.director.On(within).CreateTournament(c.Request.Context(), t); err != nil {
		return err
	}
	c.Header("Location", "/v1/tournaments/"+t.ID)
	out := tournamentDTO(t)
	out.InviteCode = code
	return httpx.Send(c, http.StatusCreated, out)
}

func (s *Server) listTournaments(c *gin.Context) error {
	p, err := s.cursors.Page(c, "name", "game", "status", "schedule")
	if err != nil {
		return err
	}
	f := store.TournamentFilter{}
	if f.Name, err = nameFilter(p.Filter); err != nil {
		return err
	}
	if f.ScheduleID, err = uuidFilter(p.Filter, "schedule"); err != nil {
		return err
	}
	if f.Game, err = s.gameFilter(p.Filter); err != nil {
		return err
	}
	status, err := httpx.OneOf(p.Filter, "status", string(tournament.Scheduled), string(tournament.Running), string(tournament.Finished), string(tournament.Cancelled))
	if err != nil {
		return err
	}
	f.Status = tournament.Status(status)
	rows, next, err := s.store.Tournaments(c.Request.Context(), f, pageOf(p, store.Newest))
	if err != nil {
		return err
	}
	return httpx.SendPage(c, p, rows, next, tournamentDTO)
}

func (s *Server) getTournament(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	t, err := s.tournamentOf(c)
	if err != nil {
		return err
	}
	return s.sendTournament(c, t)
}

// sendTournament answers with a tournament as it stands and what is written about it.
func (s *Server) sendTournament(c *gin.Context, t tournament.Tournament) error {
	var err error
	if t.Texts, err = s.store.Texts(c.Request.Context(), t.ID); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, tournamentDTO(t))
}

func (s *Server) startTournament(c *gin.Context) error {
	if c.Request.ContentLength == 0 {
		return s.changeTournament(c, s.director.Start)
	}
	in, err := read[wire.StartRequest](c)
	if err != nil {
		return err
	}
	t, err := s.myTournament(c)
	if err != nil {
		return err
	}
	start := s.director.Start
	if in.Paused {
		start = s.director.StartPaused
	}
	if t, err = start(c.Request.Context(), t.ID); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, tournamentDTO(t))
}

func (s *Server) cancelTournament(c *gin.Context) error {
	reason, err := cancelReason(c)
	if err != nil {
		return err
	}
	t, err := s.myTournament(c)
	if err != nil {
		return err
	}
	if t, err = s.director.Cancel(c.Request.Context(), t.ID, reason); err != nil {
		return err
	}
	return s.sendTournament(c, t)
}

// tournamentOf is the tournament the path names.
func (s *Server) tournamentOf(c *gin.Context) (tournament.Tournament, error) {
	return named(c, s.store.Tournament)
}

// myTournament is the caller's tournament that the path names; an administrator may act on all.
func (s *Server) myTournament(c *gin.Context) (tournament.Tournament, error) {
	t, err := s.tournamentOf(c)
	if err == nil && !gate.Owns(c, t.OrganiserID) {
		err = tournament.ErrNotYours
	}
	return t, err
}

func (s *Server) pauseTournament(c *gin.Context) error {
	return s.changeTournament(c, s.director.PauseTournament)
}

func (s *Server) resumeTournament(c *gin.Context) error {
	return s.changeTournament(c, s.director.ResumeTournament)
}

// changeTournament does to the caller's tournament of the path what needs nothing but its id.
func (s *Server) changeTournament(c *gin.Context, do func(context.Context, string) (tournament.Tournament, error)) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	t, err := s.myTournament(c)
	if err != nil {
		return err
	}
	if t, err = do(c.Request.Context(), t.ID); err != nil {
		return err
	}
	return s.sendTournament(c, t)
}

// setTexts writes what a patch says of texts, if it says it.
func setTexts(to *wire.Texts, p wire.TextsPatch) {
	set(&to.Description, p.Description)
	set(&to.Rules, p.Rules)
	set(&to.Prizes, p.Prizes)
}

func (s *Server) updateTournament(c *gin.Context) error {
	p, err := read[wire.TournamentPatch](c)
	if err != nil {
		return err
	}
	t, err := s.myTournament(c)
	if err != nil {
		return err
	}
	t, err = s.director.Write(c.Request.Context(), t.ID, func(texts *tournament.Texts) {
		is := wire.Texts(*texts)
		setTexts(&is, p.TextsPatch)
		*texts = textsOf(is)
	})
	if err != nil {
		return err
	}
	return s.sendTournament(c, t)
}
