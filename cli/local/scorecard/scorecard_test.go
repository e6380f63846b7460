package scorecard_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/cli/local/scorecard"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/housetest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/sprt"
)

// here is the pool of the tests. The hash of the true one takes a second.
var here = card.Pool{Version: 1, Hash: "ab"}

func nightly() bool { return os.Getenv("MOLERUN_NIGHTLY") == "1" }

// quick returns plan quick with so many pairs in a game and another seed.
func quick(t *testing.T, game string, pairs int, seed uint64) scorecard.Plan {
	t.Helper()
	return scorecard.Plan{Name: "quick", Seed: seed, Pairs: []scorecard.Game{{Game: game, Pairs: pairs}}}
}

// evaluated returns the card of a subject that is asked for beliefs, and its folder.
func evaluated(t *testing.T, p scorecard.Plan, subject matches.Bot, games ...string) (card.Card, string) {
	t.Helper()
	room, err := matches.Open("", false, 0)
	must.OK(t, err)
	defer room.Close()
	dir := t.TempDir()
	c, err := scorecard.Evaluation{
		Room: room, Subject: subject, Plan: p, Pool: here, Games: games, Program: "molerun test", Dir: dir, AtOnce: 2, Clock: card.Clock{LimitMS: 1000, BankMS: 10_000}, Beliefs: true,
	}.Run(context.Background())
	must.OK(t, err)
	return c, dir
}

// carded is evaluated, without the folder: at night a thousand of them would fill a disk.
func carded(t *testing.T, p scorecard.Plan, subject matches.Bot, games ...string) card.Card {
	t.Helper()
	c, dir := evaluated(t, p, subject, games...)
	if err := os.RemoveAll(dir); err != nil {
		t.Error(err)
	}
	return c
}

// mixed returns a bot that decides as the thinker in a share of its turns, else as random, and whose answer is illegal in another share.
// It says what it used, and holds all answers to whatever it is asked for alike likely.
func mixed(t *testing.T, name string, thinks, faults float64) matches.Bot {
	t.Helper()
	thinker, random := housetest.Find(t, "thinker"), housetest.Find(t, "random")
	return matches.InProcess(name, func(luck uint64) kit.Decide {
		return func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
			r := rand.New(rand.NewPCG(luck, uint64(turn.Step)))
			strong, faulty := r.Float64() < thinks, r.Float64() < faults
			bot := random
			if strong {
				bot = thinker
			}
			a, err := bot.Decide(luck)(ctx, turn)
			if faulty {
				a = protocol.Answer{Choose: new(1 << 20)}
			}
			a.Usage = &claim.Usage{Model: "m-1", InputTokens: 7, OutputTokens: 2, CostUSD: .001}
			a.Belief = claim.Belief{}
			for _, q := range turn.Asks {
				a.Belief[q.About] = map[string]float64{}
				for _, answer := range q.Answers {
					a.Belief[q.About][answer] = 1 / float64(len(q.Answers))
				}
			}
			return a, err
		}
	})
}

func TestTwoRunsGiveEqualBytesButForTimes(t *testing.T) {
	t.Parallel()
	p := scorecard.Plan{Name: "quick", Seed: 3, Pairs: []scorecard.Game{{Game: "cia", Pairs: 4}, {Game: "demol", Pairs: 4}}}
	var texts [2][]byte
	for i := range texts {
		c := carded(t, p, mixed(t, "sometimes", .5, .01), "cia", "demol")
		if len(c.Run.Records) != 48 || len(c.Run.Times) != 2 {
			t.Fatalf("got %d records and %d times", len(c.Run.Records), len(c.Run.Times))
		}
		c.Run = card.Run{}
		var err error
		texts[i], err = c.JSON()
		must.OK(t, err)
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Errorf("one run gives\n%s\nand another\n%s", texts[0], texts[1])
	}
}

