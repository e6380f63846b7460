package matches

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

const secret = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="

// room returns a room that signs.
func room(t *testing.T) *Room {
	t.Helper()
	r, err := Open(secret, false, 0)
	must.OK(t, err)
	t.Cleanup(r.Close)
	return r
}

// heard keeps the turns a bot was sent.
type heard struct {
	mu    sync.Mutex
	turns [][]byte
}

func (h *heard) take() [][]byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := h.turns
	h.turns = nil
	return out
}

// serve serves a bot with a secret on loopback.
func serve(t *testing.T, gameID string, decide kit.Decide) (url string, h *heard) {
	t.Helper()
	bot, err := kit.Handler(kit.Bot{Name: "mine", Build: "7", Games: map[string]kit.Decide{gameID: decide}, Log: slog.New(slog.DiscardHandler)}, secret)
	must.OK(t, err)
	h = &heard{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var kind struct{ Type string }
		if json.Unmarshal(body, &kind) == nil && kind.Type == protocol.TypeTurn {
			h.mu.Lock()
			h.turns = append(h.turns, body)
			h.mu.Unlock()
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		bot.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/", h
}

// first chooses what stands first in the offer, and counts in its memo.
func first(_ context.Context, t *protocol.Turn) (protocol.Answer, error) {
	return protocol.Answer{Choose: new(int), Memo: t.Memo + "."}, nil
}

// believing chooses as first does, and holds all answers about what is hidden for as likely.
func believing(ctx context.Context, t *protocol.Turn) (protocol.Answer, error) {
	a, err := first(ctx, t)
	a.Belief = claim.Belief{}
	for _, q := range t.Asks {
		a.Belief[q.About] = map[string]float64{}
		for _, answer := range q.Answers {
			a.Belief[q.About][answer] = 1 / float64(len(q.Answers))
		}
	}
	return a, err
}

// record plays one match and reads its record.
func record(t *testing.T, r *Room, s *Series) *replay.Record {
	t.Helper()
	field, err := r.Field(t.Context(), s)
	must.OK(t, err)
	folder, err := Create(t.TempDir(), *s)
	must.OK(t, err)
	var file string
	must.OK(t, r.Run(t.Context(), s, field, folder, "test", 1, func(p Played) (bool, error) { file = p.File; return true, nil }))
	rec, err := Read(file)
	must.OK(t, err)
	return rec
}

func verified(t *testing.T, f Forked) *replay.Record {
	t.Helper()
	var b bytes.Buffer
	must.OK(t, f.Write(&b))
	rec, err := replay.Verify(&b, catalog.Find)
	must.OK(t, err)
	return rec
}

// With bots that are functions of what they see, playing on from any step gives the very match again: all luck to come is the same.
func TestAForkHasTheLuckOfTheMatch(t *testing.T) {
	r := room(t)
	random, _ := house.Find("random") // a function of what it sees
	url, _ := serve(t, "cia", random.Decide(1))
	s, _ := settled(t, Series{Game: "cia", Bots: []string{url, url}, Games: 1, Config: []byte(`{"top_secret":true}`)})
	rec := record(t, r, s)
	last := len(rec.Steps) - 1
	for _, at := range []int{0, 1, last / 2, last - 1} {
		f, err := r.Fork(t.Context(), rec, Fork{At: at, Bots: map[game.Seat]string{0: url, 1: url}, Fill: "random", Clock: tournament.DefaultClock()}, "test")
		must.OK(t, err)
		again := verified(t, f)
		if !reflect.DeepEqual(again.Result, rec.Result) || len(again.Steps) != len(rec.Steps) || again.Steps[last].State != rec.Steps[last].State {
			t.Errorf("from step %d of %d: ended otherwise: %v after %d steps, want %v", at, last, again.Result, len(again.Steps)-1, rec.Result)
		}
		if want := (replay.Fork{Match: rec.Header.Match, Step: at, Hash: rec.Steps[at].Hash}); again.Header.Fork == nil || *again.Header.Fork != want {
			t.Errorf("from step %d: the header says %+v, want %+v", at, again.Header.Fork, want)
		}
	}
}

func TestAForkGoesOnFromAnyStepAlsoAmidWhatWasSentAhead(t *testing.T) {
	r := room(t)
	s, _ := settled(t, Series{Game: "molemajority", Bots: []string{"thinker", "thinker"}, Games: 1})
	rec := record(t, r, s)
	ahead := 0
	for at := range len(rec.Steps) - 1 {
		now, next := sentAhead(rec.Steps[at]), sentAhead(rec.Steps[at+1])
		switch {
		case now && next && ahead < 2:
			ahead++
		case at == 0 || at == len(rec.Steps)-2:
		default:
			continue
		}
		f, err := r.Fork(t.Context(), rec, Fork{At: at, Fill: "random", Bots: map[game.Seat]string{0: "random", 1: "random"}, Clock: tournament.DefaultClock()}, "test")
		if err != nil {
			t.Fatalf("from step %d: %v", at, err)
		}
		again := verified(t, f)
		for i := range at + 1 {
			if again.Steps[i].State != rec.Steps[i].State {
				t.Fatalf("from step %d: step %d is another", at, i)
			}
		}
	}
	if ahead == 0 {
		t.Error("nothing was sent ahead: the test shows less than it says")
	}
}

func sentAhead(s replay.Step) bool {
	return slices.ContainsFunc(s.Turns, func(t replay.Turn) bool { return t.Why == tournament.WhyThen })
}

func TestADecisionOtherwiseIsTakenInTheNextStepAndTheOthersDoWhatTheyDid(t *testing.T) {
	r := room(t)
	s, _ := settled(t, Series{Game: "demol", Bots: []string{"greedy", "greedy", "greedy", "greedy", "greedy"}, Games: 1})
	rec := record(t, r, s)
	at := 0
	for len(rec.Steps[at+1].Turns) < 5 { // the first vote: all are due
		at++
	}
	was, _ := turnOf(rec.Steps[at+1], 2)
	other := json.RawMessage(`{"type":"vote","approve":false}`)
	if bytes.Contains(was.Action, []byte("false")) {
		other = json.RawMessage(`{"type":"vote","approve":true}`)
	}
	o := Fork{At: at, Seat: 2, Action: other, Fill: "random", Clock: tournament.DefaultClock()}
	f, err := r.Fork(t.Context(), rec, o, "test")
	must.OK(t, err)
	again := verified(t, f)
	for seat := range 5 {
		want, _ := turnOf(rec.Steps[at+1], game.Seat(seat))
		got, _ := turnOf(again.Steps[at+1], game.Seat(seat))
		if seat == 2 {
			want.Action = other
		}
		if !bytes.Equal(got.Action, want.Action) || got.By != replay.ByBot {
			t.Errorf("seat %d: got %s by %s, want %s by bot", seat, got.Action, got.By, want.Action)
		}
	}
}

func TestForksThatCannotBeAreRefused(t *testing.T) {
	r := room(t)
	s, _ := settled(t, Series{Game: "molehill", Bots: []string{"random", "random"}, Games: 1})
	rec := record(t, r, s)
	due := rec.Steps[1].Turns[0]
	for name, o := range map[string]Fork{
		"before the deal": {At: -1},
		"after the end":   {At: len(rec.Steps) - 1},
		"no such seat":    {Bots: map[game.Seat]string{2: "random"}},
		"not due":         {Seat: 1 - due.Seat, Action: due.Action},
		"illegal":         {Seat: due.Seat, Action: json.RawMessage(`{"type":"move","to":"z9"}`)},
		"no action":       {Seat: due.Seat, Action: json.RawMessage(`hop`)},
		"no such bot":     {Bots: map[game.Seat]string{0: "genius"}},
		"nobody to fill":  {Fill: "genius"},
	} {
		o.Fill, o.Clock = cmp.Or(o.Fill, "random"), tournament.DefaultClock()
		if _, err := r.Fork(t.Context(), rec, o, "test"); err == nil {
			t.Errorf("%s: was played", name)
		}
	}
}

// The advice after a hello that fails follows from how it failed: a bot that answered runs.
func TestAHelloThatFailsLeadsToItsRemedy(t *testing.T) {
	unsigned := must.Get(Open("", false, 0))(t)
	defer unsigned.Close()
	for _, row := range []struct {
		room   *Room
		status int
		body   string
		want   string
	}{
		{room(t), 401, "", "both sides the same secret"},
		{unsigned, 401, "", "give its secret with --secret"},
		{unsigned, 404, "", "look at the path"},
		{unsigned, 200, `{"games":["molehill"]}`, `with {"challenge":X,"games":[…]}`},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.WriteHeader(row.status)
			_, _ = io.WriteString(w, row.body)
		}))
		_, err := row.room.Bot(t.Context(), server.URL, "molehill")
		server.Close()
		if !errors.Is(err, errSilent) || !strings.Contains(err.Error(), row.want) || !strings.HasSuffix(err.Error(), "; then molerun check "+server.URL) {
			t.Errorf("%d %s: %v, want …%s…", row.status, row.body, err, row.want)
		}
	}
}

