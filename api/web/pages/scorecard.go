package pages

import (
	"time"

	"github.com/molerun/molerun/bots/card"
)

// Scorecard is the page of an agent's card.
type Scorecard struct {
	Page
	Hash    string
	Checked *time.Time
	Card    card.Card
}
