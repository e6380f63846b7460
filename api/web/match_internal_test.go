package web

import (
	"testing"

	"github.com/molerun/molerun/api/wire"
)

func TestThePageSaysWhoseRatingsAMatchChanges(t *testing.T) {
	for _, row := range []struct {
		name     string
		match    wire.Match
		oneOwner bool
		want     string
	}{
		{name: "apart", match: wire.Match{Rated: true, Outcome: &wire.Outcome{Apart: true}}, want: "only for the retired bots"},
		{name: "rated", match: wire.Match{Rated: true, Outcome: &wire.Outcome{}}, want: "yes"},
		{name: "rated, not over", match: wire.Match{Rated: true}, want: "yes"},
		{name: "unrated", match: wire.Match{Outcome: &wire.Outcome{}}, want: "no"},
		{name: "of one owner", match: wire.Match{}, oneOwner: true, want: "no: two of the bots belong to one owner"},
	} {
		if got := ratedWords(row.match, row.oneOwner); got != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
}