// redriven sends the turns of a seat once more.
func redriven(t *testing.T, r *Room, rec *replay.Record, seat game.Seat, url string) (list []Again) {
	t.Helper()
	b, err := r.Bot(t.Context(), url, rec.Header.Game)
	must.OK(t, err)
	must.OK(t, r.Redrive(t.Context(), rec, seat, b, tournament.DefaultClock(), func(a Again) error { list = append(list, a); return nil }))
	return list
}

func TestRedriveSendsTheVeryTurnsOfTheMatch(t *testing.T) {
	thinker, _ := house.Find("thinker")
	for _, row := range []struct {
		game    string
		decide  kit.Decide
		beliefs bool
	}{
		{"molehill", first, false},
		{"demol", first, false},
		{"demol", believing, true},
		{"cia", believing, true},
		{"molemajority", thinker.Decide(3), false}, // sends actions ahead
	} {
		r := room(t)
		url, h := serve(t, row.game, row.decide)
		s, _ := settled(t, Series{Game: row.game, Bots: []string{"random", url}, Games: 1, Beliefs: row.beliefs})
		rec := record(t, r, s)
		played := h.take()
		list := redriven(t, r, rec, 1, url)
		sent := h.take()
		if len(played) == 0 || len(played) != len(sent) || len(list) != len(sent) {
			t.Fatalf("%s: %d turns in the match, %d sent again, %d told", row.game, len(played), len(sent), len(list))
		}
		for i := range sent {
			if !bytes.Equal(played[i], sent[i]) {
				t.Errorf("%s: turn %d was\n%s\nand is\n%s", row.game, i, played[i], sent[i])
			}
		}
		ahead := 0
		for _, a := range list {
			ahead += len(a.Ahead)
			if !a.Same || a.Fault != "" {
				t.Errorf("%s: step %d: the same bot decides %s (%s %s), want %s", row.game, a.Step, a.Now, a.Fault, a.Reason, a.Was.Action)
			}
		}
		if (ahead > 0) != (row.game == "molemajority") {
			t.Errorf("%s: %d actions were sent ahead", row.game, ahead)
		}
	}
}

