package director

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/matchmaking"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

// What is hidden in one match must not follow from anything that others hear or have heard. Here whole
// tournaments, ladders and rows of challenges are made by the code that makes them on the platform, the tables are dealt by
// the games' own rules, the results hang on what was dealt, and each match is compared with all that was known before it.

// dealt is a match as it was made, with what its deal hides.
type dealt struct {
	tournament.Match
	block   int     // of the schedule
	entries []int   // by seat
	ranks   []int   // by seat: 0 for the stronger half of the entries, else 1
	classes [][]int // by secret and seat
}

// scene makes the matches of one format of one game, again and again.
type scene struct {
	*Director
	t         *testing.T
	g         secretive
	engine    game.Engine
	format    tournament.Format // or one of those below
	duplicate bool
	luck      *game.Rand                            // of the results and of who is how strong
	plant     func(x *scene, block []*dealt, n int) // a dependence; n matches were made before the block. nil: none
}

// What is no format of a tournament.
const (
	ladder     tournament.Format = "ladder"
	challenges tournament.Format = "challenges"
)

func newScene(t *testing.T, g secretive, format tournament.Format, duplicate bool) *scene {
	key := fmt.Sprint(g.id, format, duplicate)
	source := rand.NewChaCha8(sha256.Sum256([]byte(key)))
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	d := &Director{opts: Options{Rand: source, Engines: catalog.Find}, now: func() time.Time { return start }}
	d.newID = func() (string, error) {
		var id [8]byte
		_, err := source.Read(id[:])
		return fmt.Sprintf("%x", id), err
	}
	engine := must.Get(d.engine(g.id))(t)
	return &scene{Director: d, t: t, g: g, engine: engine, format: format, duplicate: duplicate, luck: game.Stream(game.Seed(sha256.Sum256([]byte(key))), 0, "scene")}
}

// play makes one tournament, or a while of a ladder or of challenges, and returns its matches in the order they were made.
func (x *scene) play() []dealt {
	if x.format == ladder || x.format == challenges {
		return x.asides()
	}
	c := x.contest()
	var err error
	if c.Plan, err = pairing.Plan(c.Contest); err != nil {
		x.t.Fatal(x.format, err)
	}
	var out []dealt
	for len(c.Rounds) < 6 { // an arena and an sprt go on
		step, err := pairing.Next(c.Contest)
		if err != nil {
			x.t.Fatal(x.format, err)
		}
		if step.Status != pairing.Play {
			break
		}
		if c.Plan != nil {
			c.Plan = append(c.Plan, step.Fixed...)
		}
		list, err := x.deal(c, len(c.Rounds)+1, 0, step.Round.Blocks, "")
		if err != nil {
			x.t.Fatal(x.format, err)
		}
		for i := range step.Round.Blocks {
			b := &step.Round.Blocks[i]
			made := make([]dealt, len(b.Games))
			for k, g := range b.Games {
				made[k] = dealt{Match: list[0], block: len(c.Rounds)<<16 + i, entries: g.Seats}
				list = list[1:]
			}
			x.open(made, c.Entries, len(out))
			for k := range b.Games {
				b.Games[k].Result = x.result(made[k])
			}
			out = append(out, made...)
		}
		c.Rounds = append(c.Rounds, step.Round)
	}
	return out
}

// contest returns a tournament about to start, its entries of random strength.
func (x *scene) contest() *contest {
	n, size := 8, 4
	if x.g.seats > 2 {
		n, size = 2*x.g.seats, x.g.seats+1
	}
	switch {
	case x.format == tournament.RoundRobin:
		n = x.g.seats + 2
	case x.format == tournament.Groups:
		n = 2 * size
	case x.format == tournament.SPRT:
		n = 2
	}
	config, err := x.engine.Configure(json.RawMessage(x.g.config), x.g.seats)
	must.OK(x.t, err)
	t := tournament.Tournament{ID: "cup", Game: x.g.id, Config: config, Format: x.format, Table: x.g.seats, Cycles: 1, Duplicate: x.duplicate, StartedAt: new(x.now())}
	t.Options = tournament.FormatOptions{GroupSize: size, Finalists: x.g.seats, LastsMS: time.Hour.Milliseconds()}
	if x.format == tournament.DoubleElimination || x.format == tournament.SingleElimination {
		t.Options = tournament.FormatOptions{}
	}
	t.Seed, err = x.seed()
	must.OK(x.t, err)
	c := &contest{t: t, info: x.engine.Info()}
	c.Settings, c.Seed = pairing.SettingsOf(t, c.info), t.Seed
	for i, strength := range x.luck.Perm(n) {
		name := fmt.Sprint("bot ", i)
		e := store.Entered{
			Entry:  tournament.Entry{BotID: name, BotName: name, OwnerID: name, VersionID: name, Challenger: x.format == tournament.Gauntlet && i < 2},
			Status: tournament.BotActive, SeedMilli: int64(1_400_000 + 10_000*strength),
		}
		c.field, c.Entries = append(c.field, e), append(c.Entries, c.entry(e, time.Time{}))
	}
	return c
}

