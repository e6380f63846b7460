package process

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/bots/review"
	"github.com/molerun/molerun/bots/review/report"
	"github.com/molerun/molerun/cli/local/scorecard"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
)

// reviewed reviews a match of a record. The luck of the review follows from the match's id, which the deal does not: so everybody who
// reviews it with as many playouts finds the same.
func reviewed(ctx context.Context, rec *replay.Record, playouts int, pause func()) (*report.Report, error) {
	engine, ok := catalog.Find(rec.Header.Game)
	if !ok {
		return nil, fmt.Errorf("%w: there is no game %q", tournament.ErrNotFound, rec.Header.Game)
	}
	id, err := uuid.Parse(rec.Header.Match)
	if err != nil {
		return nil, fmt.Errorf("review of match %q: %w", rec.Header.Match, err)
	}
	return review.Review(ctx, engine, rec, review.Options{
		Playouts: playouts,
		Seed:     binary.BigEndian.Uint64(id[8:]),
		Progress: func(int, int) { pause() },
	})
}

// checkedCard derives a card from what its subject decided, with the pool of this program.
func checkedCard(ctx context.Context, text, decisions string, pause func()) (card.Card, error) {
	here, err := scorecard.Here(ctx)
	if err != nil {
		return card.Card{}, err
	}
	return scorecard.VerifyDecisions(ctx, []byte(text), base64.NewDecoder(base64.StdEncoding, strings.NewReader(decisions)), here, func(string, int, int) { pause() })
}
