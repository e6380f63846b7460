package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

// Clock is a time control.
type Clock struct {
	LimitMS            int64 `json:"limit_ms" example:"1000"`            // free per decision, 10 to 60 000
	BankMS             int64 `json:"bank_ms" example:"10000"`            // per match, used once the limit is passed, at most 600 000
	IncrementMS        int64 `json:"increment_ms" example:"0"`           // added to the bank after each decision, at most 60 000
	NetworkAllowanceMS int64 `json:"network_allowance_ms" example:"150"` // of round trip forgiven per decision, at most 1000
} // @name Clock

// FaultLimits is how many faults retire a seat.
type FaultLimits struct {
	InRow int `json:"max_faults_in_row" example:"3"`
	Total int `json:"max_faults" example:"10"`
} // @name FaultLimits

// FormatOptions are what only some formats know; what is left out takes the format's default.
type FormatOptions struct {
	MinTable    int   `json:"min_table_size,omitempty"` // larger tables: the fewest seats at which one is played when entries are missing; only full ones if left out
	Rounds      int   `json:"rounds,omitempty"`         // swiss
	BestOf      int   `json:"best_of,omitempty"`        // elimination at tables of two: most games of a tie; even with duplicate
	ThirdPlace  bool  `json:"third_place,omitempty"`    // single_elimination at tables of two
	GroupSize   int   `json:"group_size,omitempty"`     // groups: most entries of one; one group if left out
	Finalists   int   `json:"finalists,omitempty"`      // groups: how many play the final; one table if left out
	LastsMS     int64 `json:"lasts_ms,omitempty"`       // arena: how long new matches are made, 1000 to 86 400 000
	LateEntries bool  `json:"late_entries,omitempty"`   // swiss, arena: bots may enter after the start; a swiss takes them during its first half
	// sprt: is the first entry stronger than the second by elo0 or less (H0), or by elo1 or more (H1)? Both left out: 0 and 30.
	Elo0       float64 `json:"elo0,omitempty"`
	Elo1       float64 `json:"elo1,omitempty"`
	Alpha      float64 `json:"alpha,omitempty"`      // sprt: chance of a wrong H1; 0.05 if left out
	Beta       float64 `json:"beta,omitempty"`       // sprt: chance of a wrong H0; 0.05 if left out
	Normalised bool    `json:"normalised,omitempty"` // sprt: elo0 and elo1 are normalised Elo
	MaxPairs   int     `json:"max_pairs,omitempty"`  // sprt: it ends undecided after so many pairs of matches; 1000 if left out
} // @name FormatOptions

func optionsDTO(o tournament.FormatOptions) *FormatOptions {
	if o == (tournament.FormatOptions{}) {
		return nil
	}
	x := o.Test
	return &FormatOptions{
		o.MinTable, o.Rounds, o.BestOf, o.ThirdPlace, o.GroupSize, o.Finalists, o.Lasts.Milliseconds(), o.LateEntries,
		x.Elo0, x.Elo1, x.Alpha, x.Beta, x.Normalised, x.MaxPairs,
	}
}

func (o *FormatOptions) options() tournament.FormatOptions {
	if o == nil {
		return tournament.FormatOptions{}
	}
	return tournament.FormatOptions{
		MinTable: o.MinTable, Rounds: o.Rounds, BestOf: o.BestOf, ThirdPlace: o.ThirdPlace, GroupSize: o.GroupSize, Finalists: o.Finalists,
		Lasts: milliseconds(o.LastsMS), LateEntries: o.LateEntries,
		Test: tournament.Test{Elo0: o.Elo0, Elo1: o.Elo1, Alpha: o.Alpha, Beta: o.Beta, Normalised: o.Normalised, MaxPairs: o.MaxPairs},
	}
}

// TournamentTemplate is what is said of a tournament but for its times.
type TournamentTemplate struct {
	Name       string          `json:"name" example:"Friday Cup" maxLength:"80"` // of a schedule: {number} becomes 1, 2, … and {date} the day of the start
	Game       string          `json:"game" example:"molehill"`
	Config     json.RawMessage `json:"config,omitempty" swaggertype:"object"` // see the game's config schema; the base variant if left out
	Table      int             `json:"table_size" example:"2"`                // seats per match
	Format     string          `json:"format" enums:"round_robin,swiss,single_elimination,double_elimination,gauntlet,groups,arena,sprt"`
	Cycles     int             `json:"cycles" example:"1"` // how often everybody meets everybody
	Duplicate  bool            `json:"duplicate"`          // every line-up goes round the seats; each match has a deal of its own, but in molehill, where it is all the luck and public, they share one
	Rated      bool            `json:"rated"`
	Capacity   int             `json:"capacity" example:"8"`                    // most entries
	PerOwner   int             `json:"entries_per_owner,omitempty" example:"1"` // most entries of one owner; if left out 1 where rated, else no bound
	Clock      *Clock          `json:"clock,omitempty"`
	Faults     *FaultLimits    `json:"fault_limits,omitempty"`
	Options    *FormatOptions  `json:"format_options,omitempty"`
	InviteOnly bool            `json:"invite_only,omitempty"` // entries need a code, which the answer to this request tells once
} // @name TournamentTemplate

