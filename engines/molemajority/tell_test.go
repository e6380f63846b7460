package molemajority

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// Every kind of event, every type of action and every card has its sentence.
func TestWordsAreAsReviewed(t *testing.T) {
	got, err := gametest.Words(game.Wrap(Rules{}), []gametest.Case{{Seats: 3}, {Config: `{"choose_spaces":true}`, Seats: 2}}, 20, 20000)
	must.OK(t, err)
	gametest.Golden(t, "words.txt", got)
}
