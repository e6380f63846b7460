package fit

// Prior is what is believed before the first match: standard deviations in Elo, each of a normal distribution about 0
// unless said otherwise. 0 leaves the thing out of the model; Bot and Version must be above 0.
type Prior struct {
	Bot     float64 // strength of a version without a parent
	Version float64 // strength of a version, about its parent's
	Team    float64 // advantage of one team over the other, at each table size
	Seat    float64 // advantage of each seat in a game without teams, at each table size
	Role    float64 // how much stronger a version is in one team than it is on the whole
	// Mean asks for the mean of what can be believed after the matches, which errs least, instead of the likeliest, and
	// has each pair at a table of n count 3/(n+1), as [rating.Rate] does: a table of n tells less than n(n−1)/2 games of
	// two, and taken for as much it would drown the prior. Without it the fit is the textbook's.
	Mean bool
	// Learn takes Bot for a guess only: how far bots are spread is integrated over, from an eighth of it to four times as much, so
	// that early ratings of bots that are much alike stay close together. Version goes in proportion; Role is estimated along
	// with the rest, the guess counting for one observation. Implies Mean.
	Learn bool
	// Camps allows the bots to be of two camps, the strong and the weak, with a gap that is integrated over. Needs Learn.
	Camps bool
}

func (p *Prior) means() bool { return p.Mean || p.Learn }

// Standard returns the prior of games without teams.
func Standard() Prior { return Prior{Bot: 350, Version: 100, Seat: 100, Learn: true, Camps: true} }

// HiddenTeams returns the prior of games with teams, where one bot moves the result less (docs/decisions/0025, 0026).
func HiddenTeams() Prior {
	return Prior{Bot: 130, Version: 65, Team: 100, Role: 75, Learn: true, Camps: true}
}

// precision returns 1/sd², of a standard deviation above 0.
func precision(sd float64) float64 { return 1 / (sd * sd) }
