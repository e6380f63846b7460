package house_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
)

func find(t testing.TB, name string) house.Bot {
	t.Helper()
	b, ok := house.Find(name)
	if !ok {
		t.Fatalf("there is no house bot %q", name)
	}
	return b
}

// play plays one match in process: every seat sees only what the wire would show it.
func play(t testing.TB, e game.Engine, config string, seed uint64, seats []kit.Decide) game.Result {
	t.Helper()
	return playDealt(t, e, config, seed, len(seats), func(game.Table) []kit.Decide { return seats })
}

// playDealt lets the players be named when the cards have been dealt.
func playDealt(t testing.TB, e game.Engine, config string, seed uint64, n int, seats func(game.Table) []kit.Decide) game.Result {
	t.Helper()
	canonical, err := e.Configure(json.RawMessage(config), n)
	if err != nil {
		t.Fatal(err)
	}
	table, events, err := e.New(canonical, n, house.Seed(seed))
	if err != nil {
		t.Fatal(err)
	}
	m, err := house.Play(context.Background(), e, canonical, table, events, seats(table))
	if err != nil {
		t.Fatalf("%s %s, %d seats, seed %d: %v", e.Info().ID, config, n, seed, err)
	}
	return m.Result
}

// scale multiplies the matches played at night.
func scale() uint64 {
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		return 10
	}
	return 1
}

// half is a seat's share of a match: 1 for first alone, ½ for a shared first, 0 else.
func half(r game.Result, seat int) float64 {
	first := 0
	for _, rank := range r.Rank {
		if rank == 1 {
			first++
		}
	}
	switch {
	case r.Rank[seat] != 1:
		return 0
	case first > 1:
		return 0.5
	}
	return 1
}

func TestGreedyBeatsRandomAtMoleHill(t *testing.T) {
	e := game.Wrap(molehill.Rules{})
	const want = 0.85
	for config, matches := range map[string]uint64{`{}`: 60 * scale(), `{"flowers":"random"}`: 20 * scale()} {
		points := 0.0
		for seed := range matches {
			me := int(seed % 2)
			seats := []kit.Decide{find(t, "random").Decide(seed), find(t, "random").Decide(seed)}
			seats[me] = find(t, "greedy").Decide(seed)
			points += half(play(t, e, config, seed, seats), me)
		}
		t.Logf("%s: %.3f of the points", config, points/float64(matches))
		if points/float64(matches) < want {
			t.Errorf("%s: greedy makes %.3f of the points, want %.2f", config, points/float64(matches), want)
		}
	}
}

// Three greedy and three random bots sit at each table, rotated through the seats: who is an agent and who a mole is luck.
func TestGreedyIsAboveRandomAtDeMol(t *testing.T) {
	e := game.Wrap(demol.Rules{})
	const margin = 0.05
	for config, deals := range map[string]uint64{
		`{}`: 30 * scale(), `{"targeting":true}`: 20 * scale(), `{"blind_moles":true}`: 20 * scale(),
		`{"plot_cards":true}`: 20 * scale(), `{"plot_cards":true,"targeting":true,"blind_moles":true}`: 20 * scale(),
	} {
		var sum [2]float64
		for seed := range deals {
			for turn := range 6 {
				seats := make([]kit.Decide, 6)
				for i := range seats {
					name := "random"
					if (i+turn)%6 < 3 {
						name = "greedy"
					}
					seats[i] = find(t, name).Decide(seed*100 + uint64(i)) //nolint:gosec // small
				}
				r := play(t, e, config, seed, seats)
				for i := range seats {
					if (i+turn)%6 < 3 {
						sum[0] += r.Points[i]
					} else {
						sum[1] += r.Points[i]
					}
				}
			}
		}
		n := float64(deals * 6 * 3)
		t.Logf("%s: greedy %.3f, random %.3f", config, sum[0]/n, sum[1]/n)
		if sum[0]/n < sum[1]/n+margin {
			t.Errorf("%s: greedy wins %.3f, random %.3f: want %.2f more", config, sum[0]/n, sum[1]/n, margin)
		}
	}
}