// TournamentCreate announces a tournament.
type TournamentCreate struct {
	TournamentTemplate
	OpensAt  time.Time `json:"opens_at" format:"date-time"` // registration
	ClosesAt time.Time `json:"closes_at" format:"date-time"`
	StartsAt time.Time `json:"starts_at" format:"date-time"`
} // @name TournamentCreate

// Tournament is a scheduled event of one game.
type Tournament struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	OrganiserID string          `json:"organiser_id"`
	Game        string          `json:"game"`
	Config      json.RawMessage `json:"config" swaggertype:"object"`
	Table       int             `json:"table_size"`
	Format      string          `json:"format" enums:"round_robin,swiss,single_elimination,double_elimination,gauntlet,groups,arena,sprt"`
	Cycles      int             `json:"cycles"`
	Options     *FormatOptions  `json:"format_options,omitempty"`
	Duplicate   bool            `json:"duplicate"`
	Rated       bool            `json:"rated"`
	LadderID    string          `json:"ladder,omitempty"`
	Capacity    int             `json:"capacity"`
	PerOwner    int             `json:"entries_per_owner,omitempty"` // most entries of one owner; left out of tournaments announced without a bound
	Expected    int             `json:"matches_at_capacity"`         // how many matches a full field plays at most; 0 for an arena
	Clock       Clock           `json:"clock"`
	Faults      FaultLimits     `json:"fault_limits"`
	OpensAt     time.Time       `json:"opens_at" format:"date-time"`
	ClosesAt    time.Time       `json:"closes_at" format:"date-time"`
	StartsAt    time.Time       `json:"starts_at" format:"date-time"`
	Status      string          `json:"status" enums:"scheduled,running,finished,cancelled"`
	Reason      string          `json:"reason,omitempty"` // why it was cancelled, or ended before its plan; of an sprt how
	CreatedAt   time.Time       `json:"created_at" format:"date-time"`
	StartedAt   *time.Time      `json:"started_at,omitempty" format:"date-time"`
	EndedAt     *time.Time      `json:"ended_at,omitempty" format:"date-time"`
	PausedAt    *time.Time      `json:"paused_at,omitempty" format:"date-time"` // since when no new match begins
	InviteOnly  bool            `json:"invite_only"`
	InviteCode  string          `json:"invite_code,omitempty"` // in the answer that made it, and never again
	ScheduleID  string          `json:"schedule_id,omitempty"` // the schedule that made it
	Number      int             `json:"number,omitempty"`      // of that schedule's tournaments: 1, 2, …
} // @name Tournament

// CancelRequest says why something is cancelled, banned, disabled or made void.
type CancelRequest struct {
	Reason string `json:"reason" maxLength:"200"`
} // @name CancelRequest

// readReason is the reason in the body of a [CancelRequest].
func readReason(c *gin.Context) (string, error) {
	in, err := read[CancelRequest](c)
	if err != nil {
		return "", err
	}
	return in.Reason, tournament.CheckText("/reason", in.Reason, tournament.MaxReason)
}

func clockDTO(c tournament.Clock) Clock {
	return Clock{c.Limit.Milliseconds(), c.Bank.Milliseconds(), c.Increment.Milliseconds(), c.Allowance.Milliseconds()}
}

// clock is the domain's clock; numbers far out of bounds are kept in bounds of arithmetic, so that Validate refuses them.
func (c Clock) clock() tournament.Clock {
	ms := func(n int64) time.Duration { return time.Duration(min(max(n, -1), 1<<31)) * time.Millisecond }
	return tournament.Clock{Limit: ms(c.LimitMS), Bank: ms(c.BankMS), Increment: ms(c.IncrementMS), Allowance: ms(c.NetworkAllowanceMS)}
}

