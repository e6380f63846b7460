package matches

import (
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// tuned returns a tuning of some numbers.
func tuned(t *testing.T, seed uint64, steps int, words ...string) Tuning {
	t.Helper()
	s, _ := settled(t, Series{Game: "molehill", Bots: []string{"", ""}, Games: 2, Seed: seed, Rotate: true, Paired: true, Meetings: RoundRobin})
	out := Tuning{Command: "bot", Series: *s, Steps: steps, Pairs: 8, Final: 10, Gain: .3, Move: .1}
	for _, word := range words {
		p, err := ParseParam(word)
		must.OK(t, err)
		out.Params = append(out.Params, p)
	}
	must.OK(t, out.Check())
	return out
}

// numbers reads the lines of an environment.
func numbers(t *testing.T, lines []string) []float64 {
	t.Helper()
	var out []float64
	for _, line := range lines {
		_, text, _ := strings.Cut(line, "=")
		x, err := strconv.ParseFloat(text, 64)
		must.OK(t, err)
		out = append(out, x)
	}
	return out
}

// A whole number reaches the bot with all its digits, as a bot reads one.
func TestWholeNumbersKeepTheirDigits(t *testing.T) {
	for word, want := range map[string]string{
		"N=4:1:12":                              "N=4",
		"N=1000000:1:2000000":                   "N=1000000",
		"N=-12345678:-12345679:0":               "N=-12345678",
		"N=9007199254740991:0:9007199254740991": "N=9007199254740991",
		"N=0.25:0.0:1.0":                        "N=0.25",
	} {
		if _, start := tuned(t, 1, 10, word).Best(); start[0] != want {
			t.Errorf("%s: got %s, want %s", word, start[0], want)
		}
	}
	plus, _ := tuned(t, 1, 10, "N=1490003:0:100000000").Settings()
	if _, err := strconv.Atoi(strings.TrimPrefix(plus[0], "N=")); err != nil {
		t.Error(err)
	}
}

// Against a noise as strong as that of a few games it finds the top of a hill of two numbers: over 40 seeds the mean distance is a third of
// that of the start or less, and the mean of where it ends is near the top. A file in between changes nothing.
func TestATuningFindsTheTop(t *testing.T) {
	strength := func(lines []string) float64 { // at its top A is 7 and B 0.2
		x := numbers(t, lines)
		return -math.Pow((x[0]-7)/10, 2) - math.Pow(x[1]-.2, 2)
	}
	const seeds = 40
	away := 0.0
	sum := []float64{0, 0}
	for seed := range uint64(seeds) {
		x := tuned(t, seed, 200, "A=2:0:10", "B=0.8:0.0:1.0")
		noise := game.Stream(house.Seed(x.Series.Seed), 0, "noise")
		for x.Step < x.Steps {
			plus, minus := x.Settings()
			x.Learn(3*(strength(plus)-strength(minus)) + float64(noise.IntN(801)-400)/1000)
			if x.Step == 77 {
				file := filepath.Join(t.TempDir(), "t.json")
				must.OK(t, x.Keep(file))
				read, err := LoadTuning(file)
				if read.Format = ""; err != nil || !reflect.DeepEqual(read, x) {
					t.Fatalf("read back %+v, %v; want %+v", read, err, x)
				}
				x = read
			}
		}
		best, start := x.Best()
		away += math.Sqrt(-strength(best)) / math.Sqrt(-strength(start)) / seeds
		for i, n := range numbers(t, best) {
			sum[i] += n / seeds
		}
	}
	if away > 1./3 || math.Abs(sum[0]-7) > .7 || math.Abs(sum[1]-.2) > .07 {
		t.Errorf("it ends %.2f as far away as it began, on average at %.2f; want 7 and 0.2", away, sum)
	}
}

func TestNumbersStayInTheirRangesAndWholeOnesWhole(t *testing.T) {
	x := tuned(t, 1, 50, "DEPTH=2:1:3", "W=0.1:0.0:1.0")
	for x.Step < x.Steps {
		plus, minus := x.Settings()
		best, _ := x.Best()
		for _, lines := range [][]string{plus, minus, best} {
			n := numbers(t, lines)
			if n[0] != math.Round(n[0]) || n[0] < 1 || n[0] > 3 || n[1] < 0 || n[1] > 1 || !strings.HasPrefix(lines[0], "DEPTH=") {
				t.Fatalf("step %d: %v", x.Step, lines)
			}
		}
		x.Learn(1) // always the one that is called plus: the numbers wander to their ends
	}
	if _, start := x.Best(); !reflect.DeepEqual(start, []string{"DEPTH=2", "W=0.1"}) {
		t.Errorf("the start is %v", start)
	}
}

// A file that was changed to what no tuning can be is refused, and nothing is started.
func TestATuningThatWasChangedByHandIsRefused(t *testing.T) {
	x := tuned(t, 1, 4, "A=1:0.0:2.0")
	path := filepath.Join(t.TempDir(), "tuning.json")
	load := func(change func(x *Tuning)) error {
		y := x
		y.Params = slices.Clone(x.Params)
		change(&y)
		must.OK(t, y.Keep(path))
		_, err := LoadTuning(path)
		return err
	}
	must.OK(t, load(func(*Tuning) {}))
	for i, change := range []func(x *Tuning){
		func(x *Tuning) { x.Command = "" }, func(x *Tuning) { x.Steps = -1 }, func(x *Tuning) { x.Step = 5 }, func(x *Tuning) { x.Step = -1 },
		func(x *Tuning) { x.Move = 0 }, func(x *Tuning) { x.Params = nil }, func(x *Tuning) { x.Params[0].At = 2 }, func(x *Tuning) { x.Params[0].Max = 0 },
		func(x *Tuning) { x.Series.Seats = 0 },
	} {
		if err := load(change); !errors.Is(err, errFolder) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "usage") {
			t.Errorf("change %d: got %v, want a refusal of the file", i, err)
		}
	}
}