// Eight bots think in more and more of their turns; in at least 95 of 100 cards each is stronger than the one before. By day there are three
// of them, and fewer matches.
func TestEightPlantedBotsComeOutInOrder(t *testing.T) {
	t.Parallel()
	cards, may, pairs, bots := 1, 0, 10, []float64{0, .6, 1}
	if nightly() {
		cards, may, pairs, bots = 100, 5, 45, []float64{0, .2, .39, .57, .7, .81, .91, 1}
	}
	wrong := 0
	for seed := range cards {
		last, order := -1000., []string{}
		ordered := true
		for i, thinks := range bots {
			c := carded(t, quick(t, "cia", pairs, uint64(1000+seed)), mixed(t, fmt.Sprint("planted", i), thinks, 0), "cia")
			order = append(order, fmt.Sprint(c.Clean.Value))
			ordered = ordered && c.Clean.Value > last
			last = c.Clean.Value
		}
		if !ordered {
			wrong++
		}
		t.Logf("seed %d: %s; %d wrong so far", seed, strings.Join(order, " "), wrong)
	}
	t.Logf("%d of %d cards have another order", wrong, cards)
	if wrong > may {
		t.Errorf("%d of %d cards have another order; want %d at most", wrong, cards, may)
	}
}

// Who plays at random and never faults has a clean strength of 0; who plays well and faults has a higher one than with its errors.
func TestNotToFaultIsNoStrength(t *testing.T) {
	t.Parallel()
	cards, pairs, may := 1, 10, 0
	if nightly() {
		cards, pairs, may = 100, 20, 9 // of 100 intervals of 95 %
	}
	for _, game := range []string{"cia", "demol"} {
		missed := 0
		for seed := range cards {
			p := quick(t, game, pairs, uint64(2000+seed))
			random := carded(t, p, mixed(t, "random", 0, 0), game)
			if e := random.Clean; e.Low > 0 || e.High < 0 {
				missed++
			}
			if random.Clean != random.WithErrors || len(random.Games[0].Faults) > 0 {
				t.Errorf("%s: a bot without faults has %+v clean and %+v with errors", game, random.Clean, random.WithErrors)
			}
			c := carded(t, p, mixed(t, "clumsy", 1, .03), game)
			g := c.Games[0]
			if c.Clean.Low < 30 || c.WithErrors.Value >= c.Clean.Value || g.Faulty == 0 || g.Faulty == g.Matches || len(g.Faults) != 1 || g.Faults[0].Kind != "illegal_action" {
				t.Errorf("%s: a strong bot that faults has %v clean and %v with errors, %d of %d matches with faults: %v", game, c.Clean, c.WithErrors, g.Faulty, g.Matches, g.Faults)
			}
		}
		if missed > may {
			t.Errorf("%s: 0 is outside the interval of random in %d of %d cards", game, missed, cards)
		}
	}
}

func TestABotThatDecidesNothingEndsTheEvaluation(t *testing.T) {
	t.Parallel()
	room, err := matches.Open("", false, 0)
	must.OK(t, err)
	defer room.Close()
	v := scorecard.Evaluation{
		Room: room, Subject: mixed(t, "mute", 0, 1), Plan: quick(t, "cia", 1, 1), Games: []string{"cia"}, Dir: t.TempDir(), AtOnce: 3, Clock: card.Clock{LimitMS: 1000, BankMS: 1000},
	}
	if _, err = v.Run(context.Background()); !errors.Is(err, scorecard.ErrSubject) || !strings.Contains(err.Error(), "match 1 of cia") {
		t.Errorf("got %v, want that it decided nothing in match 1", err)
	}
	v.Subject = mixed(t, "mute", 0, 0) // mended
	c, err := v.Run(context.Background())
	if err != nil || c.Games[0].Faulty > 0 {
		t.Errorf("gone on with: %+v (%v), want that the match of faults is played again", c.Games, err)
	}
}