// asides returns the matches of ten ticks of a ladder, or of a challenge and nine rematches.
func (x *scene) asides() (out []dealt) {
	n := 3 * x.g.seats
	field, bots, entries := make([]tournament.MatchSeat, n), make([]matchmaking.Bot, n), make([]pairing.Entry, n)
	for i, strength := range x.luck.Perm(n) {
		name := fmt.Sprint("bot ", i)
		field[i] = tournament.MatchSeat{BotID: name, BotName: name, OwnerID: name, VersionID: name}
		entries[i].Rating = 1400 + 10*float64(strength)
		bots[i] = matchmaking.Bot{Owner: name, Rating: entries[i].Rating, Deviation: 100}
	}
	for tick := range 10 {
		seats := make([]int, x.g.seats) // of a challenge: everybody one further each time
		for i := range seats {
			seats[(i+tick)%len(seats)] = i
		}
		tables := []matchmaking.Table{{Seats: seats}}
		if x.format == ladder {
			for i := range bots {
				bots[i].Room = 1
			}
			luck, err := x.seed()
			must.OK(x.t, err)
			tables = matchmaking.Tables(bots, matchmaking.Settings{Sizes: []int{x.g.seats}}, game.Stream(luck, 0, "ladder"))
		}
		for _, table := range tables {
			seated := store.Map(table.Seats, func(place int) tournament.MatchSeat { return field[place] })
			m, err := x.newUnratedMatch(x.engine, json.RawMessage(x.g.config), seated)
			must.OK(x.t, err)
			m.Round = tick + 1
			made := []dealt{{Match: m, block: len(out), entries: table.Seats}}
			x.open(made, entries, len(out))
			for seat, points := range x.result(made[0]).Points {
				b := &bots[table.Seats[seat]]
				b.Rating, b.Since, b.Matches = b.Rating+20*(points-.5), int64(tick), b.Matches+1
			}
			out = append(out, made...)
		}
	}
	return out
}

// open reads what the deals of a block hide, after a dependence was planted, if one is. before is how many matches there were.
func (x *scene) open(made []dealt, entries []pairing.Entry, before int) {
	block := make([]*dealt, len(made))
	for i := range made {
		block[i] = &made[i]
		for _, e := range made[i].entries {
			stronger := 0
			for _, other := range entries {
				stronger += btoi(other.Rating > entries[e].Rating)
			}
			made[i].ranks = append(made[i].ranks, btoi(2*stronger >= len(entries)))
		}
	}
	if x.plant != nil {
		x.plant(x, block, before)
	}
	for i := range made {
		made[i].classes = x.classes(made[i].Match)
	}
}

// classes returns the hidden things of a match, and last the aliases of its seats.
func (x *scene) classes(m tournament.Match) [][]int {
	table, _, err := x.engine.New(m.Config, len(m.Seats), m.Seed)
	must.OK(x.t, err)
	out, err := x.g.read(table)
	must.OK(x.t, err)
	names := make([]int, len(m.Seats))
	for seat, s := range m.Seats {
		first, _, _ := strings.Cut(s.Alias, "-")
		names[seat] = slices.Index(adjectives(), first) / 6
	}
	return append(out, names)
}

// result hangs on what was dealt and on luck: who has a lower class does better, in De Mol the whole team.
func (x *scene) result(d dealt) *pairing.Result {
	n := len(d.entries)
	order := x.luck.Perm(n)
	slices.SortStableFunc(order, func(a, b int) int {
		if x.luck.IntN(3) == 0 {
			return 0
		}
		return d.classes[0][a] - d.classes[0][b]
	})
	out := &pairing.Result{Points: make([]float64, n), Score: make([]float64, n)}
	for place, seat := range order {
		out.Points[seat] = 1 - float64(place)/float64(n-1)
	}
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
