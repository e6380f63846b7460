package matches

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating/sprt"
	"github.com/molerun/molerun/tournament/runner"
)

// MaxGames bounds a series.
const MaxGames = 1_000_000

// Who meets whom, two by two.
const (
	RoundRobin = "round_robin" // every two bots
	Gauntlet   = "gauntlet"    // the first bot each other
)

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
	Fill         string          `json:"fill"` // who sits in the seats that are left; "": nobody, each of two bots has all seats of a team
	Games        int             `json:"games"`
	Seed         uint64          `json:"seed"`
	Rotate       bool            `json:"rotate"`             // by blocks of as many games as seats everybody goes round the seats
	Meetings     string          `json:"meetings,omitempty"` // who meets whom at a table: "", all at every table; [RoundRobin] or [Gauntlet]
	Paired       bool            `json:"paired,omitempty"`   // the games of a block are on one deal; false: on a deal each, as on a platform
	LimitMS      int64           `json:"limit_ms"`
	BankMS       int64           `json:"bank_ms"`
	Beliefs      bool            `json:"beliefs,omitempty"` // turns ask what bots believe of that which they cannot see
	Test         *Test           `json:"test"`              // of the first bot against the second, by pairs of games; null: just play
	Patient      bool            `json:"patient,omitempty"` // nobody retires, however many faults there are
	Luckless     bool            `json:"-"`                 // nobody looks at points without luck, and they are not computed

	engine game.Engine // of its game, once it is settled or read
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
// the number of seats if it is 0.
func (s *Series) Settle(e game.Engine) error {
	info := e.Info()
	s.engine = e
	if s.Seats == 0 {
		s.Seats = max(info.MinSeats, len(s.Bots))
		if s.Meetings != "" {
			s.Seats = max(info.MinSeats, 2)
		}
	}
	s.Paired = s.Paired && (s.Rotate || s.Test != nil)
	if s.Fill == "" && !(s.teams() && s.Paired && s.couples() != nil) {
		s.Fill = "random"
	}
	switch {
	case s.Seats < info.MinSeats || s.Seats > info.MaxSeats:
		return fmt.Errorf("%s is for %s seats, not %d", info.ID, info.Sizes(), s.Seats)
	case s.Meetings != "" && len(s.Bots) < 2:
		return fmt.Errorf("a %s has two bots or more, not %d", strings.ReplaceAll(s.Meetings, "_", " "), len(s.Bots))
	case s.Meetings != "" && !s.Rotate:
		return fmt.Errorf("in a %s bots change seats: leave --rotate=false out", strings.ReplaceAll(s.Meetings, "_", " "))
	case len(s.Bots) < 1 || len(s.Bots) > s.Seats && s.Meetings == "":
		return fmt.Errorf("%s for %d seats", game.Plural(len(s.Bots), "bot"), s.Seats)
	case s.Test != nil && len(s.Bots) != 2:
		return fmt.Errorf("a test compares two bots, not %d", len(s.Bots))
	case s.Games < 1 || s.Games > MaxGames:
		return fmt.Errorf("%d games; want 1 to %d", s.Games, MaxGames)
	case (s.Test != nil || s.Meetings != "") && s.Games%2 != 0:
		return fmt.Errorf("%d games; in pairs of them the bots change seats: want an even number", s.Games)
	}
	if s.Test != nil {
		if _, err := sprt.Test(*s.Test).LLR(sprt.Pairs()); err != nil {
			return err
		}
	}
	if err := tournament.SourceTournament.Bounds().Check(s.clock(), tournament.DefaultFaultLimits()); err != nil {
		return err
	}
	var err error
	if s.Config, err = e.Configure(s.Config, s.Seats); err != nil {
		return err
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
	ms := func(n int64) time.Duration { return time.Duration(min(max(n, -1), 1e12)) * time.Millisecond } // out of bounds stays out of bounds
	c.Limit, c.Bank = ms(s.LimitMS), ms(s.BankMS)
	return c
}

// teams reports whether the game has hidden teams.
func (s *Series) teams() bool { return s.engine.Info().Teams }

// limits returns how many faults a seat may have before it retires.
func (s *Series) limits() tournament.FaultLimits {
	if s.Patient {
		return tournament.FaultLimits{InRow: math.MaxInt, Total: math.MaxInt}
	}
	return tournament.DefaultFaultLimits()
}

// couples returns the bots that meet two by two; nil where all sit at every table.
func (s *Series) couples() [][2]int {
	var list [][2]int
	for i := range s.Bots {
		for j := i + 1; j < len(s.Bots) && (s.Meetings == RoundRobin || s.Meetings == Gauntlet && i == 0); j++ {
			list = append(list, [2]int{i, j})
		}
	}
	if s.Meetings != "" {
		return list
	}
	if s.Test != nil || s.teams() && s.Paired && len(s.Bots) == 2 {
		return [][2]int{{0, 1}}
	}
	return nil
}

// Couples returns how many couples of bots meet two by two, at least 1.
func (s *Series) Couples() int { return max(1, len(s.couples())) }

// filler returns the index in the field of who fills the seats that are left; -1 if there are none.
func (s *Series) filler() int {
	if s.Fill == "" || s.couples() == nil && len(s.Bots) == s.Seats || s.couples() != nil && s.Seats == 2 {
		return -1
	}
	return len(s.Bots)
}

// Block returns how many games in a row belong together: in them everybody has the same seats.
func (s *Series) Block() int {
	switch {
	case s.couples() != nil:
		return 2
	case s.Rotate:
		return s.Seats
	}
	return 1
}

// fixture is one match of a series.
type fixture struct {
	number  int   // from 0
	players []int // by seat: an index into the field
	seed    game.Seed
	nonce   [16]byte
}

// fixture plans a match. It depends on the series and the number alone.
func (s *Series) fixture(number int) (fixture, error) {
	at, deal := number%s.Block(), number
	if s.Paired || s.engine.Info().OneDeal {
		deal -= at
	}
	f := fixture{number: number}
	fill(game.Stream(house.Seed(s.Seed), deal, "deals"), f.seed[:])
	fill(game.Stream(house.Seed(s.Seed), number, "nonce"), f.nonce[:])
	couples := s.couples()
	if couples == nil {
		f.players = make([]int, s.Seats)
		for entry := range f.players {
			f.players[(entry+at)%s.Seats] = min(entry, len(s.Bots))
		}
		return f, nil
	}
	block := number / 2
	sides, err := s.sides(f.seed, block/len(couples))
	for _, side := range sides {
		player := len(s.Bots)
		if side < 2 {
			player = couples[block%len(couples)][side^at]
		}
		f.players = append(f.players, player)
	}
	return f, err
}

func fill(r *game.Rand, b []byte) {
	for i := range b {
		b[i] = byte(r.IntN(256))
	}
}

// sides returns where the two of a couple sit in the round-th of their blocks, by seat: 0 the first, 1 the second, 2 a filler. Over the
// blocks they go through all pairs of seats. On a deal of hidden teams that both play they are on different ones.
func (s *Series) sides(seed game.Seed, round int) ([]int, error) {
	var teams []string
	if s.teams() && s.Paired {
		table, _, err := s.engine.New(s.Config, s.Seats, seed)
		if err != nil {
			return nil, err
		}
		teams = table.Teams()
	}
	sides := make([]int, s.Seats)
	if s.Fill == "" && teams != nil {
		for seat, team := range teams {
			if team != teams[0] {
				sides[seat] = 1
			}
		}
		return sides, nil
	}
	var pairs [][2]int
	for x := range s.Seats {
		for y := x + 1; y < s.Seats; y++ {
			if teams == nil || teams[x] != teams[y] {
				pairs = append(pairs, [2]int{x, y})
			}
		}
	}
	for seat := range sides {
		sides[seat] = 2
	}
	for side, seat := range pairs[round%len(pairs)] {
		sides[seat] = side
	}
	return sides, nil
}

// spec returns the match as the runner plays it.
func (s *Series) spec(f fixture, program string, bots []Bot) runner.Spec {
	m := tournament.Match{
		ID: fmt.Sprintf("local-%s-%d", s.Run, f.number+1), Game: s.Game, RulesVersion: s.RulesVersion, Engine: program, Config: s.Config,
		Seed: f.seed, Nonce: f.nonce, Clock: s.clock(), Limits: s.limits(), Beliefs: s.Beliefs,
	}
	for seat, p := range f.players {
		m.Seats = append(m.Seats, tournament.MatchSeat{Alias: fmt.Sprintf("seat-%d", seat), BotName: bots[p].Name, Build: bots[p].Build})
	}
	return runner.SpecOf(m, s.engine, nil)
}