// A fork of a match that asked for beliefs asks for them too, and one of another match does not.
func TestAForkAsksForBeliefsAsItsMatchDid(t *testing.T) {
	for _, beliefs := range []bool{true, false} {
		r := room(t)
		url, h := serve(t, "cia", believing)
		s, _ := settled(t, Series{Game: "cia", Bots: []string{url, "random"}, Games: 1, Beliefs: beliefs})
		rec := record(t, r, s)
		h.take()
		f, err := r.Fork(t.Context(), rec, Fork{At: 2, Bots: map[game.Seat]string{0: url}, Fill: "random", Clock: tournament.DefaultClock()}, "test")
		must.OK(t, err)
		asks := slices.ContainsFunc(h.take(), func(turn []byte) bool { return bytes.Contains(turn, []byte(`"asks":`)) })
		if asks != beliefs || believed(verified(t, f)) != beliefs {
			t.Errorf("the match asked for beliefs: %t, its fork: %t", beliefs, asks)
		}
	}
}

// What a fork has taken over, its bots have not decided.
func TestExpectLeavesOutWhatAForkHasTakenOver(t *testing.T) {
	r := room(t)
	s, _ := settled(t, Series{Game: "demol", Bots: []string{"random"}, Games: 1})
	rec := record(t, r, s)
	all := []game.Seat{0, 1, 2, 3, 4}
	for _, at := range []int{0, 3, len(rec.Steps) - 2} {
		f, err := r.Fork(t.Context(), rec, Fork{At: at, Fill: "greedy", Clock: tournament.DefaultClock()}, "test")
		must.OK(t, err)
		list := Expect("f", verified(t, f), all)
		if len(list) == 0 || list[0].Step != at+1 {
			t.Errorf("forked after step %d: expected is %+v", at, list)
		}
	}
	if list := Expect("m", rec, all); len(list) == 0 || list[0].Step != 1 {
		t.Errorf("of the match itself is expected %+v", list)
	}
}

