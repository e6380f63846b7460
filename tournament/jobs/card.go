package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

const (
	// cardTries is how often a check is begun whose workers are lost, or fail on the way.
	cardTries = 3
	// cardTime is how long a check may take; that of a card of 1,536 matches takes a quarter of a minute of a core.
	cardTime = 10 * time.Minute
)

// CardChecker derives a card, as JSON, from what its subject decided, gzipped, in base64. It calls pause after every match, which returns when
// it may go on. The error is [card.ErrCard] if the card is refused; any other is the platform's.
type CardChecker func(ctx context.Context, text, decisions string, pause func()) (card.Card, error)

// cards checks uploaded cards, one at a time, until ctx ends, as reviews are made.
func (w *worker) cards(ctx context.Context) {
	w.every(ctx, w.c.Sweep, "checks of cards failed", func(ctx context.Context) error {
		for ctx.Err() == nil && !w.late() {
			c, err := w.c.Store.ClaimCard(ctx, cardTime+2*parting)
			if err != nil || c == nil {
				return err
			}
			if err := w.cardOne(ctx, *c); err != nil {
				return fmt.Errorf("card %s: %w", c.Hash, err)
			}
		}
		return nil
	})
}

// cardOne makes a claimed check and saves what came of it.
func (w *worker) cardOne(ctx context.Context, c tournament.Card) error {
	t, cancel := w.try(ctx, cardTime)
	defer cancel()
	derived, precursor, err := w.checked(t, c)
	var wait time.Duration
	switch {
	case err == nil:
		c.State, c.Summary, c.Reason = tournament.CardChecked, Summarise(derived), precursor
	case errors.Is(err, card.ErrCard):
		c.State, c.Reason = tournament.CardRefused, tournament.Facts(err, card.ErrCard)
	default:
		c.State = tournament.CardWaiting
		if c.Reason, wait = t.failed(c.Tries, cardTries); c.Reason != "" {
			c.State = tournament.CardRefused
		}
	}
	if c.State == tournament.CardRefused {
		c.Decisions = ""
	}
	if err != nil && !errors.Is(err, card.ErrCard) && ctx.Err() == nil {
		w.c.Logger.Warn("card not checked", "card", c.Hash, "try", c.Tries, "error", err)
	}
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), parting)
	defer cancel()
	return w.c.Store.SaveCard(saving, c, wait)
}

// checked derives a card, and says in words if another user had uploaded its matches before.
func (w *worker) checked(t *try, c tournament.Card) (derived card.Card, precursor string, err error) {
	defer database.Recover(&err)
	if c.Tries > cardTries {
		return derived, "", errors.New("the workers that checked it were lost")
	}
	derived, err = w.c.Card(t.ctx, c.Card, c.Decisions, t.rest)
	for _, g := range derived.Games {
		if err != nil || precursor != "" {
			break
		}
		if precursor, err = w.c.Store.Precursor(t.ctx, c, g.Played); precursor != "" {
			precursor = fmt.Sprintf("its matches of %s are those of card %s, which another user had uploaded before", g.Game, precursor)
		}
	}
	return derived, precursor, err
}

// Summarise returns what a list shows of a card.
func Summarise(c card.Card) tournament.CardSummary {
	out := tournament.CardSummary{
		Subject: c.Subject.Name, Build: c.Subject.Build, Plan: c.Plan.Name, Pool: c.Pool.Version,
		Games: []tournament.CardStrength{}, Clean: tournament.Mean(c.Clean), WithErrors: tournament.Mean(c.WithErrors),
	}
	for _, g := range c.Games {
		out.Games = append(out.Games, tournament.CardStrength{Game: g.Game, Clean: tournament.Mean(g.Clean)})
		out.Matches += g.Matches
	}
	priced := 0
	for _, u := range c.Run.Usage {
		out.Tokens += u.InputTokens + u.OutputTokens
		out.CostUSD += u.CostUSD
		if u.CostUSD > 0 {
			priced++
		}
	}
	if priced < len(c.Games) { // what is not said of a game is not free
		out.CostUSD = 0
	}
	return out
}
