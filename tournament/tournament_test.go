package tournament_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

func TestTextsAreCheckedAllAtOnce(t *testing.T) {
	full := strings.Repeat("é", tournament.MaxProse)
	for _, row := range []struct {
		name  string
		texts tournament.Texts
		want  string // the places, in order
	}{
		{"nothing", tournament.Texts{}, "[]"},
		{"as long as can be, in characters", tournament.Texts{Description: full, Rules: full, Prizes: full}, "[]"},
		{"lines and marks", tournament.Texts{Description: "# A\n\n- b\t<b>"}, "[]"},
		{"one too long", tournament.Texts{Rules: full + "x"}, "[/rules]"},
		{"all wrong", tournament.Texts{Description: full + "x", Rules: "a\x00", Prizes: "\u202e"}, "[/description /rules /prizes]"},
		{"a carriage return", tournament.Texts{Prizes: "a\r\nb"}, "[/prizes]"},
	} {
		places := []string{}
		if many, ok := row.texts.Check().(interface{ Unwrap() []error }); ok {
			for _, err := range many.Unwrap() {
				var field *tournament.FieldError
				if !errors.As(err, &field) || field.Reason == "" {
					t.Fatalf("%s: %v names no place", row.name, err)
				}
				places = append(places, field.Pointer)
			}
		}
		must.Same(t, row.name, fmt.Sprint(places), row.want)
	}
}

func TestALineSaysWhatExplainsIt(t *testing.T) {
	for want, line := range map[string]tournament.Standing{
		"":                          {},
		"since round 3 for oldhand": {Replaces: "oldhand", SinceRound: 3},
		"withdrew before it played": {WithdrewAfter: new(int)},
		"withdrew after round 2":    {WithdrewAfter: new(2)},
		"since round 3 for oldhand; withdrew after round 4; annulled: nothing of what it played counts": {Replaces: "oldhand", SinceRound: 3, WithdrewAfter: new(4), IsAnnulled: true},
	} {
		if got := line.Remark(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