// A record names bots as a series does, whatever signs their own names have.
func TestNamesInRecordsAreThoseOfTheirBots(t *testing.T) {
	for name, want := range map[string]string{
		"greedy": "greedy", "greedy#2": "greedy", "greedy#12": "greedy", "greedy (fill)": "greedy", "greedy (fill)#2": "greedy", "greedy-otter": "greedy",
		"random forest": "", "random#x": "", "greedy (filled)": "", "#2": "", "genius": "",
	} {
		if got := houseOf(name, "cia"); got != want {
			t.Errorf("%q is the house bot %q, want %q", name, got, want)
		}
	}
	field := []Bot{{Name: "c#3"}, {Name: "c#3"}, {Name: "c#3 (fill)"}, {Name: "c"}, {Name: "c"}, {Name: "c#2"}}
	Distinguish(field)
	for i, own := range []string{"c#3", "c#3", "c#3", "c", "c", "c#2"} {
		if !IsOf(replay.Seat{Bot: field[i].Name}, Bot{Name: own}) || IsOf(replay.Seat{Bot: field[i].Name}, Bot{Name: "d"}) {
			t.Errorf("%q is not the name of %q alone", field[i].Name, own)
		}
	}
}

func TestARecordOfAnotherSeriesInTheFolderIsRefused(t *testing.T) {
	r := room(t)
	s, _ := settled(t, Series{Game: "molehill", Bots: []string{"random", "random"}, Games: 1})
	field, err := r.Field(t.Context(), s)
	must.OK(t, err)
	folder, err := Create(t.TempDir(), *s)
	must.OK(t, err)
	play := func() error {
		return r.Run(t.Context(), s, field, folder, "test", 1, func(Played) (bool, error) { return true, nil })
	}
	must.OK(t, play())
	s.Run = "another"
	if err := play(); err == nil {
		t.Error("the record of another series was taken for this one's")
	}
}

// A folder is gone on with by the bots that it holds matches of, at whatever seat a record has them.
func TestASeriesGoesOnWithTheSameBotsAlone(t *testing.T) {
	r := room(t)
	s, _ := settled(t, Series{Game: "molehill", Bots: []string{"random", "greedy"}, Games: 4, Rotate: true})
	field, err := r.Field(t.Context(), s)
	must.OK(t, err)
	folder, err := Create(t.TempDir(), *s)
	must.OK(t, err)
	played := 0
	play := func(games int) error {
		return r.Run(t.Context(), s, field, folder, "test", 4, func(p Played) (bool, error) {
			if !p.Kept {
				played++
			}
			return p.Number < games, nil
		})
	}
	if err := play(2); err != nil || played != 2 {
		t.Fatalf("%d matches, %v", played, err)
	}
	for _, change := range []func(){
		func() { field[0].Build = "2" },
		func() { field[0].Build, field[1].Name = "", "other" },
		func() { field[1] = field[0] },
	} {
		change()
		if err := play(4); err == nil || !strings.Contains(err.Error(), folder.Path+" holds matches of ") {
			t.Errorf("%+v: got %v, want a refusal", field, err)
		}
	}
	if played != 2 {
		t.Errorf("%d matches were played by others", played-2)
	}
}

// No two of a field have one name, whatever they are called.
func TestNamesOfAFieldDiffer(t *testing.T) {
	for _, row := range [][2]string{
		{"a b", "a b"},
		{"a a a", "a a#2 a#3"},
		{"a a a#2", "a a#2 a#2#2"},
		{"a#2 a a a#3", "a#2 a a#3 a#3#2"},
	} {
		var field []Bot
		for name := range strings.FieldsSeq(row[0]) {
			field = append(field, Bot{Name: name})
		}
		Distinguish(field)
		var got []string
		for _, b := range field {
			got = append(got, b.Name)
		}
		if strings.Join(got, " ") != row[1] {
			t.Errorf("%s: got %s, want %s", row[0], strings.Join(got, " "), row[1])
		}
	}
}

// met adds matches to the score of a series and returns the tally of two of its field.
func met(t *testing.T, s Series, field []string, result game.Result, first, second int, games ...[]int) []int {
	t.Helper()
	var bots []Bot
	for _, name := range field {
		bots = append(bots, Bot{Name: name})
	}
	score := NewScore(&s, bots)
	for number, players := range games {
		must.OK(t, score.Add(Played{Number: number + 1, Players: players, Result: result, Rank: result.Rank, Luck: make([]float64, len(players))}))
	}
	for _, m := range score.Meetings {
		if m.First == first && m.Second == second {
			return m.Tally
		}
	}
	return nil
}

