package molemajority

import mm "github.com/molerun/molerun/engines/molemajority"

// weights is what counts beside claims, in points, and the odds of what may come.
type weights struct {
	token float64 // a home token taken, whatever is on it
	lying float64 // a home token that still lies on an own claimed hex; below 0, so that homes are made before walls lock everybody in
	mover float64 // a mole that can move
	place float64 // any other mole on the board
	step  float64 // a step that is left to do
	home  float64 // Cave-Ins or a home left to do
	card  float64 // a card, times its keep
	keep  [mm.Cards]float64
	steal [7]float64 // by free spaces: that a seat fills up a claimed hex and takes it
	fill  [7]float64 // the same of a hex without an owner
	sure  float64    // that a hex without an owner goes to whom it must, once full
	swap  float64    // that a full hex is taken by a CONVERT
	roll  float64    // that a hex of one or two moles is emptied
	loot  float64    // what a threatened hex is worth to whom it may go, its size being 1
	luck  float64    // the lead that luck makes up for at the end, and for each hex without an owner
	each  float64
}

// judgement returns the thinker's.
func judgement() weights {
	return weights{
		token: 2, lying: -0.4, mover: 0.6, place: 0.35, step: 0.6, home: 1.5, card: 0.12,
		keep: [mm.Cards]float64{
			mm.Number4: 1.5, mm.Number3: 1.2, mm.Number2: 1, mm.CaveIn: 2, mm.Convert: 1, mm.Groundskeeper1: 0.6, mm.Groundskeeper2: 0.8,
			mm.GopherIt: 0.5,
		},
		steal: [7]float64{0, 0.27, 0.23, 0.17, 0.10, 0.04, 0.02},
		fill:  [7]float64{0, 0.42, 0.35, 0.29, 0.22, 0.15, 0.10},
		sure:  0.8, swap: 0.12, roll: 0.1, loot: 0.5, luck: 2, each: 0.45,
	}
}