func TestAllThatIsWrongWithATuningIsSaidAtOnce(t *testing.T) {
	for _, word := range []string{"", "A", "A=1", "A=1:2", "A=x:0:2", "A=3:0:2", "A=1:2:0", "A=1:1:1", "=1:0:2", "A=NaN:0:2", "A=1:0:Inf", "A=1:0:2:3"} {
		if _, err := ParseParam(word); !errors.Is(err, command.ErrUsage) || !strings.Contains(err.Error(), "--param") {
			t.Errorf("%q: %v", word, err)
		}
	}
	for word, want := range map[string]string{"A=3:0:2": "want a start of 0 to 2, got 3", "A=0.5:1.0:0.0": "with MIN below MAX, got 1.0 and 0.0"} {
		if _, err := ParseParam(word); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", word, err, want)
		}
	}
	p := Param{Name: "PORT"}
	err := Tuning{Params: []Param{p}, Pairs: 0, Steps: 0, Final: -1, Gain: math.NaN(), Move: 1}.Check()
	for _, want := range []string{"--cmd", "PORT", "--steps", "--pairs", "--final", "--a:", "--c:"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}

// Two settings that were the same would say nothing about a number, and move it by luck alone.
func TestTheSettingsOfAStepDifferInEveryNumber(t *testing.T) {
	for _, word := range []string{"N=0:0:1", "N=1:0:1", "N=-3:-3:1", "N=2:1:6", "N=6:1:6", "N=50:1:1000000"} {
		x := tuned(t, 1, 400, word)
		for x.Step < x.Steps {
			plus, minus := x.Settings()
			if reflect.DeepEqual(plus, minus) {
				t.Fatalf("%s, step %d at %v: both settings are %v", word, x.Step, x.Params[0].At, plus)
			}
			x.Learn(float64(x.Step%5)/4 - .5)
		}
	}
	x := tuned(t, 1, 60, "DEPTH=2:1:6")
	for x.Step < x.Steps {
		plus, minus := x.Settings()
		x.Learn((numbers(t, plus)[0] - numbers(t, minus)[0]) / 10) // the deeper the better
	}
	if best, _ := x.Best(); best[0] != "DEPTH=6" {
		t.Errorf("the deeper the better, and the best is %s", best[0])
	}
}
