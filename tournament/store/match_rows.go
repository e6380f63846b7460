package store

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

type matchRow struct {
	ID                   string
	TournamentID         *string
	Round, Block, Number int
	Game                 string
	RulesVersion         int
	Config               string
	Control              control `gorm:"embedded"`
	Rated                bool
	LadderID             *string
	LadderSeq            *int64
	AskerID              *string
	Seed, Nonce          string
	Status, Reason       string
	Epoch                int64
	Engine, Worker       string
	LeaseUntilMS         int64 `gorm:"column:lease_until_ms"`
	JobID                int64
	Result               *string
	Retired, Steps       int
	Hash                 string
	CreatedAt            time.Time
	StartedAt, EndedAt   *time.Time
	VoidCause            string
	ReplayedAs, ReplayOf *string
	Replay               int
}

func (matchRow) TableName() string { return "matches" }

type seatRow struct {
	MatchID                                          string
	Seat                                             int
	BotID, BotName, VersionID, OwnerID, Build, Alias string
	Place                                            *int
	Verdict                                          *string
	Faults                                           int
	P95US                                            int64 `gorm:"column:p95_us"`
	Resets                                           int
	Retired                                          bool
}

func (seatRow) TableName() string { return "match_seats" }

// newMatchRow is a queued match; what playing fills in stays empty.
func newMatchRow(m tournament.Match, job int64) (matchRow, []seatRow) {
	r := matchRow{
		ID: m.ID, TournamentID: optional(m.TournamentID), Round: m.Round, Block: m.Block, Number: m.Number,
		Game: m.Game, RulesVersion: m.RulesVersion, Config: string(m.Config), Control: newControl(m.Clock, m.Limits),
		Rated: m.Rated, LadderID: optional(m.LadderID), Seed: m.Seed.String(), Nonce: hex.EncodeToString(m.Nonce[:]),
		Status: string(tournament.MatchQueued), JobID: job, CreatedAt: utc(m.CreatedAt), AskerID: optional(m.AskerID),
		ReplayOf: optional(m.ReplayOf), Replay: m.Replay,
	}
	if m.LadderSeq > 0 {
		r.LadderSeq = &m.LadderSeq
	}
	seats := make([]seatRow, len(m.Seats))
	for i, s := range m.Seats {
		seats[i] = seatRow{
			MatchID: m.ID, Seat: int(s.Seat), BotID: s.BotID, BotName: s.BotName, VersionID: s.VersionID,
			OwnerID: s.OwnerID, Build: s.Build, Alias: s.Alias,
		}
	}
	return r, seats
}

func (r matchRow) source() tournament.Source {
	return tournament.SourceOf(required(r.TournamentID), required(r.LadderID))
}

// match puts a match together; seats are in order.
func (r matchRow) match(seats []seatRow) (tournament.Match, error) {
	m := tournament.Match{
		ID: r.ID, TournamentID: required(r.TournamentID), Round: r.Round, Block: r.Block, Number: r.Number,
		Game: r.Game, RulesVersion: r.RulesVersion, Config: json.RawMessage(r.Config), Clock: r.Control.clock(), Limits: r.Control.limits(),
		Rated: r.Rated, LadderID: required(r.LadderID), AskerID: required(r.AskerID), Status: tournament.MatchStatus(r.Status), Reason: r.Reason,
		Epoch: r.Epoch, Engine: r.Engine, Retired: game.Seats(r.Retired), Steps: r.Steps, Hash: r.Hash, //nolint:gosec // checked by the table
		CreatedAt: utc(r.CreatedAt), StartedAt: utcPtr(r.StartedAt), EndedAt: utcPtr(r.EndedAt),
		VoidCause: tournament.VoidCause(r.VoidCause), ReplayedAs: required(r.ReplayedAs), ReplayOf: required(r.ReplayOf), Replay: r.Replay,
	}
	if r.LadderSeq != nil {
		m.LadderSeq = *r.LadderSeq
	}
	for _, s := range seats {
		m.Seats = append(m.Seats, tournament.MatchSeat{
			Seat: game.Seat(s.Seat), BotID: s.BotID, BotName: s.BotName, VersionID: s.VersionID, //nolint:gosec // 0..15
			OwnerID: s.OwnerID, Build: s.Build, Alias: s.Alias, Faults: s.Faults,
			Verdict: tournament.Verdict(required(s.Verdict)), P95: time.Duration(s.P95US) * time.Microsecond,
		})
		if s.Place != nil {
			m.Rank = append(m.Rank, *s.Place)
		}
	}
	if r.Result != nil {
		m.Result = new(game.Result)
		if err := json.Unmarshal([]byte(*r.Result), m.Result); err != nil {
			return m, fmt.Errorf("match %s: result: %w", r.ID, err)
		}
	}
	if err := unhex(m.Seed[:], r.Seed, "match "+r.ID); err != nil {
		return m, err
	}
	return m, unhex(m.Nonce[:], r.Nonce, "match "+r.ID)
}

// matches adds the seats to the rows, with one query for all.
func matches(db *gorm.DB, rows []matchRow) ([]tournament.Match, error) {
	of := make(map[string][]seatRow, len(rows))
	for start := 0; start < len(rows); start += 500 { // SQLite and Postgres bound the parameters of a statement
		part := rows[start:min(start+500, len(rows))]
		var seats []seatRow
		ids := each(part, func(r matchRow) string { return r.ID })
		if err := db.Where("match_id IN ?", ids).Order("match_id, seat").Find(&seats).Error; err != nil {
			return nil, err
		}
		for _, s := range seats {
			of[s.MatchID] = append(of[s.MatchID], s)
		}
	}
	return tryEach(rows, func(r matchRow) (tournament.Match, error) { return r.match(of[r.ID]) })
}

type decisionRow struct {
	MatchID                                            string
	Step, Seat                                         int
	Action, Say, DecidedBy, Why, Clock                 string
	Fault, Reason, Memo, Debug, Build, SentAhead, Hash string
	RecordedMS                                         int64 `gorm:"column:recorded_ms"`
}

func (decisionRow) TableName() string { return "decisions" }

func (r decisionRow) decision() (runner.Decision, error) {
	d := runner.Decision{
		Turn:  replay.Turn{Seat: game.Seat(r.Seat), Action: json.RawMessage(r.Action), Say: r.Say, By: r.DecidedBy, Why: r.Why}, //nolint:gosec // 0..15
		Fault: r.Fault, Reason: r.Reason, Memo: r.Memo, Debug: r.Debug, Build: r.Build,
	}
	if r.Clock != "" {
		d.Clock = json.RawMessage(r.Clock)
	}
	if r.SentAhead != "" {
		if err := json.Unmarshal([]byte(r.SentAhead), &d.Then); err != nil {
			return d, fmt.Errorf("match %s step %d seat %d: sent ahead: %w", r.MatchID, r.Step, r.Seat, err)
		}
	}
	return d, nil
}

// steps puts recorded steps together from rows in order.
func steps(rows []decisionRow) ([]runner.Step, error) {
	var out []runner.Step
	for _, r := range rows {
		if len(out) == 0 || out[len(out)-1].Step != r.Step {
			s := runner.Step{Step: r.Step}
			if r.Hash != "" { // else it was not read
				if err := unhex(s.Hash[:], r.Hash, "match "+r.MatchID); err != nil {
					return nil, err
				}
			}
			out = append(out, s)
		}
		d, err := r.decision()
		if err != nil {
			return nil, err
		}
		last := &out[len(out)-1]
		last.Turns = append(last.Turns, d)
	}
	return out, nil
}
