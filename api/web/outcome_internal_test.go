package web

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/tournament"
)

func TestAVerdictNamesWhoIsStrongerThanWhom(t *testing.T) {
	for _, c := range []struct {
		trial tournament.Trial
		want  string
	}{
		{tournament.Trial{Verdict: "H1", Elo1: 30}, "ada is stronger than bob. "},
		{tournament.Trial{Verdict: "H1", Elo0: -5, Elo1: 5, IsNormalisedTest: true}, "ada is stronger than bob by more than -5 normalised Elo. "},
		{tournament.Trial{Verdict: "H0", Elo1: 30}, "ada is not stronger than bob by 30 Elo. "},
		{tournament.Trial{Verdict: "undecided", Elo1: 30}, "It is undecided whether ada is stronger than bob by 30 Elo. "},
	} {
		if got := verdictOf([]tournament.Standing{{Bot: "bob", Rank: 1}, {Bot: "ada", Rank: 2, Trial: &c.trial}}); !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: got %q, want %q", c.trial, got, c.want)
		}
	}
}
