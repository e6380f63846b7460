package sprt

import "math"

// reach of a 95 % interval in standard deviations of the normal distribution.
const reach = 1.959963984540054

// Interval is an estimate with its 95 % interval.
type Interval struct{ Value, Low, High float64 }

// Strength is how much stronger the first version is after a tally of fixed length. After a test that could stop early it
// is biased towards whoever was ahead when it stopped: see [Test.Estimate].
type Strength struct {
	Score      float64  // mean points per game
	Elo        Interval // of that score, in Elo
	Normalised Interval // in normalised Elo
	Superior   float64  // likelihood, 0 to 1, that the first version is the stronger one
}

// Measure is the strength that a tally shows. While all units have the same score, another one is assumed, spread evenly
// over the scores, so that nothing is infinite and nothing is certain.
func Measure(tally Tally) (Strength, error) {
	if err := tally.check(); err != nil {
		return Strength{}, err
	}
	d, n := tally.shares()
	mean, variance := d.moments()
	se := math.Sqrt(variance / n)
	perGame := normal / math.Sqrt(float64(tally.size()))
	t := (mean - .5) / math.Sqrt(variance)
	half := reach / math.Sqrt(n)
	return Strength{
		Score:      mean,
		Elo:        Interval{eloOf(mean), eloOf(mean - reach*se), eloOf(mean + reach*se)},
		Normalised: Interval{t * perGame, (t - half) * perGame, (t + half) * perGame},
		Superior:   phi((mean - .5) / se),
	}, nil
}

// shares are the plain shares of a tally and the number of units.
func (t Tally) shares() (distribution, float64) {
	n, even := float64(t.Units()), 0.0
	for _, c := range t {
		if float64(c) == n {
			even = 1 / float64(len(t))
			break
		}
	}
	d := make(distribution, len(t))
	n += even * float64(len(t))
	for i, c := range t {
		d[i] = (float64(c) + even) / n
	}
	return d, n
}

// eloOf is the Elo of a mean score. A score outside 0 to 1, which an interval may reach, counts as one just inside.
func eloOf(score float64) float64 {
	const edge = 1e-3
	score = min(max(score, edge), 1-edge)
	return logit * math.Log(score/(1-score))
}

// scoreOf is the mean score that a difference of elo brings.
func scoreOf(elo float64) float64 { return 1 / (1 + math.Exp(-elo/logit)) }

// phi is the standard normal distribution function.
func phi(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// logPhi is its logarithm, far out too.
func logPhi(x float64) float64 {
	if x > -10 {
		return math.Log(phi(x))
	}
	return -x*x/2 - math.Log(-x*math.Sqrt(2*math.Pi)) - 1/(x*x)
}

// Estimate is how much stronger the first version is, in Elo, when the series has been judged after every unit. The value is
// as often too high as too low, whichever way the test ends, and the interval holds the truth 95 times of 100; a plain
// [Measure] would be biased by the stopping.
//
// Outcomes are put in order from an early H0 over a late H0, no decision, and a late H1 to an early H1; the value and its
// bounds are the differences under which an outcome better than this one has the chance 1/2, 0.025 and 0.975. The
// log-likelihood ratio is taken for a Brownian motion between the bounds.
func (t Test) Estimate(tally Tally) (Interval, error) {
	llr, err := t.LLR(tally)
	if err != nil {
		return Interval{}, err
	}
	seen, units := tally.chances()
	w := t.walk(seen)
	if slope := llr / units; llr < w.low || llr > w.high { // it cannot be beyond: it stepped over the bound
		llr = min(max(llr, w.low), w.high)
		units = llr / slope
	}
	find := func(chance float64) float64 {
		from, to := -float64(widest), float64(widest)
		for range 60 {
			middle := (from + to) / 2
			if w.better(units, llr, middle) < chance {
				from = middle
			} else {
				to = middle
			}
		}
		return (from + to) / 2
	}
	return Interval{Value: find(.5), Low: find(.025), High: find(.975)}, nil
}

// walk is a test's log-likelihood ratio as a walk between two bounds, for what was seen.
type walk struct {
	low, high float64
	seen      distribution
	jumps     []float64
}

func (t Test) walk(seen distribution) walk {
	score := scoreOf
	if t.Normalised {
		_, variance := seen.moments()
		perGame := math.Sqrt(variance * float64(len(seen)/2))
		score = func(elo float64) float64 { return min(max(.5+elo/normal*perGame, 1e-6), 1-1e-6) }
	}
	w := walk{seen: seen}
	w.low, w.high = t.Bounds()
	h0, h1 := seen.withMean(score(t.Elo0)), seen.withMean(score(t.Elo1))
	for i := range seen {
		w.jumps = append(w.jumps, math.Log(h1[i]/h0[i]))
	}
	return w
}

// better is the chance, if the difference is elo, that the walk hits the upper bound before this time and the lower bound,
// or is still between the bounds at this time and above at.
func (w walk) better(time, at, elo float64) float64 {
	truth := w.seen.withMean(scoreOf(elo))
	drift, square := 0.0, 0.0
	for i, p := range truth {
		drift += p * w.jumps[i]
		square += p * w.jumps[i] * w.jumps[i]
	}
	walk := motion{
		low:      w.low,
		high:     w.high,
		drift:    drift,
		variance: square - drift*drift,
	}
	return walk.better(time, at)
}

// motion is a Brownian motion that starts at 0 and ends at either bound; drift and variance are per unit of time.
type motion struct{ low, high, drift, variance float64 }

func (m motion) better(time, at float64) float64 {
	width, tilt := m.high-m.low, m.drift/m.variance
	if spread := m.variance * time; spread < .01*width*width || math.Abs(tilt)*width > 15 {
		return m.nearBound(time, at)
	}
	return min(1, max(0, m.everHigh()-m.alive(time, at)))
}

// everHigh is the chance that the upper bound is hit first, whenever.
func (m motion) everHigh() float64 {
	width, tilt := m.high-m.low, m.drift/m.variance
	if math.Abs(tilt*width) < 1e-9 {
		return -m.low / width
	}
	return math.Expm1(2*tilt*m.low) / math.Expm1(-2*tilt*width)
}

// alive is what the chance to be better lacks while both bounds are still ahead: the eigenfunctions of the motion between
// them, integrated.
func (m motion) alive(time, at float64) float64 {
	width, tilt := m.high-m.low, m.drift/m.variance
	sum := 0.0
	for n := 1.0; ; n++ {
		wave := n * math.Pi / width
		decay := m.variance * time / 2 * (wave*wave + tilt*tilt)
		size := math.Exp(tilt*at - decay)
		sum += math.Sin(-wave*m.low) * size * (tilt*math.Sin(wave*(at-m.low)) - wave*math.Cos(wave*(at-m.low))) / (tilt*tilt + wave*wave)
		if size < 1e-14 || n > 1000 {
			return 2 / width * sum
		}
	}
}

// nearBound is [motion.better] where the bound on the other side is out of reach: by reflection at the nearer one.
func (m motion) nearBound(time, at float64) float64 {
	sd, tilt := math.Sqrt(m.variance*time), m.drift/m.variance
	if at < 0 {
		below := phi((at-m.drift*time)/sd) + math.Exp(2*tilt*m.low+logPhi((2*m.low-at+m.drift*time)/sd))
		return 1 - min(1, below)
	}
	return min(1, phi((m.drift*time-at)/sd)+math.Exp(2*tilt*m.high+logPhi((at-2*m.high-m.drift*time)/sd)))
}