func tournamentDTO(t tournament.Tournament) Tournament {
	expected, err := matchesAtCapacity(t)
	if err != nil {
		expected = 0
	}
	return Tournament{
		ID: t.ID, Name: t.Name, OrganiserID: t.OrganiserID, Game: t.Game, Config: t.Config, Table: t.Table, Format: string(t.Format),
		Cycles: t.Cycles, Options: optionsDTO(t.Options), Duplicate: t.Duplicate, Rated: t.Rated, LadderID: t.LadderID, Capacity: t.Capacity, PerOwner: t.OwnerEntries, Expected: expected,
		Clock: clockDTO(t.Clock), Faults: FaultLimits{t.Limits.InRow, t.Limits.Total},
		OpensAt: t.OpensAt, ClosesAt: t.ClosesAt, StartsAt: t.StartsAt, Status: string(t.Status), Reason: t.Reason,
		CreatedAt: t.CreatedAt, StartedAt: t.StartedAt, EndedAt: t.EndedAt, PausedAt: t.PausedAt,
		InviteOnly: t.Invite.Needed(), ScheduleID: t.ScheduleID, Number: t.Number,
	}
}

// matchesAtCapacity is the most matches that a full field makes.
func matchesAtCapacity(t tournament.Tournament) (int, error) {
	return pairing.Matches(t.Capacity, pairing.SettingsOf(t, game.Info{}))
}

// draft makes the tournament that is asked for; check sees to its times, and looks at all but the number of matches and the
// configuration.
func (s *Server) draft(in TournamentTemplate, organiser string, check func(*tournament.Tournament, game.Info) error) (tournament.Tournament, error) {
	t := tournament.Tournament{
		Name: in.Name, OrganiserID: organiser, Game: in.Game, Format: tournament.Format(in.Format), Table: in.Table, Cycles: in.Cycles,
		Options: in.Options.options(), Duplicate: in.Duplicate, Rated: in.Rated, Capacity: in.Capacity, OwnerEntries: in.PerOwner, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
		Status: tournament.Scheduled,
	}
	if in.Clock != nil {
		t.Clock = in.Clock.clock()
	}
	if in.Faults != nil {
		t.Limits = tournament.FaultLimits{InRow: in.Faults.InRow, Total: in.Faults.Total}
	}
	engine, ok := s.find(in.Game)
	if !ok {
		return t, &tournament.FieldError{Pointer: "/game", Reason: "names no game; /v1/games lists them"}
	}
	if err := check(&t, engine.Info()); err != nil {
		return t, err
	}
	count, err := matchesAtCapacity(t)
	if err != nil {
		return t, &tournament.FieldError{Pointer: "/capacity", Reason: err.Error()}
	}
	if count > s.limits.Matches {
		return t, &tournament.FieldError{Pointer: "/capacity", Reason: fmt.Sprintf("a full field would play %d matches, more than %d: lower capacity, cycles, rounds or max_pairs", count, s.limits.Matches)}
	}
	if t.Config, err = engine.Configure(in.Config, in.Table); err != nil {
		return t, configError(err)
	}
	for seats := in.Table - 1; t.Options.MinTable > 0 && seats >= t.Options.MinTable; seats-- {
		if _, err := engine.Configure(t.Config, seats); err != nil {
			return t, &tournament.FieldError{Pointer: "/format_options/min_table_size", Reason: fmt.Sprintf("a table of %d cannot be played: %v", seats, err)}
		}
	}
	return t, nil
}

// configError points into the configuration.
func configError(err error) error {
	var form *strict.Error
	if errors.As(err, &form) {
		return &tournament.FieldError{Pointer: "/config" + form.Pointer, Reason: form.Reason}
	}
	_, reason := game.Code(err)
	return &tournament.FieldError{Pointer: "/config", Reason: reason}
}

// @Summary	Announce a tournament
// @Description	For organisers. Everything is checked now, the configuration against the game's rules too; matches_at_capacity
// @Description	tells how many matches a full field plays at most. With invite_only the answer tells the code, once.
// @Tags		tournaments
// @Security	Bearer
// @Accept		json
// @Param		body	body		TournamentCreate	true	"the tournament"
// @Success	201		{object}	Tournament
// @Failure	403		{object}	Problem
// @Failure	409		{object}	Problem
// @Failure	413		{object}	Problem
// @Failure	415		{object}	Problem
// @Failure	422		{object}	Problem
// @Router		/v1/tournaments [post]
func (s *Server) createTournament(c *gin.Context) error {
	in, err := read[TournamentCreate](c)
	if err != nil {
		return err
	}
	t, err := s.draft(in.TournamentTemplate, userID(c), func(t *tournament.Tournament, info game.Info) error {
		t.OpensAt, t.ClosesAt, t.StartsAt = in.OpensAt.UTC(), in.ClosesAt.UTC(), in.StartsAt.UTC()
		return t.Check(info, s.now())
	})
	if err != nil {
		return err
	}
	var code string
	if in.InviteOnly {
		if code, t.Invite, err = tournament.NewInvite(s.rand); err != nil {
			return err
		}
	}
	if t, err = s.director.CreateTournament(s.store.WithQuota(c.Request.Context(), t.OrganiserID, store.Tournaments, s.limits.Tournaments), t); err != nil {
		return err
	}
	c.Header("Location", "/v1/tournaments/"+t.ID)
	out := tournamentDTO(t)
	out.InviteCode = code
	return s.send(c, http.StatusCreated, out)
}

