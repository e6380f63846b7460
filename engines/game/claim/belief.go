package claim

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
)

// Limits of a belief.
const (
	MaxBeliefBytes = 8 << 10
	MaxChances     = 512
	tolerance      = 1e-6 // of the sum of a distribution
)

// Belief is, by what a question is about, how likely its answers are: {"3":{"agent":0.6,"mole":0.4}}. Answers left out have the chance 0.
type Belief map[string]map[string]float64

// ParseBelief reads a belief, strictly, and checks that it is made of distributions: finite chances from 0 to 1 that sum up to 1. The
// error says which is none.
func ParseBelief(raw []byte) (Belief, error) {
	if len(raw) > MaxBeliefBytes {
		return nil, fmt.Errorf("%d bytes, at most %d are kept", len(raw), MaxBeliefBytes)
	}
	var b Belief
	if err := strict.Decode(raw, &b); err != nil {
		return nil, err
	}
	if len(b) == 0 {
		return nil, errors.New("it says nothing")
	}
	entries := 0
	for _, about := range slices.Sorted(maps.Keys(b)) {
		sum := 0.0
		for _, answer := range slices.Sorted(maps.Keys(b[about])) {
			p := b[about][answer]
			if !(p >= 0 && p <= 1+tolerance) {
				return nil, &strict.Error{Pointer: "/" + about + "/" + answer, Reason: fmt.Sprintf("want a chance from 0 to 1, got %v", p)}
			}
			sum += p
		}
		if entries += len(b[about]); math.Abs(sum-1) > tolerance {
			return nil, &strict.Error{Pointer: "/" + about, Reason: fmt.Sprintf("the chances sum up to %v, want 1", sum)}
		}
	}
	if entries > MaxChances {
		return nil, fmt.Errorf("%d chances, at most %d are kept", entries, MaxChances)
	}
	return b, nil
}

// Asked returns the questions of which the rules leave more than one answer: what a seat is asked about.
func Asked(all []game.Question) []game.Question {
	var out []game.Question
	for _, q := range all {
		if len(q.Answers) > 1 {
			out = append(out, q)
		}
	}
	return out
}

// ByRules is the belief of whoever knows the rules alone.
func ByRules(asked []game.Question) Belief {
	out := make(Belief, len(asked))
	for _, q := range asked {
		out[q.About] = make(map[string]float64, len(q.Answers))
		for i, answer := range q.Answers {
			out[q.About][answer] = q.P[i]
		}
	}
	return out
}

// Fits says why a belief does not answer what was asked: one distribution for each question, over its answers.
func (b Belief) Fits(asked []game.Question) error {
	if len(asked) == 0 {
		return errors.New("nothing was asked for: the match does not ask for beliefs, or nothing is hidden from you")
	}
	about := map[string]bool{}
	for _, q := range asked {
		about[q.About] = true
		if b[q.About] == nil {
			return fmt.Errorf("a distribution about %q is missing", q.About)
		}
		for _, answer := range slices.Sorted(maps.Keys(b[q.About])) {
			if !slices.Contains(q.Answers, answer) {
				return &strict.Error{Pointer: "/" + q.About + "/" + answer, Reason: "is no answer to the question"}
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(b)) {
		if !about[key] {
			return &strict.Error{Pointer: "/" + key, Reason: "was not asked for"}
		}
	}
	return nil
}

// Least is the chance that the logarithm of a smaller one is taken of, so that no score is infinite.
const Least = 1e-6

// Score is the sum of the scores of beliefs: less is better, and an honest belief has the least on average. A belief's score is the
// mean over its questions: Brier (1950) sums the squares of what the chances are off, 0 to 2; Log is the negative natural logarithm of
// the chance given to the truth, in nats.
type Score struct {
	Beliefs    int
	Brier, Log float64
}

// Add adds another sum.
func (s *Score) Add(x Score) {
	s.Beliefs += x.Beliefs
	s.Brier += x.Brier
	s.Log += x.Log
}

// Mean returns both scores a belief; 0 of none.
func (s Score) Mean() (brier, log float64) {
	if s.Beliefs == 0 {
		return 0, 0
	}
	return s.Brier / float64(s.Beliefs), s.Log / float64(s.Beliefs)
}

// Rounded returns the mean in ten-thousandths: the last bits of logarithms differ between processors.
func (s Score) Rounded() (brier, log float64) {
	brier, log = s.Mean()
	return math.Round(1e4*brier) / 1e4, math.Round(1e4*log) / 1e4
}

// Against scores a belief that [Belief.Fits] what was asked. truth has the one answer of each question, and may have others.
func (b Belief) Against(truth []game.Question) Score {
	out := Score{Beliefs: 1}
	n := 0.0
	for _, q := range truth {
		chances, ok := b[q.About]
		if !ok {
			continue
		}
		n++
		right := q.Answers[0]
		sum, off := 0.0, 0.0
		for _, answer := range slices.Sorted(maps.Keys(chances)) { // in one order: sums of fractions depend on it
			sum += chances[answer]
		}
		for _, answer := range slices.Sorted(maps.Keys(chances)) {
			if answer != right {
				off += float64(chances[answer] / sum * (chances[answer] / sum))
			}
		}
		p := chances[right] / sum
		out.Brier += off + float64((1-p)*(1-p))
		out.Log -= math.Log(max(p, Least))
	}
	if n == 0 {
		return Score{} // a mean of nothing is no number, and no store takes one
	}
	out.Brier /= n
	out.Log /= n
	return out
}
