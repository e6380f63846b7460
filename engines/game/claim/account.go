package claim

import (
	"encoding/json"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// Account sums up what the bot of a seat claimed in a match.
type Account struct {
	Used
	Models []string // that usages named, sorted: the first [MaxModels]
	Own    Score    // of its beliefs
	Rules  Score    // of a player who had known the rules alone, at the same decisions
}

// Take adds what came with a decision of a seat, as the record has it; before is the table at which it was decided. A belief that does
// not fit what could be asked there is left out: no platform keeps such.
func (a *Account) Take(before game.Table, seat game.Seat, usage, belief json.RawMessage) {
	if len(usage) > 0 {
		model := a.Add(usage).Model
		if i, known := slices.BinarySearch(a.Models, model); model != "" && !known && len(a.Models) < MaxModels {
			a.Models = slices.Insert(slices.Clip(a.Models), i, model) // copies of the account keep theirs
		}
	}
	if len(belief) == 0 {
		return
	}
	asked := Asked(before.Questions(seat))
	own, err := ParseBelief(belief)
	if err != nil || own.Fits(asked) != nil {
		return
	}
	truth := before.Questions(game.Everything)
	a.Own.Add(own.Against(truth))
	a.Rules.Add(ByRules(asked).Against(truth))
}
