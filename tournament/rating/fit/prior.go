package fit

import (
	"fmt"
	"math"
)

// Prior is what is believed before the first match: standard deviations in Elo, each of a normal distribution about 0
// unless said otherwise. 0 leaves the thing out of the model; Bot and Version must be above 0.
type Prior struct {
	Bot     float64 // strength of a version without a parent
	Version float64 // strength of a version, about its parent's
	Team    float64 // advantage of one team over the other, at each table size
	Seat    float64 // advantage of each seat in a game without teams, at each table size
	Role    float64 // how much stronger a version is in one team than it is on the whole
}

// Standard is the prior of games without teams.
func Standard() Prior { return Prior{Bot: 350, Version: 100, Seat: 100} }

// HiddenTeams is the prior of games with teams, where one bot moves the result less.
func HiddenTeams() Prior { return Prior{Bot: 200, Version: 100, Team: 200, Role: 75} }

func (p Prior) check() error {
	for _, sd := range []struct {
		name  string
		value float64
		zero  bool
	}{{"Bot", p.Bot, false}, {"Version", p.Version, false}, {"Team", p.Team, true}, {"Seat", p.Seat, true}, {"Role", p.Role, true}} {
		if !(sd.value >= 0) || sd.value > 1e6 || (sd.value == 0 && !sd.zero) {
			return fmt.Errorf("prior: %s is %v Elo; want at most a million, and above 0 for Bot and Version", sd.name, sd.value)
		}
	}
	return nil
}

// precision is 1/sd², of a standard deviation above 0.
func precision(sd float64) float64 { return 1 / math.Pow(sd, 2) }