// @Summary	All tournaments
// @Tags		tournaments
// @Param		game	query		string	false	"only this game"
// @Param		status	query		string	false	"scheduled, running, finished or cancelled"
// @Param		schedule	query		string	false	"only those that this schedule made"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	Page[Tournament]
// @Router		/v1/tournaments [get]
func (s *Server) listTournaments(c *gin.Context) error {
	p, err := s.page(c, "game", "status", "schedule")
	if err != nil {
		return err
	}
	f := store.TournamentFilter{}
	if f.ScheduleID, err = uuidFilter(p.filter, "schedule"); err != nil {
		return err
	}
	if f.Game, err = s.gameFilter(p.filter); err != nil {
		return err
	}
	status, err := oneOf(p.filter, "status", string(tournament.Scheduled), string(tournament.Running), string(tournament.Finished), string(tournament.Cancelled))
	if err != nil {
		return err
	}
	f.Status = tournament.Status(status)
	rows, next, err := s.store.Tournaments(c.Request.Context(), f, p.store(store.Newest))
	if err != nil {
		return err
	}
	return sendPage(s, c, p, rows, next, tournamentDTO)
}

// @Summary	One tournament
// @Tags		tournaments
// @Param		id	path		string	true	"id of the tournament"
// @Success	200	{object}	Tournament
// @Failure	404	{object}	Problem
// @Router		/v1/tournaments/{id} [get]
func (s *Server) getTournament(c *gin.Context) error {
	return sendOne(s, c, s.tournamentOf, tournamentDTO)
}

// @Summary	Start a tournament now
// @Description	By its organiser. Makes the first round, or all of a round robin; with too few entries nothing happens and the reason is told.
// @Tags		tournaments
// @Security	Bearer
// @Param		id	path		string	true	"id of the tournament"
// @Success	200	{object}	Tournament
// @Failure	403	{object}	Problem
// @Failure	404	{object}	Problem
// @Failure	409	{object}	Problem
// @Router		/v1/tournaments/{id}/start [post]
func (s *Server) startTournament(c *gin.Context) error {
	return s.changeTournament(c, s.director.Start)
}

// @Summary	Cancel a tournament
// @Description	By its organiser, with a reason that everybody sees. Matches that are not over become void.
// @Tags		tournaments
// @Security	Bearer
// @Accept		json
// @Param		id		path		string			true	"id of the tournament"
// @Param		body	body		CancelRequest	true	"why"
// @Success	200		{object}	Tournament
// @Failure	403		{object}	Problem
// @Failure	404		{object}	Problem
// @Failure	409		{object}	Problem
// @Failure	413		{object}	Problem
// @Failure	415		{object}	Problem
// @Failure	422		{object}	Problem
// @Router		/v1/tournaments/{id}/cancel [post]
func (s *Server) cancelTournament(c *gin.Context) error {
	reason, err := readReason(c)
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
	return s.send(c, http.StatusOK, tournamentDTO(t))
}

// tournamentOf is the tournament the path names.
func (s *Server) tournamentOf(c *gin.Context) (tournament.Tournament, error) {
	return named(c, s.store.Tournament)
}

// myTournament is the caller's tournament that the path names; an administrator may act on all.
func (s *Server) myTournament(c *gin.Context) (tournament.Tournament, error) {
	t, err := s.tournamentOf(c)
	if err == nil && !owns(c, t.OrganiserID) {
		err = tournament.ErrNotYours
	}
	return t, err
}

// parseID reads an id from a body.
func parseID(pointer, text string) (string, error) {
	if id, err := uuid.Parse(text); err != nil || id.String() != text {
		return "", &tournament.FieldError{Pointer: pointer, Reason: "is no id"}
	}
	return text, nil
}
