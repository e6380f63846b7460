package tournament

import (
	"encoding/json"
	"time"

	"github.com/molerun/molerun/engines/game"
)

// MatchStatus is where a match stands. It only moves forward, but for running → queued when a worker was lost.
type MatchStatus string

// The states of a match.
const (
	MatchQueued  MatchStatus = "queued"
	MatchRunning MatchStatus = "running"
	MatchDone    MatchStatus = "done"
	MatchVoid    MatchStatus = "void" // a platform fault or a cancelled tournament: nothing is rated
)

// Over tells whether the match will not change any more.
func (s MatchStatus) Over() bool { return s == MatchDone || s == MatchVoid }

// Match is one game between bot versions.
type Match struct {
	ID           string
	TournamentID string // "" outside tournaments
	Round        int    // 1, 2, …; 0 outside tournaments
	Block        int    // within the round: matches of one block share a seed
	Number       int    // within the block: 1, 2, …
	Game         string
	RulesVersion int
	Config       json.RawMessage // canonical
	Clock        Clock
	Limits       FaultLimits
	Rated        bool
	LadderID     string // "" when unrated
	LadderSeq    int64  // place in the schedule order of the ladder, from 1; 0 when unrated
	Seats        []MatchSeat
	Seed         game.Seed
	Nonce        [16]byte
	Status       MatchStatus
	Reason       string // why it is void
	Epoch        int64  // raised by every attempt to play it
	Engine       string // program and version of the first attempt: part of the record's header; "" before
	Result       *game.Result
	Rank         []int      // by seat, after retirements
	Retired      game.Seats // seats whose bot gave up
	Steps        int
	Hash         string // last hash of the record's chain, hex
	CreatedAt    time.Time
	StartedAt    *time.Time
	EndedAt      *time.Time
}

// Commitment is the hash published before the match.
func (m *Match) Commitment() [32]byte { return m.Seed.Commit(m.Nonce) }

// MatchSeat tells who sits where, and under which name for the others.
type MatchSeat struct {
	Seat      game.Seat
	BotID     string
	BotName   string
	VersionID string
	OwnerID   string
	Build     string
	Alias     string
	Faults    int           // its bot's faults, once the match is done
	Verdict   Verdict       // "" before
	P95       time.Duration // what 95 % of its bot's own answers took at most; 0 if it gave none, or the match is old
}
