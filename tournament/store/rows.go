package store

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// The rows of the tables, one struct each, for gorm alone. Optional references are pointers: "" outside is NULL inside.

type userRow struct {
	ID, Name, NameFolded, Role string
	CreatedAt                  time.Time
	DisabledAt                 *time.Time
	DisabledReason             string
}

func (userRow) TableName() string { return "users" }

func (r userRow) user() tournament.User {
	return tournament.User{
		ID: r.ID, Name: r.Name, Role: tournament.Role(r.Role), CreatedAt: utc(r.CreatedAt),
		DisabledAt: utcPtr(r.DisabledAt), DisabledReason: r.DisabledReason,
	}
}

type tokenRow struct {
	ID, UserID, Hash, Note string
	CreatedAt              time.Time
	ExpiresAt, RevokedAt   *time.Time
}

func (tokenRow) TableName() string { return "tokens" }

func newTokenRow(t tournament.Token) tokenRow {
	return tokenRow{t.ID, t.UserID, hex.EncodeToString(t.Hash[:]), t.Note, utc(t.CreatedAt), utcPtr(t.ExpiresAt), utcPtr(t.RevokedAt)}
}

func (r tokenRow) token() (tournament.Token, error) {
	t := tournament.Token{ID: r.ID, UserID: r.UserID, Note: r.Note, CreatedAt: utc(r.CreatedAt), ExpiresAt: utcPtr(r.ExpiresAt), RevokedAt: utcPtr(r.RevokedAt)}
	return t, unhex(t.Hash[:], r.Hash, "token "+r.ID)
}

type botRow struct {
	ID, OwnerID, Name, NameFolded, Status, Reason, VersionID string
	CreatedAt, CheckedAt                                     time.Time
	Passes                                                   int // health checks passed in a row while paused
	TakesChallenges                                          bool
	BannedAt                                                 *time.Time
	Conduct                                                  string
	ConductFrom                                              *time.Time
	PauseCause                                               string
}

func (botRow) TableName() string { return "bots" }

func (r botRow) bot() tournament.Bot {
	return tournament.Bot{
		ID: r.ID, OwnerID: r.OwnerID, Name: r.Name, Status: tournament.BotStatus(r.Status), Reason: r.Reason,
		VersionID: r.VersionID, CreatedAt: utc(r.CreatedAt), BannedAt: utcPtr(r.BannedAt), TakesChallenges: r.TakesChallenges,
		Conduct: tournament.Conduct(r.Conduct), Pause: tournament.PauseCause(r.PauseCause),
	}
}

type versionRow struct {
	ID, BotID                   string
	Number                      int
	URL, Secrets, Author, Build string
	CreatedAt                   time.Time
	WantsText                   bool
	Note                        string
	ParentID                    *string
}

func (versionRow) TableName() string { return "versions" }

func newVersionRow(v tournament.Version) (versionRow, error) {
	secrets, err := json.Marshal(v.Secrets)
	return versionRow{
		ID: v.ID, BotID: v.BotID, Number: v.Number, URL: v.URL, Secrets: string(secrets), Author: v.Author, Build: v.Build,
		CreatedAt: utc(v.CreatedAt), WantsText: v.WantsText, Note: v.Note, ParentID: optional(v.ParentID),
	}, err
}

func (r versionRow) version(games []string) (tournament.Version, error) {
	v := tournament.Version{
		ID: r.ID, BotID: r.BotID, Number: r.Number, URL: r.URL, Author: r.Author, Build: r.Build, Games: games, WantsText: r.WantsText,
		CreatedAt: utc(r.CreatedAt), Note: r.Note, ParentID: required(r.ParentID),
	}
	if err := json.Unmarshal([]byte(r.Secrets), &v.Secrets); err != nil {
		return v, fmt.Errorf("version %s: secrets: %w", r.ID, err)
	}
	return v, nil
}

type versionGameRow struct {
	VersionID string
	Position  int
	Game      string
}

func (versionGameRow) TableName() string { return "version_games" }

// control is the time control and the fault limits, as tournaments, matches and the templates of schedules keep them.
type control struct {
	LimitUS     int64 `gorm:"column:limit_us" json:"limit_us"`
	BankUS      int64 `gorm:"column:bank_us" json:"bank_us"`
	IncrementUS int64 `gorm:"column:increment_us" json:"increment_us"`
	AllowanceUS int64 `gorm:"column:allowance_us" json:"allowance_us"`
	FaultsInRow int   `json:"faults_in_row"`
	FaultsTotal int   `json:"faults_total"`
}