// A unit is a block of games, or a game where blocks may not compare the two in each of theirs.
func TestTheScoreComparesEveryTwoByBlocks(t *testing.T) {
	won := game.Result{Rank: []int{1, 2}, Points: []float64{1, 0}} // seat 0 always wins
	ranked := game.Result{Rank: []int{1, 2, 3}, Points: []float64{1, .5, 0}}
	teams := game.Result{Rank: []int{1, 1, 2}, Points: []float64{1, 1, 0}, Team: []string{"x", "x", "y"}}
	plain, _ := catalog.Find("molehill")
	two := Series{engine: plain, Seats: 2, Bots: []string{"a", "b"}, Rotate: true}
	three := Series{engine: plain, Seats: 3, Bots: []string{"a", "b", "c"}, Rotate: true}
	alone := Series{engine: plain, Seats: 3, Bots: []string{"a"}, Rotate: true, Fill: "c"}
	hidden := three
	hidden.engine, _ = catalog.Find("demol")
	for _, row := range []struct {
		name          string
		s             Series
		result        game.Result
		first, second int
		games         [][]int
		want          []int
	}{
		{"pairs", two, won, 0, 1, [][]int{{0, 1}, {1, 0}, {0, 1}}, []int{0, 0, 1, 0, 0}}, // the third game waits for its partner
		{"a block of three seats", three, ranked, 0, 2, [][]int{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}}, []int{0, 0, 1, 0, 0, 0, 0}},
		{"the other two of it", three, ranked, 1, 2, [][]int{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}}, []int{0, 0, 0, 0, 1, 0, 0}},
		{"the first seat behind that is filled", alone, ranked, 0, 1, [][]int{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}, []int{0, 0, 0, 0, 1, 0, 0}},
		{"teams", hidden, teams, 0, 1, [][]int{{0, 1, 2}, {0, 2, 1}, {1, 2, 0}}, []int{1, 0, 1}}, // of one team, then won, then lost
	} {
		field := slices.Clone(row.s.Bots)
		if row.s.Fill != "" {
			field = append(field, row.s.Fill)
		}
		if got := met(t, row.s, field, row.result, row.first, row.second, row.games...); !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s: units %v, want %v", row.name, got, row.want)
		}
	}
}

// A match counts once in a role, however many seats of it a bot has; shares and their intervals are those of the games.
func TestSplitsByRoleSeatAndOpponent(t *testing.T) {
	e, _ := catalog.Find("demol")
	s := Series{engine: e, Seats: 3, Bots: []string{"a"}, Rotate: true, Fill: "b"}
	score := NewScore(&s, []Bot{{Name: "a"}, {Name: "b"}})
	for number, players := range [][]int{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}} { // seats 0 and 1 win together
		result := game.Result{Rank: []int{1, 1, 2}, Points: []float64{1, 1, 0}, Team: []string{"y", "y", "x"}}
		must.OK(t, score.Add(Played{Number: number + 1, Players: players, Result: result, Rank: result.Rank, Luck: make([]float64, 3)}))
	}
	text := func(i int) (list []string) {
		for _, x := range score.Splits(i) {
			if !(0 <= x.Low && x.Low <= x.Share && x.Share <= x.High && x.High <= 1 && x.Low < x.High) {
				t.Errorf("%s %s: share %v in [%v, %v]", x.By, x.Of, x.Share, x.Low, x.High)
			}
			list = append(list, fmt.Sprintf("%s %s %d %.2f", x.By, x.Of, x.Units, x.Share))
		}
		return list
	}
	want := []string{"role x 1 0.00", "role y 2 1.00", "seat 0 1 1.00", "seat 1 1 1.00", "seat 2 1 0.00", "opponent b 1 0.67"}
	if got := text(0); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	want = []string{"role x 2 0.00", "role y 3 1.00", "seat 0 2 1.00", "seat 1 2 1.00", "seat 2 2 0.00", "opponent a 1 0.33"}
	if got := text(1); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestADecisionIsTheSameHoweverItIsWritten(t *testing.T) {
	engine, _ := catalog.Find("demol")
	was, written := json.RawMessage(`{"type":"team","members":[0,1]}`), json.RawMessage(`{"members":[1,0],"type":"team"}`)
	again := Again{Was: replay.Turn{Action: was, By: replay.ByBot}}
	again.judge(engine, json.RawMessage(`{"list":[]}`), runner.Reply{Action: written}, func(json.RawMessage) error { return nil })
	if !again.Same {
		t.Errorf("%s is another decision than %s", written, was)
	}
	for _, e := range []Expectation{{Must: was, engine: engine}, {AnyOf: []json.RawMessage{was}, engine: engine}} {
		if !e.Met(written) {
			t.Errorf("%s: %s does not meet it", e, written)
		}
	}
	if e := (Expectation{MustNot: was, engine: engine}); e.Met(written) {
		t.Errorf("%s: %s meets it", e, written)
	}
}
