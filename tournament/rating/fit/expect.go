package fit

import "math"

// What is believed of the log-odds of a comparison is taken as normal. The mean of a function over it is a sum over a few
// places (Gauss and Hermite): three where the odds are known well, nine elsewhere, each beside its mirror image.
var (
	fewPlaces  = []place{{0, 2. / 3}, {math.Sqrt(3), 1. / 6}}
	manyPlaces = []place{
		{0, .40634920634920635},
		{1.0232556637891326, .24409750289493910},
		{2.0768479786778302, .04991640676521787},
		{3.2054290028564704, .0027891413212317692},
		{4.5127458633997830, .000022345844007746584},
	}
)

// place is a distance from the middle in standard deviations, and the weight of each of the two places there; the middle is one.
type place struct{ at, weight float64 }

// wellKnown is the variance of log-odds up to which three places do.
const wellKnown = .1

func places(v float64) []place {
	if v <= wellKnown {
		return fewPlaces
	}
	return manyPlaces
}

// blurred returns the mean chance and the mean of its derivative where log-odds are normal with mean z and variance v.
func blurred(z, v float64) (chance, slope float64) {
	if v == 0 {
		chance = logistic(z)
		return chance, chance * (1 - chance)
	}
	sd := math.Sqrt(v)
	list := places(v)
	p := logistic(z)
	chance, slope = list[0].weight*p, list[0].weight*p*(1-p)
	for _, g := range list[1:] {
		p, q := logistic(z-g.at*sd), logistic(z+g.at*sd)
		chance += g.weight * (p + q)
		slope += g.weight * (p*(1-p) + q*(1-q))
	}
	return chance, slope
}

// blurredSoftplus returns the mean of ln(1+e^z) likewise.
func blurredSoftplus(z, v float64) float64 {
	if v == 0 {
		return softplus(z)
	}
	sd := math.Sqrt(v)
	list := places(v)
	sum := list[0].weight * softplus(z)
	for _, g := range list[1:] {
		sum += g.weight * (softplus(z-g.at*sd) + softplus(z+g.at*sd))
	}
	return sum
}

func logistic(odds float64) float64 { return 1 / (1 + math.Exp(-odds)) }

// softplus returns ln(1+e^z).
func softplus(z float64) float64 { return max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) }
