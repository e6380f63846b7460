package pages

import (
	"time"

	"github.com/molerun/molerun/bots/card"
)

// Scorecard holds what the page of an agent's card shows.
type Scorecard struct {
	Page
	Hash    string
	Checked *time.Time
	Card    card.Card
}
