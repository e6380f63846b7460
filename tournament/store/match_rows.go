package store

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
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

// newMatchRow returns a queued match; what playing fills in stays empty.
func newMatchRow(m tournament.Match, job int64) (matchRow, []seatRow) {
	r := matchRow{
		ID: m.ID, TournamentID: database.Optional(m.TournamentID), Round: m.Round, Block: m.Block, Number: m.Number,
		Game: m.Game, RulesVersion: m.RulesVersion, Config: string(m.Config), Control: newControl(m.Clock, m.Limits),
		Rated: m.Rated, LadderID: database.Optional(m.LadderID), Seed: m.Seed.String(), Nonce: hex.EncodeToString(m.Nonce[:]),
		Status: string(tournament.MatchQueued), JobID: job, CreatedAt: database.UTC(m.CreatedAt), AskerID: database.Optional(m.AskerID),
		ReplayOf: database.Optional(m.ReplayOf), Replay: m.Replay,
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
	return tournament.SourceOf(database.Deref(r.TournamentID), database.Deref(r.LadderID))
}

// match puts a match together; seats are in order.
func (r matchRow) match(seats []seatRow) (tournament.Match, error) {
	m := tournament.Match{
		ID: r.ID, TournamentID: database.Deref(r.TournamentID), Round: r.Round, Block: r.Block, Number: r.Number,
		Game: r.Game, RulesVersion: r.RulesVersion, Config: json.RawMessage(r.Config), Clock: r.Control.clock(), Limits: r.Control.limits(),
		Rated: r.Rated, LadderID: database.Deref(r.LadderID), AskerID: database.Deref(r.AskerID), Status: tournament.MatchStatus(r.Status), Reason: r.Reason,
		Epoch: r.Epoch, Engine: r.Engine, Retired: game.Seats(r.Retired), Steps: r.Steps, Hash: r.Hash,
		CreatedAt: database.UTC(r.CreatedAt), StartedAt: database.UTCPtr(r.StartedAt), EndedAt: database.UTCPtr(r.EndedAt),
		VoidCause: tournament.VoidCause(r.VoidCause), ReplayedAs: database.Deref(r.ReplayedAs), ReplayOf: database.Deref(r.ReplayOf), Replay: r.Replay,
	}
	if r.LadderSeq != nil {
		m.LadderSeq = *r.LadderSeq
	}
	for _, s := range seats {
		m.Seats = append(m.Seats, tournament.MatchSeat{
			Seat: game.Seat(s.Seat), BotID: s.BotID, BotName: s.BotName, VersionID: s.VersionID,
			OwnerID: s.OwnerID, Build: s.Build, Alias: s.Alias, Faults: s.Faults,
			Verdict: tournament.Verdict(database.Deref(s.Verdict)), P95: time.Duration(s.P95US) * time.Microsecond,
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
	if err := database.Unhex(m.Seed[:], r.Seed, "match "+r.ID); err != nil {
		return m, err
	}
	return m, database.Unhex(m.Nonce[:], r.Nonce, "match "+r.ID)
}

// matches adds the seats to the rows, with one query for all.
func matches(db *gorm.DB, rows []matchRow) ([]tournament.Match, error) {
	of := make(map[string][]seatRow, len(rows))
	for start := 0; start < len(rows); start += 500 { // SQLite and Postgres bound the parameters of a statement
		part := rows[start:min(start+500, len(rows))]
		var seats []seatRow
		ids := database.Map(part, func(r matchRow) string { return r.ID })
		if err := db.Where("match_id IN ?", ids).Order("match_id, seat").Find(&seats).Error; err != nil {
			return nil, err
		}
		for _, s := range seats {
			of[s.MatchID] = append(of[s.MatchID], s)
		}
	}
	return database.TryMap(rows, func(r matchRow) (tournament.Match, error) { return r.match(of[r.ID]) })
}