// Every house bot plays every variant and table size of its games to the end, whatever it is asked.
func TestHouseBotsPlayEveryVariant(t *testing.T) {
	for _, name := range house.Names() {
		bot, others := find(t, name), find(t, name)
		if name == "searcher" { // it takes long: one seat, and few playouts
			bot, others = house.Searcher(2), find(t, "random")
		}
		played := 0
		for _, e := range catalog.All() {
			info := e.Info()
			if !slices.Contains(bot.Games, info.ID) {
				continue
			}
			played++
			for _, variant := range info.Variants {
				for n := info.MinSeats; n <= info.MaxSeats; n++ {
					for seed := range scale() {
						seats := make([]kit.Decide, n)
						for i := range seats {
							seats[i] = others.Decide(seed)
						}
						seats[int(seed)%n] = bot.Decide(seed)
						if r := play(t, e, string(variant.Config), seed, seats); len(r.Rank) != n {
							t.Errorf("%s, %s, %d seats: result %+v", info.ID, variant.Name, n, r)
						}
					}
				}
			}
		}
		if played < 3 {
			t.Errorf("%s plays %d games of the catalog, want 3 or more", name, played)
		}
	}
}

func TestTheSameTurnGetsTheSameAnswer(t *testing.T) {
	turn := &protocol.Turn{Match: "m", Step: 3, Seat: 1, Game: "demol", Offer: json.RawMessage(`{"list":[{"type":"a"},{"type":"b"},{"type":"c"},{"type":"d"}]}`)}
	other := *turn
	other.Step = 4
	decide := find(t, "random").Decide(7)
	differs := false
	for range 20 {
		first, err := decide(context.Background(), turn)
		if err != nil {
			t.Fatal(err)
		}
		again, err := find(t, "random").Decide(7)(context.Background(), turn)
		if err != nil || *first.Choose != *again.Choose {
			t.Fatalf("first %d, again %d (%v)", *first.Choose, *again.Choose, err)
		}
		other.Step++
		later, err := decide(context.Background(), &other)
		if err != nil {
			t.Fatal(err)
		}
		differs = differs || *later.Choose != *first.Choose
	}
	if !differs {
		t.Error("20 other turns got the same answer too: no luck at all")
	}
}

func TestThereIsNoBotOfAnotherName(t *testing.T) {
	if b, ok := house.Find("alphazero"); ok {
		t.Errorf("found %+v", b)
	}
	for _, name := range house.Names() {
		if b := find(t, name); b.Name != name || b.About == "" || len(b.Kit(1).Games) != len(b.Games) {
			t.Errorf("%s is %+v", name, b)
		}
	}
	if _, err := find(t, "greedy").Decide(1)(context.Background(), &protocol.Turn{Game: "chess"}); err == nil {
		t.Error("greedy decides in chess")
	}
}

// A table of five where seat 1 was caught: it failed a mission alone with the agent who looks. A leader is an agent who
// leads already, a friend a mole who knows the other.
func caught(role, phase, offer string) *protocol.Turn {
	const unplayed = `{"size":3,"fails_needed":1,"result":null,"fails":null,"team":[],"open":{}}`
	leader, known := "3", ""
	switch role {
	case "leader":
		leader, role = "0", "agent"
	case "friend":
		known, role = `"1":"mole"`, "mole"
	}
	return &protocol.Turn{Game: "demol", Seat: 0, Offer: json.RawMessage(`{"list":[` + offer + `]}`), View: json.RawMessage(`{
		"phase":"` + phase + `","round":2,"attempt":2,"leader":` + leader + `,"due":[0],"mission":2,"team":[0,1,2],"talk_left":0,"drawn":[],"deck":6,"discard":[],
		"missions":[{"size":2,"fails_needed":1,"result":"fail","fails":1,"team":[0,1],"open":{}},` + unplayed + `,` + unplayed + `,` + unplayed + `,` + unplayed + `],
		"seats":[{"seat":0,"cards":[]},{"seat":1,"cards":[]},{"seat":2,"cards":[]},{"seat":3,"cards":[]},{"seat":4,"cards":[]}],"open_votes":{},"spotlit":[],"open_mission":{},
		"votes":[],"plays":[],"me":{"seat":0,"role":"` + role + `","known":{` + known + `},"peeks":[],"played":[]}}`)}
}