func newControl(c tournament.Clock, l tournament.FaultLimits) control {
	return control{c.Limit.Microseconds(), c.Bank.Microseconds(), c.Increment.Microseconds(), c.Allowance.Microseconds(), l.InRow, l.Total}
}

func (c control) clock() tournament.Clock {
	us := func(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
	return tournament.Clock{Limit: us(c.LimitUS), Bank: us(c.BankUS), Increment: us(c.IncrementUS), Allowance: us(c.AllowanceUS)}
}

func (c control) limits() tournament.FaultLimits {
	return tournament.FaultLimits{InRow: c.FaultsInRow, Total: c.FaultsTotal}
}

type tournamentRow struct {
	ID, Name, OrganiserID, Game, Config, Format string
	TableSize, Cycles                           int
	IsDuplicate, Rated                          bool
	LadderID                                    *string
	Capacity                                    int
	OwnerEntries                                int     `gorm:"column:entries_per_owner"`
	Control                                     control `gorm:"embedded"`
	OpensAt, ClosesAt, StartsAt                 time.Time
	Status, Reason                              string
	CreatedAt                                   time.Time
	StartedAt, EndedAt, PausedAt                *time.Time
	ScheduleID                                  *string
	Number                                      *int
	InviteHash                                  *string
	Options                                     string
	Seed                                        *string
}

func (tournamentRow) TableName() string { return "tournaments" }

func newTournamentRow(t tournament.Tournament) tournamentRow {
	r := tournamentRow{
		ID: t.ID, Name: t.Name, OrganiserID: t.OrganiserID, Game: t.Game, Config: string(t.Config), Format: string(t.Format),
		TableSize: t.Table, Cycles: t.Cycles, IsDuplicate: t.Duplicate, Rated: t.Rated, LadderID: optional(t.LadderID),
		Capacity: t.Capacity, OwnerEntries: t.OwnerEntries, Control: newControl(t.Clock, t.Limits),
		OpensAt: utc(t.OpensAt), ClosesAt: utc(t.ClosesAt), StartsAt: utc(t.StartsAt), Status: string(t.Status), Reason: t.Reason,
		CreatedAt: utc(t.CreatedAt), StartedAt: utcPtr(t.StartedAt), EndedAt: utcPtr(t.EndedAt), PausedAt: utcPtr(t.PausedAt),
		ScheduleID: optional(t.ScheduleID), Options: newOptions(t.Options).text(),
	}
	if t.ScheduleID != "" {
		r.Number = &t.Number
	}
	if t.Seed != (game.Seed{}) {
		r.Seed = new(t.Seed.String())
	}
	if t.Invite.Needed() {
		r.InviteHash = new(hex.EncodeToString(t.Invite[:]))
	}
	return r
}

func (r tournamentRow) tournament() tournament.Tournament {
	t := tournament.Tournament{
		ID: r.ID, Name: r.Name, OrganiserID: r.OrganiserID, Game: r.Game, Config: json.RawMessage(r.Config), Format: tournament.Format(r.Format),
		Table: r.TableSize, Cycles: r.Cycles, Duplicate: r.IsDuplicate, Rated: r.Rated, LadderID: required(r.LadderID),
		Capacity: r.Capacity, OwnerEntries: r.OwnerEntries, Clock: r.Control.clock(), Limits: r.Control.limits(),
		OpensAt: utc(r.OpensAt), ClosesAt: utc(r.ClosesAt), StartsAt: utc(r.StartsAt), Status: tournament.Status(r.Status), Reason: r.Reason,
		CreatedAt: utc(r.CreatedAt), StartedAt: utcPtr(r.StartedAt), EndedAt: utcPtr(r.EndedAt), PausedAt: utcPtr(r.PausedAt),
		ScheduleID: required(r.ScheduleID),
	}
	var o options
	if json.Unmarshal([]byte(r.Options), &o) == nil { // nobody but us writes it
		t.Options = o.options()
	}
	if r.Seed != nil {
		t.Seed, _ = game.ParseSeed(*r.Seed) // the table checks its size; it is hex, or the tournament has luck of no seed
	}
	if r.Number != nil {
		t.Number = *r.Number
	}
	if r.InviteHash != nil {
		t.Invite = inviteOf(*r.InviteHash)
	}
	return t
}

// inviteOf reads the hash of an invitation. What is not one admits nobody.
func inviteOf(text string) tournament.Invite {
	var i tournament.Invite
	if unhex(i[:], text, "invitation") != nil {
		i[0] = 1
	}
	return i
}

// options are those of a format, as tournaments and the templates of schedules keep them: JSON, read and written whole.
type options struct {
	MinTable    int   `json:"min_table,omitempty"`
	Rounds      int   `json:"rounds,omitempty"`
	BestOf      int   `json:"best_of,omitempty"`
	ThirdPlace  bool  `json:"third_place,omitempty"`
	GroupSize   int   `json:"group_size,omitempty"`
	Finalists   int   `json:"finalists,omitempty"`
	LastsUS     int64 `json:"lasts_us,omitempty"`
	LateEntries bool  `json:"late_entries,omitempty"`
	Test        *test `json:"test,omitempty"`
}

// test is that of an sprt.
type test struct {
	Elo0       float64 `json:"elo0"`
	Elo1       float64 `json:"elo1"`
	Alpha      float64 `json:"alpha"`
	Beta       float64 `json:"beta"`
	Normalised bool    `json:"normalised"`
	MaxPairs   int     `json:"max_pairs"`
}

func newOptions(o tournament.FormatOptions) options {
	out := options{
		MinTable: o.MinTable, Rounds: o.Rounds, BestOf: o.BestOf, ThirdPlace: o.ThirdPlace, GroupSize: o.GroupSize, Finalists: o.Finalists,
		LastsUS: o.Lasts.Microseconds(), LateEntries: o.LateEntries,
	}
	if o.Test != (tournament.Test{}) {
		out.Test = new(test(o.Test))
	}
	return out
}

func (o options) options() tournament.FormatOptions {
	out := tournament.FormatOptions{
		MinTable: o.MinTable, Rounds: o.Rounds, BestOf: o.BestOf, ThirdPlace: o.ThirdPlace, GroupSize: o.GroupSize, Finalists: o.Finalists,
		Lasts: time.Duration(o.LastsUS) * time.Microsecond, LateEntries: o.LateEntries,
	}
	if o.Test != nil {
		out.Test = tournament.Test(*o.Test)
	}
	return out
}

func (o options) text() string {
	b, _ := json.Marshal(o) // numbers and booleans always can be written
	return string(b)
}

type ladderRow struct {
	ID, Game         string
	Season           int
	NextSeq, LastSeq int64
	CreatedAt        time.Time
}

func (ladderRow) TableName() string { return "ladders" }

func (r ladderRow) ladder() tournament.Ladder {
	return tournament.Ladder{ID: r.ID, Game: r.Game, Season: r.Season, NextSeq: r.NextSeq, LastSeq: r.LastSeq, CreatedAt: utc(r.CreatedAt)}
}

// columnsOf are the columns of a row behind the name that its table has in a query. Never * for them: a statement that
// Postgres keeps must give the same columns when a migration adds one.
func columnsOf[R any](db *gorm.DB, table string) string {
	stmt := gorm.Statement{DB: db}
	if err := stmt.Parse(new(R)); err != nil { // of our own types: never
		return table + ".*"
	}
	return table + "." + strings.Join(stmt.Schema.DBNames, ", "+table+".")
}

func optional(id string) *string {
	if id == "" {
		return nil
	}
	return &id
}

func required(id *string) string {
	if id == nil {
		return ""
	}
	return *id
}

// unhex fills out from hex text of exactly its size.
func unhex(out []byte, text, what string) error {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(out) {
		return fmt.Errorf("%s: want %d hex digits in the database", what, 2*len(out))
	}
	copy(out, b)
	return nil
}

func each[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = f(a)
	}
	return out
}

// tryEach is each, up to the first error.
func tryEach[A, B any](list []A, f func(A) (B, error)) ([]B, error) {
	out := make([]B, len(list))
	for i, a := range list {
		var err error
		if out[i], err = f(a); err != nil {
			return nil, err
		}
	}
	return out, nil
}
