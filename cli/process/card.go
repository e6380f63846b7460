package process

import (
	"context"
	"encoding/base64"
	"strings"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/cli/local/scorecard"
)

// checkedCard derives a card from what its subject decided, with the pool of this program.
func checkedCard(ctx context.Context, text, decisions string, pause func()) (card.Card, error) {
	here, err := scorecard.Here(ctx)
	if err != nil {
		return card.Card{}, err
	}
	return scorecard.VerifyDecisions(ctx, []byte(text), base64.NewDecoder(base64.StdEncoding, strings.NewReader(decisions)), here, func(string, int, int) { pause() })
}
