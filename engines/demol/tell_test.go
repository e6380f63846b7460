package demol

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// Every kind of event, every type of action and every plot card has its sentence.
func TestWordsAreAsReviewed(t *testing.T) {
	got, err := gametest.Words(game.Wrap(Rules{}), []gametest.Case{{Config: `{"plot_cards":true,"talk_rounds":1}`, Seats: 9}, {Config: `{"targeting":true}`, Seats: 5}}, 20, 2000)
	must.OK(t, err)
	gametest.Golden(t, "words.txt", got)
}
