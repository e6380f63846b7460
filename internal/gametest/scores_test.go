package gametest

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

// The games of this file say how a match stands: the first as it is, the others each with one fault.
type (
	scored      struct{ toy }
	scoresOther struct{ scored }
	scoresTeams struct{ scoresOther } // teams have no points of their own: only the order counts
	scoresLess  struct{ scored }
	scoresMore  struct{ scored }
	scoresHid   struct{ scored }
	scoresLast  struct{ scored } // as if something counted beside the score
	endsInWire  struct{ scored }
	scoreWrites struct{ scored } // and the score is as it should be
)

func (scored) Result(s *toyState) game.Result {
	out := toy{}.Result(s)
	out.Points = []float64{float64(s.Sums[0]), float64(s.Sums[1])}
	return out
}

func (scored) Score(s *toyState, _ game.Seat) game.Score {
	return game.Score{Of: "points", Sides: game.BySeat(int(s.Sums[0]), int(s.Sums[1]))}
}

func (scored) EndingWords(why string) string {
	return map[string]string{"sums": "all bids are made"}[why]
}

func (scoresOther) Score(s *toyState, _ game.Seat) game.Score {
	return game.Score{Of: "points", Sides: game.BySeat(int(s.Sums[1]), int(s.Sums[0]))}
}

func (scoresTeams) Result(s *toyState) game.Result {
	out := scored{}.Result(s)
	out.Team = []string{"a", "b"}
	return out
}

func (scoresLess) Score(s *toyState, seat game.Seat) game.Score {
	return game.Score{Of: "points", Sides: scored{}.Score(s, seat).Sides[:min(2, toy{}.View(s, seat).Left)]}
}

func (scoresMore) Score(s *toyState, seat game.Seat) game.Score {
	out := scored{}.Score(s, seat)
	out.Rest, out.Sides[0].Points = "luck", out.Sides[0].Points+7
	return out
}

func (scoresHid) Score(s *toyState, seat game.Seat) game.Score {
	out := scored{}.Score(s, seat)
	out.Sides[0].Points += float64(s.Cards[0])
	return out
}

func (scoresLast) Score(s *toyState, seat game.Seat) game.Score {
	out := scored{}.Score(s, seat)
	out.Rest, out.Sides[0].Points, out.Sides[1].Points = "luck", 0, 0
	return out
}

func (scoreWrites) Score(s *toyState, seat game.Seat) game.Score {
	out := scored{}.Score(s, seat)
	s.Sums[0]++
	return out
}

func (endsInWire) EndingWords(string) string { return "all_bids" }

func TestAScoreThatDoesNotFitIsSeen(t *testing.T) {
	for _, row := range []struct {
		name, want string
		r          toyRules
	}{
		{name: "a game without a score", r: toy{}},
		{name: "a score that fits, without a key moment", r: scored{}, want: "the end is no key moment"},
		{name: "the points of the other", r: scoresOther{}, want: "points, and with the score"},
		{name: "the order of the other team", r: scoresTeams{}, want: "with a score of"},
		{name: "a side is lost", r: scoresLess{}, want: "want two sides and more"},
		{name: "more than the result gives", r: scoresMore{}, want: "points, and with the score"},
		{name: "what a seat cannot know", r: scoresHid{}, want: "cannot distinguish two tables"},
		{name: "something counts beside it", r: scoresLast{}, want: "the end is no key moment"},
		{name: "a wire word as the end", r: endsInWire{}, want: `has the words "all_bids"`},
	} {
		s := &suite{e: game.Wrap(row.r), maxSteps: 20}
		var got error
		for i := 0; i < 10 && got == nil; i++ {
			got = s.scores(Case{`{}`, 2}, Seed(i))
		}
		switch {
		case row.want == "" && got != nil:
			t.Errorf("%s: got %v", row.name, got)
		case row.want != "" && (got == nil || !strings.Contains(got.Error(), row.want)):
			t.Errorf("%s: got %v, want an error with %q", row.name, got, row.want)
		}
	}
}
