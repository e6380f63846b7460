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
	making, cancel := context.WithTimeout(ctx, cardTime)
	defer cancel()
	derived, precursor, err := w.checked(making, c)
	rest := time.Duration(0)
	refuse := func(reason string) { c.State, c.Reason, c.Decisions = tournament.CardRefused, reason, "" }
	switch {
	case err == nil:
		c.State, c.Summary, c.Reason = tournament.CardChecked, Summarise(derived), precursor
	case ctx.Err() != nil: // the worker stops
		c.State = tournament.CardWaiting
	case errors.Is(err, card.ErrCard):
		refuse(tournament.Facts(err, card.ErrCard))
	case errors.Is(making.Err(), context.DeadlineExceeded):
		refuse(fmt.Sprintf("the check took longer than %v", cardTime))
	case c.Tries >= cardTries:
		refuse(fmt.Sprintf("the platform could not check it in %d tries; its operator finds in the log why", cardTries))
	default:
		c.State, rest = tournament.CardWaiting, reviewRest
	}
	if err != nil && !errors.Is(err, card.ErrCard) && ctx.Err() == nil {
		w.c.Logger.Warn("card not checked", "card", c.Hash, "try", c.Tries, "error", err)
	}
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), parting)
	defer cancel()
	return w.c.Store.SaveCard(saving, c, rest)
}

// checked derives a card, and says in words if another user had uploaded its matches before.
func (w *worker) checked(ctx context.Context, c tournament.Card) (derived card.Card, precursor string, err error) {
	defer database.Recover(&err)
	if c.Tries > cardTries {
		return derived, "", errors.New("the workers that checked it were lost")
	}
	derived, err = w.c.Card(ctx, c.Card, c.Decisions, func() { w.rest(ctx) })
	for _, g := range derived.Games {
		if err != nil || precursor != "" {
			break
		}
		if precursor, err = w.c.Store.Precursor(ctx, c, g.Played); precursor != "" {
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

// rest waits while the process gets to run too late for the clocks of bots.
func (w *worker) rest(ctx context.Context) {
	for ctx.Err() == nil && w.late() {
		pause(ctx, lateRest)
	}
}