// A folder belongs to a bot and its build: another is refused before anything is played, whichever game's records are of the first.
func TestAFolderWithRecordsOfAnotherBotIsRefused(t *testing.T) {
	t.Parallel()
	room, err := matches.Open("", false, 0)
	must.OK(t, err)
	defer room.Close()
	subject := func(name, build string) matches.Bot {
		b := mixed(t, name, 1, 0)
		b.Build = build
		return b
	}
	v := scorecard.Evaluation{
		Room: room, Subject: subject("mine", "7"), Games: []string{"demol"}, Dir: t.TempDir(), AtOnce: 3, Clock: card.Clock{LimitMS: 1000, BankMS: 1000},
		Plan: scorecard.Plan{Name: "quick", Seed: 3, Pairs: []scorecard.Game{{Game: "cia", Pairs: 1}, {Game: "demol", Pairs: 1}}},
	}
	_, err = v.Run(t.Context())
	must.OK(t, err)
	must.OK(t, os.Remove(filepath.Join(v.Dir, "demol", "demol-0001.jsonl.gz"))) // stopped, or lost
	before := files(t, v.Dir)
	v.Games = []string{"cia", "demol"}
	for want, other := range map[string]matches.Bot{
		"matches of mine (build 7), and now yours plays":           subject("yours", ""),
		"matches of mine (build 7), and now yours (build 7) plays": subject("yours", "7"),
		"matches of mine (build 7), and now mine (build 8) plays":  subject("mine", "8"),
		"matches of mine (build 7), and now mine plays":            subject("mine", ""),
	} {
		v.Subject = other
		if _, err := v.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want+": choose another folder") || len(err.Error()) > 200 {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if after := files(t, v.Dir); len(after) != len(before) {
		t.Errorf("of %d files became %d", len(before), len(after))
	}
	v.Subject = subject("mine", "7")
	for want, change := range map[string]func(*scorecard.Evaluation){
		"have 1000 at /limit_ms, and this command asks for 2000": func(v *scorecard.Evaluation) { v.Clock.LimitMS = 2000 },
		"have null at /beliefs, and this command asks for true":  func(v *scorecard.Evaluation) { v.Beliefs = true },
	} {
		other := v
		change(&other)
		if _, err := other.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := v.Run(t.Context()); err != nil {
		t.Errorf("its own bot cannot go on: %v", err)
	}
	fewer := v
	fewer.Games = []string{"demol"}
	if _, err := fewer.Run(t.Context()); !errors.Is(err, scorecard.ErrPlan) || !strings.Contains(err.Error(), "is a card with cia too") {
		t.Errorf("a card of fewer games: got %v, want that it would replace the card that is there", err)
	}
	broken := filepath.Join(v.Dir, scorecard.CardFile)
	must.OK(t, os.WriteFile(broken, []byte("{"), 0o600))
	if _, err := v.Run(t.Context()); err == nil || !strings.Contains(err.Error(), broken) || !strings.Contains(err.Error(), "take it out of the folder, and it is written again") {
		t.Errorf("a broken card: got %v, want that it can be taken out", err)
	}
	must.OK(t, os.Remove(broken))
	for _, row := range []struct{ file, next string }{
		{"cia-0001.jsonl.gz", "take it out of the folder, and the match is played again"},
		{"series.json", "choose another folder"},
	} {
		must.OK(t, os.WriteFile(filepath.Join(v.Dir, "cia", row.file), []byte("{"), 0o600))
		if _, err := v.Run(t.Context()); err == nil || !strings.Contains(err.Error(), row.file) || !strings.Contains(err.Error(), row.next) || strings.Contains(err.Error(), "--resume") {
			t.Errorf("a broken %s: got %v, want %q", row.file, err, row.next)
		}
	}
}

// The interval of a strength holds the true one in 95 of 100 cards, for subjects of all sorts, by the chances of a pair to bring 0, ½ and 1
// from each of three bots.
func TestIntervalsOfStrengthsHold(t *testing.T) {
	t.Parallel()
	cards := 300
	if nightly() {
		cards = 10_000
	}
	r := rand.New(rand.NewPCG(37, 1))
	for name, chances := range map[string][3][3]float64{
		"in the middle": {{.02, .08, .9}, {.3, .4, .3}, {.9, .08, .02}},
		"like random":   {{.3, .4, .3}, {.97, .03, 0}, {.999, .001, 0}},
		"strong":        {{0, .01, .99}, {.01, .1, .89}, {.2, .5, .3}},
	} {
		for _, pairs := range []int{12, 80} {
			held, truth := 0, 0.
			for _, x := range chances {
				truth += (x[1]/2 + x[2]) / 3
			}
			for range cards {
				var list []card.Estimate
				for _, x := range chances {
					tally := sprt.Pairs()
					for range pairs {
						points, u := 0., r.Float64()
						if u >= x[0] {
							points++
						}
						if u >= x[0]+x[1] {
							points++
						}
						must.OK(t, tally.Add(points))
					}
					m, err := sprt.Measure(tally)
					must.OK(t, err)
					list = append(list, card.Estimate{Value: m.Score, Low: min(m.Score, rating.Expected(m.Elo.Low)), High: max(m.Score, rating.Expected(m.Elo.High))})
				}
				if e := card.Mean(list); e.Low <= truth && truth <= e.High {
					held++
				}
			}
			share := float64(held) / float64(cards)
			t.Logf("%s, %d pairs: %.1f %%", name, pairs, 100*share)
			if share < .92 {
				t.Errorf("%s, %d pairs: %.3f of the intervals hold, want .95", name, pairs, share)
			}
		}
	}
}

// Of two answers, one half each has a Brier score of ½ and a logarithm of ln 2; what the rules alone tell is better. No belief comes with a fault.
func TestACardSumsUpWhatItsSubjectClaims(t *testing.T) {
	t.Parallel()
	p := scorecard.Plan{Name: "quick", Seed: 5, Pairs: []scorecard.Game{{Game: "demol", Pairs: 2}, {Game: "mole", Pairs: 1}}}
	c, dir := evaluated(t, p, mixed(t, "claiming", 0, .01), "mole", "demol")
	for i, g := range c.Games {
		n := g.Decisions
		want := card.Usage{Game: g.Game, Decisions: n, InputTokens: 7 * int64(n), OutputTokens: 2 * int64(n), CostUSD: float64(n) / 1000, Models: []string{"m-1"}}
		if len(c.Run.Usage) != 2 || !reflect.DeepEqual(c.Run.Usage[i], want) {
			t.Errorf("%s: got %+v, want %+v", g.Game, c.Run.Usage, want)
		}
	}
	if b := c.Games[0].Beliefs; b != nil {
		t.Errorf("mole hides nothing, and has beliefs: %+v", b)
	}
	g := c.Games[1]
	b := g.Beliefs
	if b == nil || b.Beliefs == 0 || g.Faulty == 0 || b.Beliefs >= g.Decisions || b.Brier != .5 || b.Log != .6931 || b.RulesBrier >= b.Brier || b.RulesLog >= b.Log {
		t.Errorf("demol: got %+v", b)
	}
	text := string(files(t, dir)[scorecard.MarkdownFile].Data)
	for _, want := range []string{" tokens in ", fmt.Sprintf("| demol | %d | 0.5000 |", b.Beliefs)} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// Whatever is changed in a card or its records is seen, and the first place is named.
func TestVerifySeesEveryPlantedTampering(t *testing.T) {
	t.Parallel()
	p, err := scorecard.FindPlan("quick")
	must.OK(t, err)
	c, dir := evaluated(t, p, mixed(t, "honest", .7, .02), "cia")
	ctx, whole := context.Background(), files(t, dir)
	if _, err := scorecard.Verify(ctx, whole[scorecard.CardFile].Data, whole, here, 2, nil); err != nil {
		t.Fatalf("as it was written: %v", err)
	}
	decided := whole[card.DecisionsFile].Data
	if _, err := scorecard.VerifyDecisions(ctx, whole[scorecard.CardFile].Data, bytes.NewReader(decided), here, nil); err != nil {
		t.Fatalf("as it was written, by the decisions: %v", err)
	}
	const first, second = "cia/cia-0002.jsonl.gz", "cia/cia-0072.jsonl.gz"
	_, other := evaluated(t, quick(t, "cia", 12, 99), mixed(t, "honest", .7, .02), "cia")
	// resum makes the card say the hashes that the files have.
	resum := func(c *card.Card, f fstest.MapFS) {
		for i, r := range c.Run.Records {
			if x, ok := f[r.File]; ok {
				c.Run.Records[i].SHA256 = sumOf(x.Data)
			}
		}
	}
	for name, x := range map[string]struct {
		plant func(c *card.Card, f fstest.MapFS)
		want  string
	}{
		"a record is missing":         {func(_ *card.Card, f fstest.MapFS) { delete(f, second) }, second + ": not_proven: the record is missing"},
		"a byte of the gzip's header": {func(_ *card.Card, f fstest.MapFS) { f[first] = changed(f[first].Data, 9) }, first + ": not_proven: its SHA-256 is"},
		"a byte, and its hash": {func(c *card.Card, f fstest.MapFS) {
			f[first] = changed(f[first].Data, 200)
			resum(c, f)
		}, first + ": not_proven: bad_replay"},
		"another strength": {func(c *card.Card, _ fstest.MapFS) { c.Games[0].Clean.Value++ }, "/games/0/clean/value is"},
		"another time":     {func(c *card.Card, _ fstest.MapFS) { c.Run.Times[0].P95US = 7 }, "/run/times/0/p95_us is 7 in the card, and the records give"},
		"no beliefs":       {func(c *card.Card, _ fstest.MapFS) { c.Games[0].Beliefs = nil }, "/games/0/beliefs is null in the card"},
		"another usage":    {func(c *card.Card, _ fstest.MapFS) { c.Run.Usage[0].InputTokens = 12 }, "/run/usage/0/input_tokens is 12 in the card"},
		"another name":     {func(c *card.Card, _ fstest.MapFS) { c.Subject.Name = "better" }, `cia/cia-0001.jsonl.gz: not_proven: it is not the match of the plan: its header has "honest" at /seats/0/bot, want "better"`},
		"another plan":     {func(c *card.Card, _ fstest.MapFS) { c.Plan.Name = "standard" }, "/plan/hash is"},
		"a plan of nobody": {func(c *card.Card, _ fstest.MapFS) { c.Plan.Name = "easy" }, `there is no plan "easy"`},
		"another pool":     {func(c *card.Card, _ fstest.MapFS) { c.Pool.Hash = strings.Repeat("0", 64) }, "/pool/hash is"},
		"no games":         {func(c *card.Card, _ fstest.MapFS) { c.Games = []card.Game{} }, "/games: there are none"},
		"a game twice":     {func(c *card.Card, _ fstest.MapFS) { c.Games = append(c.Games, c.Games[0]) }, "/games/1: cia a second time"},
		"another bank":     {func(c *card.Card, _ fstest.MapFS) { c.Clock.BankMS = 0 }, "/clock says 1000 ms for each decision and 0 ms a match, but in cia/cia-0001.jsonl.gz, step "},
		"no time":          {func(c *card.Card, _ fstest.MapFS) { c.Clock.LimitMS = 1 }, "/clock/limit_ms: 1ms is outside 10ms..2m"},
		"time for ever":    {func(c *card.Card, _ fstest.MapFS) { c.Clock.LimitMS = 18446744074210 }, "/clock/limit_ms: "}, // in nanoseconds it would be half a second
		"another model":    {func(c *card.Card, _ fstest.MapFS) { c.Run.Usage[0].Models = []string{"m-2"} }, "/run/usage/0/models/0 is"},
		"a file too many": {func(c *card.Card, _ fstest.MapFS) {
			c.Run.Records = append(c.Run.Records, card.Record{File: "x"})
		}, "/run/records is"},
		"records of another plan": {func(c *card.Card, f fstest.MapFS) {
			theirs := files(t, other)
			for name, x := range theirs {
				if strings.HasSuffix(name, ".gz") {
					f[name] = x
				}
			}
			resum(c, f)
		}, "cia/cia-0001.jsonl.gz: not_proven: it is not the match of the plan"},
		"a match in the place of another": {func(c *card.Card, f fstest.MapFS) {
			f[first] = f["cia/cia-0001.jsonl.gz"]
			resum(c, f)
		}, first + ": not_proven: it is not the match of the plan"},
		"an opponent that decides otherwise": {func(c *card.Card, f fstest.MapFS) {
			f[first] = &fstest.MapFile{Data: forged(t, f[first].Data)}
			resum(c, f)
		}, ", and the bot of this program decides "},
	} {
		t.Run(name, func(t *testing.T) {
			planted, again := fstest.MapFS{}, card.Card{}
			for name, x := range whole {
				planted[name] = x
			}
			b, err := c.JSON()
			if err == nil {
				err = json.Unmarshal(b, &again) // a copy
			}
			must.OK(t, err)
			x.plant(&again, planted)
			b, err = again.JSON()
			must.OK(t, err)
			if _, err := scorecard.Verify(ctx, b, planted, here, 2, nil); !errors.Is(err, card.ErrCard) || !strings.Contains(err.Error(), x.want) {
				t.Errorf("got %v, want a refusal with %q", err, x.want)
			}
		})
	}
	for name, text := range map[string]string{"no JSON": "hello", "a field too many": `{"format":"card/1","x":1}`, "another format": `{"format":"card/9"}`, "too large": `"` + strings.Repeat("x", card.MaxBytes) + `"`} {
		if _, err := scorecard.Verify(ctx, []byte(text), whole, here, 1, nil); !errors.Is(err, card.ErrCard) {
			t.Errorf("%s: got %v, want a refusal", name, err)
		}
	}
}

// A card's decisions are enough to derive it: whatever is changed in them or in the card is seen, and the first place is named.
func TestVerifySeesEveryPlantedDecision(t *testing.T) {
	t.Parallel()
	p, err := scorecard.FindPlan("quick")
	must.OK(t, err)
	c, dir := evaluated(t, p, mixed(t, "honest", .3, .02), "cia")
	whole := files(t, dir)
	packed := func(text string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err := z.Write([]byte(text))
		must.OK(t, errors.Join(err, z.Close()))
		return b.Bytes()
	}
	z, err := gzip.NewReader(bytes.NewReader(whole[card.DecisionsFile].Data))
	must.OK(t, err)
	text, err := io.ReadAll(z)
	must.OK(t, err)
	// once replaces the first of what is there.
	once := func(was, now string) []byte {
		if !strings.Contains(string(text), was) {
			t.Fatalf("no %q", was)
		}
		return packed(strings.Replace(string(text), was, now, 1))
	}
	for name, x := range map[string]struct {
		plant   func(c *card.Card)
		decided []byte
		want    string
	}{
		"nothing":                 {decided: packed(string(text))},
		"another strength":        {func(c *card.Card) { c.Clean.Value++ }, packed(string(text)), "/clean/value is"},
		"another usage":           {decided: once(`"input_tokens":7`, `"input_tokens":8`), want: "/run/usage/0/input_tokens is"},
		"no beliefs":              {decided: packed(beliefs(string(text))), want: "/games/0/beliefs is"},
		"another time":            {decided: packed(strings.ReplaceAll(string(text), `"elapsed_us":0`, `"elapsed_us":9`)), want: "/run/times/0/median_us is 0 in the card, and the records give 9"},
		"a record's name":         {func(c *card.Card) { c.Run.Records[3].File = "x" }, packed(string(text)), "/run/records/3/file is"},
		"another bank":            {plant: func(c *card.Card) { c.Clock.BankMS = 9999 }, decided: packed(string(text)), want: "/clock says 1000 ms for each decision and 9999 ms a match, but in cia/cia-0001.jsonl.gz, step "},
		"of an earlier release":   {plant: func(c *card.Card) { c.Run.Usage[0].Models = nil }, decided: packed(strings.ReplaceAll(string(text), `,"bank_us":10000000`, "")), want: "no error"},
		"a late decision":         {decided: once(`"elapsed_us":0`, `"elapsed_us":11200000`), want: " took 11.2s and was no timeout"},
		"a bank that was kept":    {decided: once(`"elapsed_us":0`, `"elapsed_us":2000000`), want: " took 2s and left 10s of the bank"},
		"an early timeout":        {decided: once(`"why":"illegal_action"`, `"why":"timeout"`), want: " was a timeout after 0s"},
		"a seat below none":       {decided: once(`[{"seat":0,`, `[{"seat":-1,`), want: "not_proven: a decision of seat -1"},
		"a better decision":       {decided: once(`"by":"house","why":"illegal_action"`, `"by":"bot"`), want: "/games/0/"},
		"an illegal action":       {decided: once(`"action":{`, `"action":{"x":1,`), want: "cia/cia-0001.jsonl.gz: not_proven: step 1, seat "},
		"a fault of the platform": {decided: once(`"why":"illegal_action"`, `"why":"platform"`), want: "it does not play again"},
		"the opponent's seat":     {decided: once(`[{"seat":0,`, `[{"seat":1,`), want: "cia/cia-0001.jsonl.gz: not_proven: a decision of seat 1, whose bot is this program's"},
		"a seat of nobody":        {decided: once(`[{"seat":0,`, `[{"seat":7,`), want: "not_proven: a decision of seat 7"},
		"a decision too few":      {decided: once(`[{"seat":0,`, `[]`+"\n"+`[{"seat":0,`), want: "cia/cia-0001.jsonl.gz: not_proven: it does not play again"},
		"a match too few":         {decided: packed(string(text[:bytes.LastIndexByte(text[:len(text)-1], '\n')+1])), want: "cia/cia-0072.jsonl.gz: card_refused: the decisions: there are none of this match"},
		"a match too many":        {decided: packed(string(text) + "[]\n"), want: "there are more than of the matches of the card"},
		"no gzip":                 {decided: text, want: "the decisions: gzip"},
		"cut off":                 {decided: packed(string(text))[:100], want: "the decisions: unexpected EOF"},
		"a very long line":        {decided: packed(strings.Repeat(" ", 5<<20)), want: "at most"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var again card.Card
			must.OK(t, json.Unmarshal(whole[scorecard.CardFile].Data, &again))
			if x.plant != nil {
				x.plant(&again)
			}
			b, err := again.JSON()
			must.OK(t, err)
			got, err := scorecard.VerifyDecisions(t.Context(), b, bytes.NewReader(x.decided), here, nil)
			if x.want == "" {
				if err != nil || !reflect.DeepEqual(got, c) {
					t.Errorf("got %+v (%v), want the card", got, err)
				}
			} else if x.want == "no error" {
				if err != nil {
					t.Error(err)
				}
			} else if !errors.Is(err, card.ErrCard) || !strings.Contains(err.Error(), x.want) {
				t.Errorf("got %v, want a refusal with %q", err, x.want)
			}
		})
	}
}

// beliefs returns decisions of which none believes anything.
func beliefs(decided string) string {
	return regexp.MustCompile(`,"belief":\{.*?\}\}`).ReplaceAllString(decided, "")
}

// forged returns a record, hashes and all, in which a bot of the pool has decided otherwise in one step.
func forged(t *testing.T, b []byte) []byte {
	t.Helper()
	rec, err := replay.Verify(bytes.NewReader(b), catalog.Find)
	must.OK(t, err)
	engine, _ := catalog.Find(rec.Header.Game)
	p, err := replay.Deal(engine, rec.Header, rec.Seed)
	must.OK(t, err)
	var out bytes.Buffer
	line := func(b []byte) { out.Write(append(b, '\n')) }
	line(p.Header())
	line(bytes.Clone(p.Line()))
	forged := false
	for due := p.Table().Due(); due != 0; due = p.Table().Due() {
		var turns []replay.Turn
		for seat := range due.Each() {
			turn := replay.Turn{Seat: seat, Action: p.Table().House(seat), By: replay.ByBot}
			if step := p.Step() + 1; !forged && step < len(rec.Steps) {
				for _, was := range rec.Steps[step].Turns {
					if was.Seat == seat {
						turn = was
					}
				}
				if bot := rec.Header.Seats[seat].Bot; bot != "honest" && !bytes.Equal(turn.Action, p.Table().House(seat)) {
					turn.Action, forged = p.Table().House(seat), true
				}
			}
			turns = append(turns, turn)
		}
		must.OK(t, p.Play(turns))
		line(bytes.Clone(p.Line()))
	}
	if !forged {
		t.Fatal("every decision is the house's")
	}
	line(p.End(0, rec.Seed, rec.Nonce))
	return out.Bytes()
}

func changed(b []byte, at int) *fstest.MapFile {
	b = bytes.Clone(b)
	b[at] ^= 4
	return &fstest.MapFile{Data: b}
}

func sumOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// files returns all files below a folder.
func files(t *testing.T, dir string) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, name))
		out[name] = &fstest.MapFile{Data: b}
		return err
	})
	must.OK(t, err)
	return out
}
