package matches

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating/sprt"
	"github.com/molerun/molerun/tournament/runner"
)

// MaxGames bounds a series.
const MaxGames = 1_000_000

// seriesFormat names the version of the file that keeps a series.
const seriesFormat = "series/1"

// Series is a row of matches: all that decides them but what bots behind URLs answer. The folder of a run keeps it as JSON.
type Series struct {
	Format       string          `json:"format"`
	Run          string          `json:"run"` // what the names of its matches, and so the ids of decisions, begin with
	Game         string          `json:"game"`
	RulesVersion int             `json:"rules_version"`
	Config       json.RawMessage `json:"config"` // canonical
	Seats        int             `json:"seats"`
	Bots         []string        `json:"bots"` // as they were named
	Fill         string          `json:"fill"` // who sits in the seats that are left
	Games        int             `json:"games"`
	Seed         uint64          `json:"seed"`
	Rotate       bool            `json:"rotate"` // by blocks of as many games as seats everybody goes round the seats
	LimitMS      int64           `json:"limit_ms"`
	BankMS       int64           `json:"bank_ms"`
	Test         *Test           `json:"test"` // of the first bot against the second, by pairs of games; null: just play
}

// Test is [sprt.Test] as a series keeps it.
type Test struct {
	Elo0       float64 `json:"elo0"`
	Elo1       float64 `json:"elo1"`
	Alpha      float64 `json:"alpha"`
	Beta       float64 `json:"beta"`
	Normalised bool    `json:"normalised"`
}

// Settle checks a series against the rules of its game and fills in what follows from them: the canonical configuration and
// the number of seats if it is 0. The error is [command.ErrUsage].
func (s *Series) Settle(e game.Engine) error {
	info := e.Info()
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{command.ErrUsage}, args...)...)
	}
	if s.Seats == 0 {
		s.Seats = max(info.MinSeats, len(s.Bots))
	}
	switch {
	case s.Seats < info.MinSeats || s.Seats > info.MaxSeats:
		return refuse("%s is for %d to %d seats, not %d", info.ID, info.MinSeats, info.MaxSeats, s.Seats)
	case len(s.Bots) < 1 || len(s.Bots) > s.Seats:
		return refuse("%d bots for %d seats", len(s.Bots), s.Seats)
	case s.Test != nil && len(s.Bots) != 2:
		return refuse("a test compares two bots, not %d", len(s.Bots))
	case s.Games < 1 || s.Games > MaxGames:
		return refuse("%d games; want 1 to %d", s.Games, MaxGames)
	case s.Test != nil && s.Games%2 != 0:
		return refuse("%d games; a test has pairs of them", s.Games)
	}
	if s.Test != nil {
		if _, err := sprt.Test(*s.Test).LLR(sprt.Pairs()); err != nil {
			return refuse("%w", err)
		}
	}
	if err := tournament.SourceTournament.Bounds().Check(s.clock(), tournament.DefaultFaultLimits()); err != nil {
		return refuse("%w", err)
	}
	var err error
	if s.Config, err = e.Configure(s.Config, s.Seats); err != nil {
		return refuse("%w", err)
	}
	s.Format, s.Game, s.RulesVersion = seriesFormat, info.ID, info.Version
	s.Run = name(s.Game, s.RulesVersion, s.Config, s.Seats, s.Seed)
	return nil
}

// name returns a short name that follows from its parts. Bots take luck from the ids of decisions, which follow from the
// names of matches: if those were drawn, a series would not repeat with its seed. Who plays is no part of it, so that a
// bot has the same luck at another port.
func name(parts ...any) string {
	b, _ := json.Marshal(parts) // numbers, strings and JSON: nothing that could fail
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:6])
}

func (s *Series) clock() tournament.Clock {
	c := tournament.DefaultClock()
	c.Limit, c.Bank = time.Duration(s.LimitMS)*time.Millisecond, time.Duration(s.BankMS)*time.Millisecond
	return c
}

// paired reports whether games 0 and 1, 2 and 3, … are pairs in which the first two bots change seats.
func (s *Series) paired() bool { return s.Test != nil || s.Rotate && s.Seats == 2 }

// fixture is one match of a series.
type fixture struct {
	number  int   // from 0
	players []int // by seat: an index into the bots; len(bots) is the filler
	seed    game.Seed
	nonce   [16]byte
}

// fixture plans a match. It depends on the series and the number alone. Those of a block share a deal if the game allows.
func (s *Series) fixture(e game.Engine, number int) fixture {
	block := s.block(number)
	at, deal := number%len(block), number
	if e.Info().OneDeal {
		deal -= at
	}
	f := fixture{number: number}
	fill(game.Stream(s.master(), deal, "deals"), f.seed[:])
	fill(game.Stream(s.master(), number, "nonce"), f.nonce[:])
	for _, entry := range block[at] {
		f.players = append(f.players, min(entry, len(s.Bots)))
	}
	return f
}

// master returns the seed of everything in the series.
func (s *Series) master() game.Seed {
	var seed game.Seed
	for i := range 8 {
		seed[i] = byte(s.Seed >> (8 * i))
	}
	return seed
}

func fill(r *game.Rand, b []byte) {
	for i := range b {
		b[i] = byte(r.IntN(256))
	}
}

// block returns the games that belong together with this one: by game, who sits in each seat. Entries are bots, then fillers.
func (s *Series) block(number int) [][]int {
	var games [][]int
	if s.Test != nil {
		a := s.pairSeats(number / 2)
		b := slices.Clone(a)
		for i, entry := range a {
			if entry < 2 {
				b[i] = 1 - entry
			}
		}
		return [][]int{a, b}
	}
	rounds := 1
	if s.Rotate {
		rounds = s.Seats
	}
	for shift := range rounds {
		seats := make([]int, s.Seats)
		for entry := range seats {
			seats[(entry+shift)%s.Seats] = entry
		}
		games = append(games, seats)
	}
	return games
}

// pairSeats seats a pair of a test: over the pairs the two go through all pairs of seats.
func (s *Series) pairSeats(pair int) []int {
	seats := make([]int, s.Seats)
	left := pair % (s.Seats * (s.Seats - 1) / 2)
	x := 0
	for ; left >= s.Seats-1-x; x++ {
		left -= s.Seats - 1 - x
	}
	y, next := x+1+left, 2
	for i := range seats {
		switch i {
		case x:
			seats[i] = 0
		case y:
			seats[i] = 1
		default:
			seats[i] = next
			next++
		}
	}
	return seats
}

// spec returns the match as the runner plays it.
func (s *Series) spec(e game.Engine, f fixture, program string, bots []Bot) runner.Spec {
	commitment := f.seed.Commit(f.nonce)
	h := replay.Header{
		Format: replay.Format, Match: fmt.Sprintf("local-%s-%d", s.Run, f.number+1), Game: s.Game, RulesVersion: s.RulesVersion, Engine: program,
		Config: s.Config, Commitment: hex.EncodeToString(commitment[:]),
	}
	for seat, p := range f.players {
		h.Seats = append(h.Seats, replay.Seat{Alias: fmt.Sprintf("seat-%d", seat), Bot: bots[p].Name, Build: bots[p].Build})
	}
	return runner.Spec{Header: h, Engine: e, Seed: f.seed, Clock: s.clock(), Limits: tournament.DefaultFaultLimits()}
}
