package tournament

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
)

// MatchStatus is the state of a match. It only moves forward, except from running back to queued when a worker is lost.
type MatchStatus string

// The states of a match.
const (
	MatchQueued  MatchStatus = "queued"
	MatchRunning MatchStatus = "running"
	MatchDone    MatchStatus = "done"
	MatchVoid    MatchStatus = "void" // a platform fault or a cancelled tournament: nothing is rated
)

// Over reports whether the match is finished or void: it will not change any more.
func (s MatchStatus) Over() bool { return s == MatchDone || s == MatchVoid }

// VoidCause is whose fault it is that a match is void.
type VoidCause string

// VoidByPlatform is our fault. A match without a cause is not void, was voided on purpose, or is older than this field.
const VoidByPlatform VoidCause = "platform"

// MaxReplays is how often a tournament or ladder match that is void by our fault is played again.
const MaxReplays = 3

// ReplayAt returns the earliest time for a replay, counted from 1: the zero time (at once) for the first, later for the others,
// when our fault may have passed.
func ReplayAt(now time.Time, replay int) time.Time {
	switch replay {
	case 1:
		return time.Time{}
	case 2:
		return now.Add(10 * time.Second)
	}
	return now.Add(time.Minute)
}

// Match is one game between bot versions.
type Match struct {
	ID           string
	TournamentID string `gorm:"serializer:null"` // "" outside tournaments
	Round        int    // 1, 2, …; 0 outside tournaments
	Block        int    // within the round: matches of one block share a seed and are rated together
	Number       int    // within the block: 1, 2, …
	Game         string
	RulesVersion int
	Config       json.RawMessage `gorm:"serializer:db"` // canonical
	Clock        Clock           `gorm:"embedded"`
	Limits       FaultLimits     `gorm:"embedded"`
	Beliefs      bool            `gorm:"column:asks_beliefs"` // turns ask what seats believe of that which they cannot see
	Rated        bool            // never if two bots of one owner play
	LadderID     string          `gorm:"serializer:null"` // "" when unrated
	AskerID      string          `gorm:"serializer:null"` // who asked for a challenge match; "" for others
	LadderSeq    int64           `gorm:"serializer:null"` // place in the schedule order of the ladder, from 1; 0 when unrated, beyond [PlacesEnd] while it has none
	Seats        []MatchSeat     `gorm:"-"`
	Seed         game.Seed       `gorm:"serializer:db"`
	Nonce        [16]byte        `gorm:"serializer:db"`
	Status       MatchStatus
	Reason       string // why it is void
	VoidCause    VoidCause
	ReplayedAs   string       `gorm:"serializer:null"` // the match played in place of this void one; "" for none
	ReplayOf     string       `gorm:"serializer:null"` // the first match in this place; "" if it is this one
	Replay       int          // which replay of the first match this is, 1 to MaxReplays; 0 for the first match
	Epoch        int64        // raised with every attempt to play it
	Engine       string       // program and version of the first attempt: part of the record's header; "" before
	Result       *game.Result `gorm:"serializer:db"`
	Rank         []int        `gorm:"-"` // by seat, after retirements
	Retired      game.Seats   // seats whose bot gave up
	Steps        int
	Hash         string // last hash of the record's chain, hex
	CreatedAt    time.Time
	StartedAt    *time.Time
	EndedAt      *time.Time
}

// Commitment returns the hash published before the match starts.
func (m *Match) Commitment() [32]byte { return m.Seed.Commit(m.Nonce) }

// OneOwner reports whether two of the bots belong to one owner. Such a match is not rated, because its result may be agreed.
func (m *Match) OneOwner() bool {
	seen := map[string]bool{}
	for _, s := range m.Seats {
		if seen[s.OwnerID] {
			return true
		}
		seen[s.OwnerID] = true
	}
	return false
}

// ByChallenge reports whether a user asked for the match, who chose its bots and its clock: what a bot does in it is not held against the
// bot, nor in its favour. A guest's match is none: its clock is the platform's.
func (m *Match) ByChallenge() bool { return m.AskerID != "" && m.AskerID != GuestsID }

// First returns the id of the first match in this place.
func (m *Match) First() string { return cmp.Or(m.ReplayOf, m.ID) }

// MatchSeat says who sits where, and under which alias.
type MatchSeat struct {
	Seat      game.Seat
	BotID     string
	BotName   string
	VersionID string
	OwnerID   string
	Build     string
	Alias     string
	Faults    int           // its bot's faults, once the match is done
	Verdict   Verdict       `gorm:"serializer:null"`                // "" before
	Used      claim.Used    `gorm:"embedded;embeddedPrefix:used_"`  // by its bot's own account, once the match is done
	Own       claim.Score   `gorm:"embedded;embeddedPrefix:own_"`   // of its bot's beliefs, once the match is done; 0 beliefs if it gave none, or the match is old
	Rules     claim.Score   `gorm:"embedded;embeddedPrefix:rules_"` // of whoever knew the rules alone, at the same decisions
	P95       time.Duration `gorm:"column:p95_us;serializer:db"`    // 95 % of its bot's own answers took at most this; 0 if it gave none, or the match is old
}

// Verdict is how a match ended for a seat.
type Verdict string

// The verdicts.
const (
	Win  Verdict = "win"
	Draw Verdict = "draw"
	Loss Verdict = "loss"
)

// VerdictOf judges a seat: all points are a win, a shared best place is a draw, anything else a loss. points are the seat's
// in the standings, 0 to 1; place is its rank after retirements.
func VerdictOf(points float64, place int) Verdict {
	switch {
	case points == 1:
		return Win
	case place == 1 && points > 0:
		return Draw
	}
	return Loss
}