func TestGreedyDrawsTheConclusionsOfDeMol(t *testing.T) {
	for _, row := range []struct {
		name, role, phase, offer string
		want                     int
	}{
		{"an agent sends nobody it has caught", "agent", "team", `{"type":"team","members":[0,1,2]},{"type":"team","members":[1,2,3]},{"type":"team","members":[0,2,3]}`, 2},
		{"an agent rejects a team with the mole", "agent", "vote", `{"type":"vote","approve":true},{"type":"vote","approve":false}`, 1},
		{"an agent stops it too", "agent", "no_confidence", `{"type":"no_confidence","play":false},{"type":"no_confidence","play":true}`, 1},
		{"an agent looks at the mole's card", "agent", "close_eye", `{"type":"close_eye","at":2},{"type":"close_eye","at":1},{"type":"close_eye","at":null}`, 1},
		{"an agent gives to another", "agent", "give", `{"type":"give","card":"open_up","to":1},{"type":"give","card":"open_up","to":3}`, 1},
		{"an agent takes from the mole", "agent", "take", `{"type":"take","from":1,"card":"no_confidence"},{"type":"take","from":2,"card":"close_eye"}`, 0},
		{"an agent takes the lead", "agent", "strong_leader", `{"type":"strong_leader","play":false},{"type":"strong_leader","play":true}`, 1},
		{"a leader does not", "leader", "strong_leader", `{"type":"strong_leader","play":true},{"type":"strong_leader","play":false}`, 1},
		{"an agent looks at the mole", "agent", "look", `{"type":"look","at":4},{"type":"look","at":1}`, 1},
		{"an agent shows its card to none it has caught", "agent", "show", `{"type":"show","to":1},{"type":"show","to":4}`, 1},
		{"an agent gives what may be held to none it has caught", "agent", "give", `{"type":"give","card":"no_confidence","to":1},{"type":"give","card":"no_confidence","to":4}`, 1},
		{"an agent puts the mole in the spotlight", "agent", "spotlight", `{"type":"spotlight","at":null},{"type":"spotlight","at":2},{"type":"spotlight","at":1}`, 2},
		{"a mole names no mole it knows", "friend", "spotlight", `{"type":"spotlight","at":1},{"type":"spotlight","at":null}`, 1},
		{"a mole shows its card to the mole it knows", "friend", "show", `{"type":"show","to":2},{"type":"show","to":1}`, 1},
		{"a mole gives to the mole it knows", "friend", "give", `{"type":"give","card":"close_eye","to":1},{"type":"give","card":"close_eye","to":3}`, 0},
		{"a mole takes from others", "friend", "take", `{"type":"take","from":1,"card":"close_eye"},{"type":"take","from":3,"card":"no_confidence"}`, 1},
		{"an agent plays success", "agent", "mission", `{"type":"mission","success":true}`, 0},
		{"a mole goes itself", "mole", "team", `{"type":"team","members":[1,2,3]},{"type":"team","members":[0,2,3]}`, 1},
		{"a mole approves its own team", "mole", "vote", `{"type":"vote","approve":false},{"type":"vote","approve":true}`, 1},
		{"a mole fails", "mole", "mission", `{"type":"mission","success":true},{"type":"mission","success":false}`, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			a, err := find(t, "greedy").Decide(1)(context.Background(), caught(row.role, row.phase, row.offer))
			if err != nil || *a.Choose != row.want {
				t.Fatalf("got %+v, %v, want %d", a, err, row.want)
			}
		})
	}
}
