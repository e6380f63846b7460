package molehill_test

import (
	"testing"

	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// Every kind of event and every type of action has its sentence.
func TestWordsAreAsReviewed(t *testing.T) {
	got, err := gametest.Words(engine, []gametest.Case{{Seats: 2}}, 20, 200)
	must.OK(t, err)
	gametest.Golden(t, "words.txt", got)
}
