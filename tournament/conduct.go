package tournament

import "slices"

// Conduct is what in a bot's matches keeps it paused until an administrator lifts it; "" is nothing.
type Conduct string

// The limits that a bot can exceed.
const (
	ConductVoids       Conduct = "voids"       // far more of its matches than of others' are void by our fault
	ConductRetirements Conduct = "retirements" // retired from team games far more often than others
)

const (
	// ConductWindow is how many of its last matches a bot is judged by.
	ConductWindow = 50
	// ConductLeast is how many of them count as repeated; fewer never count, whatever others do.
	ConductLeast = 5
	// conductFloor is the share that any bot may have by bad luck of its own.
	conductFloor = 0.01
	// conductRisk is how likely a bot that only has the others' luck may be to look as bad.
	conductRisk = 1e-6
)

// Ended is a finished match of a bot, as conduct is judged by it.
type Ended struct {
	Void    bool     // by our fault, at the first attempt to play it
	Retired bool     // the bot was, from a game of teams
	With    []string // the other bots' ids
	// Others are the matches without the bot that ended in the same ten minutes, and how many of them were void by our fault
	// or had a seat retired.
	Others, OthersVoid, OthersRetired int
}

// Judge says which limit a bot's matches, at most [ConductWindow], exceed. There must be at least five void ones (or
// retirements), and more than a bot with the others' luck at those times would have in one window of a million. Void matches
// with the one bot that it shares most of them with are left out, because that bot may be the cause.
func Judge(list []Ended) Conduct {
	void := func(e Ended) bool { return e.Void }
	retired := func(e Ended) bool { return e.Retired }
	switch {
	case past(without(list, partner(list)), void, func(e Ended) int { return e.OthersVoid }):
		return ConductVoids
	case past(list, retired, func(e Ended) int { return e.OthersRetired }):
		return ConductRetirements
	}
	return ""
}

// partner returns the bot that most of the void matches were with, "" if there are none.
func partner(list []Ended) string {
	var id string
	shared := map[string]int{}
	for _, e := range list {
		if !e.Void {
			continue
		}
		for _, other := range e.With {
			shared[other]++
			if shared[other] > shared[id] {
				id = other
			}
		}
	}
	return id
}

func without(list []Ended, bot string) []Ended {
	return slices.DeleteFunc(slices.Clone(list), func(e Ended) bool { return slices.Contains(e.With, bot) })
}

// past reports whether so many matches are bad that the others' luck does not explain it: chance[k] is how likely k bad ones
// are if each is as likely as among the others' matches of its ten minutes. A time with no others says nothing.
func past(list []Ended, bad func(Ended) bool, others func(Ended) int) bool {
	count := 0
	chance := []float64{1}
	for _, e := range list {
		if bad(e) {
			count++
		}
		p := max(conductFloor, float64(others(e)+1)/float64(e.Others+1))
		next := make([]float64, len(chance)+1)
		for k, c := range chance {
			next[k] += c * (1 - p)
			next[k+1] += c * p
		}
		chance = next
	}
	tail := 0.0
	for _, c := range chance[count:] {
		tail += c
	}
	return count >= ConductLeast && tail < conductRisk
}

// BotConduct counts what happened in a bot's matches.
type BotConduct struct {
	BotID       string  `json:"bot_id"`
	Bot         string  `json:"bot" example:"wallwizard"`
	Owner       string  `json:"owner" example:"ada"`
	Matches     int     `json:"matches"`                                                          // that ended in the time asked for
	Voids       int     `json:"voids"`                                                            // of those, void by the platform's fault; replays do not count again
	Retirements int     `json:"retirements"`                                                      // matches from which the bot was retired
	Resets      int     `json:"resets"`                                                           // decisions lost because the bot could not be reached or broke the connection
	Conduct     Conduct `json:"conduct,omitempty" swaggertype:"string" enums:"voids,retirements"` // the limit for which it is paused
} // @name ConductRow
