package matches

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
)

// tuningFormat names the version of the file that keeps a tuning.
const tuningFormat = "tuning/1"

// Param is a number that a bot takes from its environment.
type Param struct {
	Name  string  `json:"name"`
	Start float64 `json:"start"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	Whole bool    `json:"whole"` // it has no fraction
	At    float64 `json:"at"`    // where it stands, as a share of the way from Min to Max
	Sum   float64 `json:"sum"`   // of that after each step of the second half
}

// ParseParam reads NAME=START:MIN:MAX. Three numbers without a point are whole numbers. The error is [command.ErrUsage].
func ParseParam(word string) (Param, error) {
	name, rest, _ := strings.Cut(word, "=")
	p := Param{Name: name, Whole: !strings.ContainsAny(rest, ".eE")}
	parts := strings.Split(rest, ":")
	var numbers []float64
	for _, part := range parts {
		if x, err := strconv.ParseFloat(part, 64); err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) {
			numbers = append(numbers, x)
		}
	}
	if name == "" || len(parts) != 3 || len(numbers) != 3 {
		return p, fmt.Errorf("%w: --param: want NAME=START:MIN:MAX, like DEPTH=4:1:12 or WEIGHT=0.5:0.0:2.0, got %q", command.ErrUsage, word)
	}
	p.Start, p.Min, p.Max = numbers[0], numbers[1], numbers[2]
	if p.Min >= p.Max {
		return p, fmt.Errorf("%w: --param %s: want NAME=START:MIN:MAX with MIN below MAX, got %s and %s", command.ErrUsage, name, parts[1], parts[2])
	}
	if p.Start < p.Min || p.Start > p.Max {
		return p, fmt.Errorf("%w: --param %s: want a start of %s to %s, got %s", command.ErrUsage, name, parts[1], parts[2], parts[0])
	}
	p.At = (p.Start - p.Min) / (p.Max - p.Min)
	return p, nil
}

// set returns the parameter as the environment has it, at a share of its way.
func (p Param) set(at float64) string {
	x := p.Min + at*(p.Max-p.Min)
	if p.Whole {
		return p.Name + "=" + strconv.FormatFloat(math.Round(x), 'f', -1, 64)
	}
	return p.Name + "=" + strconv.FormatFloat(x, 'g', 6, 64)
}

// Tuning looks for better numbers by simultaneous perturbation (Spall, 1998, An overview of the simultaneous perturbation method for
// efficient optimization): in a step all numbers are moved at once by c/(k+1)^0.101 of their ranges, whole ones by 1 at least, each up or
// down by chance; what is better of that and its opposite says where all go next, by the gain a/(k+1+steps/10)^0.602. A file keeps it as JSON.
type Tuning struct {
	Format   string  `json:"format"`
	Command  string  `json:"command"`  // starts the bot; it listens on the port in PORT
	Opponent string  `json:"opponent"` // "": the two settings of a step play each other
	Params   []Param `json:"params"`
	Series   Series  `json:"series"` // what is played, but for the bots, the games and the seed of each step
	Steps    int     `json:"steps"`
	Pairs    int     `json:"pairs"` // of a step
	Final    int     `json:"final"` // pairs of the best setting against the start
	Gain     float64 `json:"a"`
	Move     float64 `json:"c"`
	Step     int     `json:"step"`             // how many are done
	Faults   int     `json:"faults,omitempty"` // of the bot, in these
}

// LoadTuning reads a file of a tuning; it is errFolder if that is none, or was changed to what none can be.
func LoadTuning(path string) (Tuning, error) {
	var t Tuning
	b, err := os.ReadFile(path)
	if err != nil {
		return t, err
	}
	if err := strict.Decode(b, &t); err != nil {
		return t, fmt.Errorf("%w: %s: %w", errFolder, path, err)
	}
	if t.Format != tuningFormat {
		return t, fmt.Errorf("%w: %s: format %q, this program reads %q", errFolder, path, t.Format, tuningFormat)
	}
	bad := t.Check()
	for _, p := range t.Params {
		if !(p.Min < p.Max && p.At == within(p.At)) {
			bad = errors.Join(bad, fmt.Errorf("%s: %g to %g, and it stands at %g of that way", p.Name, p.Min, p.Max, p.At))
		}
	}
	if t.Step < 0 || t.Step > t.Steps {
		bad = errors.Join(bad, fmt.Errorf("step %d of %d", t.Step, t.Steps))
	}
	if bad != nil {
		return t, fmt.Errorf("%w: %s was changed by hand: %s", errFolder, path, command.Text(bad))
	}
	return t, t.Series.find(path)
}

// Keep writes the file whole or not at all.
func (t Tuning) Keep(path string) error {
	t.Format = tuningFormat
	return keep(path, t)
}

// Check refuses a tuning that cannot be, with all that is wrong with it ([command.ErrUsage]).
func (t Tuning) Check() error {
	var bad []error
	refuse := func(format string, args ...any) {
		bad = append(bad, fmt.Errorf("%w: "+format, append([]any{command.ErrUsage}, args...)...))
	}
	if strings.TrimSpace(t.Command) == "" {
		refuse(`--cmd starts your bot, which listens on the port in PORT: --cmd "python3 bot.py"`)
	} else if _, err := command.Words("cmd", t.Command); err != nil {
		bad = append(bad, err)
	}
	if len(t.Params) == 0 {
		refuse("--param NAME=START:MIN:MAX names a number that the bot reads from its environment")
	}
	taken := map[string]bool{"PORT": true, "MOLERUN_SECRET": true}
	for _, p := range t.Params {
		if taken[p.Name] {
			refuse("--param %s: is given twice, or is none of the bot's own", p.Name)
		}
		taken[p.Name] = true
	}
	for _, x := range []struct {
		flag  string
		value float64
		least float64
		most  float64
	}{
		{"steps", float64(t.Steps), 1, 100_000},
		{"pairs", float64(t.Pairs), 1, MaxGames / 2},
		{"final", float64(t.Final), 0, MaxGames / 2},
		{"a", t.Gain, 1e-6, 100},
		{"c", t.Move, 1e-3, .5},
	} {
		if !(x.least <= x.value && x.value <= x.most) {
			refuse("--%s: want %g to %g, got %g", x.flag, x.least, x.most, x.value)
		}
	}
	return errors.Join(bad...)
}

// signs returns which numbers go up in the step that is next: 1, or -1 for down.
func (t Tuning) signs() []float64 {
	luck := game.Stream(house.Seed(t.Series.Seed), t.Step, "tuning")
	out := make([]float64, len(t.Params))
	for i := range out {
		out[i] = float64(2*luck.IntN(2) - 1)
	}
	return out
}

// move returns how far a number is moved in the step that is next, as a share of its range. A whole one that moved less than 1 could be
// the same in both settings.
func (t Tuning) move(p Param) float64 {
	share := t.Move / math.Pow(float64(t.Step+1), .101)
	if p.Whole {
		return max(share, 1/(p.Max-p.Min))
	}
	return share
}

// Settings returns the two settings that the next step compares, as lines of an environment.
func (t Tuning) Settings() (plus, minus []string) {
	for i, sign := range t.signs() {
		p := t.Params[i]
		plus = append(plus, p.set(within(p.At+sign*t.move(p))))
		minus = append(minus, p.set(within(p.At-sign*t.move(p))))
	}
	return plus, minus
}

// Matches returns the series of the next step between two bots, one with a setting of it. Both settings meet the same deals.
func (t Tuning) Matches(first, second string) Series {
	s := t.Series
	s.Bots, s.Games = []string{first, second}, 2*t.Pairs
	if t.Step == t.Steps {
		s.Games = 2 * t.Final
	}
	s.Seed = game.Stream(house.Seed(t.Series.Seed), t.Step, "tuning deals").Uint64()
	return s
}

// Learn takes what the first setting of the step scored more than the second, −1 to 1, and goes to the next step.
func (t *Tuning) Learn(ahead float64) {
	gain := t.Gain / math.Pow(float64(t.Step+1)+float64(t.Steps)/10, .602)
	for i, sign := range t.signs() {
		p := &t.Params[i]
		const grid = 1 << 40 // the last bits of math.Pow differ between processors
		p.At = math.Round(grid*within(p.At+gain*ahead/(2*t.move(*p)*sign))) / grid
		if t.Step >= t.Steps/2 {
			p.Sum += p.At
		}
	}
	t.Step++
}

// within keeps a share between 0 and 1.
func within(at float64) float64 { return min(max(at, 0), 1) }

// Best returns the setting that the steps found, the mean of their second half, as lines of an environment; start is the first.
func (t Tuning) Best() (best, start []string) {
	for _, p := range t.Params {
		at := p.At
		if n := t.Step - t.Steps/2; n > 0 {
			at = p.Sum / float64(n)
		}
		best = append(best, p.set(at))
		start = append(start, p.set((p.Start-p.Min)/(p.Max-p.Min)))
	}
	return best, start
}
