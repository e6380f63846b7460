package tournament_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

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
		if got := fmt.Sprint(places); got != row.want {
			t.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
	}
}

// Rows of older releases keep their options.
func TestOptionsOfOlderRowsAreRead(t *testing.T) {
	want := tournament.FormatOptions{MinTable: 3, LastsMS: 60_000, Rounds: 5, Test: tournament.Test{Elo0: 1, Elo1: 2, Alpha: .05, Beta: .1, Normalised: true, MaxPairs: 9}}
	for _, text := range []string{
		`{"min_table":3,"lasts_us":60000000,"rounds":5,"test":{"elo0":1,"elo1":2,"alpha":0.05,"beta":0.1,"normalised":true,"max_pairs":9}}`,
		`{"min_table_size":3,"lasts_ms":60000,"rounds":5,"elo0":1,"elo1":2,"alpha":0.05,"beta":0.1,"normalised":true,"max_pairs":9}`,
	} {
		var got tournament.FormatOptions
		if err := got.UnmarshalStored([]byte(text)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v, want %+v", text, got, err, want)
		}
	}
}
