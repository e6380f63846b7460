package demol

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

// A description tells of plot cards wherever one is, and not without.
func TestADescriptionTellsOfPlotCardsWhereTheyAre(t *testing.T) {
	plain := open(t, Config{}, 5, 0, 0, 1)
	for name, x := range map[string]struct {
		put  func(v *View)
		want string
	}{
		"nowhere":        {func(*View) {}, ""},
		"in the deck":    {func(v *View) { v.Deck = 1 }, "Plot cards left in the deck: 1."},
		"drawn":          {func(v *View) { v.Drawn = []string{"open_up"} }, "Drawn, to be given: open_up."},
		"discarded":      {func(v *View) { v.Discard = []string{"open_up"} }, "Plot cards left in the deck: 0."},
		"before a seat":  {func(v *View) { v.Seats[3].Cards = []string{"spotlight"} }, "Seat 3 holds spotlight."},
		"played openly":  {func(v *View) { v.Deck, v.OpenMission = 1, map[game.Seat]bool{2: true, 1: false} }, "Played openly: 1 fail, 2 success."},
		"in a spotlight": {func(v *View) { v.Deck, v.Spotlit = 1, seatsOf(2) }, "In the spotlight: 2."},
		"declined":       {func(v *View) { v.Deck, v.Passed = 1, seatsOf(4) }, "Asked no more in this round: 4."},
	} {
		view := Rules{}.View(&plain.s, 0)
		x.put(&view)
		got := Rules{}.Describe(view)
		if !strings.Contains(got, x.want) || (x.want != "") != strings.Contains(got, "Plot cards left") {
			t.Errorf("%s: want %q in\n%s", name, x.want, got)
		}
		for _, words := range []string{"Drawn, to be", " holds ", "Played openly", "In the spotlight", "Asked no more"} {
			if strings.Contains(got, words) && !strings.Contains(x.want, words) {
				t.Errorf("%s: want no %q in\n%s", name, words, got)
			}
		}
	}
}

// Who is asked, in words, where others have answered openly and where nobody has.
func TestADescriptionTellsWhoAnswersOpenly(t *testing.T) {
	d := open(t, Config{}, 5, 0, 0, 1)
	for _, x := range []struct {
		phase Phase
		open  bool
		want  string
	}{
		{phaseVote, false, "All vote on the team."},
		{phaseVote, true, "The others vote on the team."},
		{phaseMission, false, "The team is on the mission."},
		{phaseMission, true, "The others on the team play their mission cards."},
	} {
		view := Rules{}.View(&d.s, 0)
		view.Phase = x.phase.String()
		if x.open {
			view.OpenVotes, view.OpenMission = map[game.Seat]bool{1: true}, map[game.Seat]bool{1: true}
		}
		if got := (Rules{}).Describe(view); !strings.Contains(got, x.want) {
			t.Errorf("%s, open %v: want %q in\n%s", x.phase, x.open, x.want, got)
		}
	}
}
