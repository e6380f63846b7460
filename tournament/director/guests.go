package director

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// Seating asks for a match of a person against bots.
type Seating struct {
	Guest  tournament.Guest
	Game   string
	Config json.RawMessage // nil is the base variant
	Bots   []string        // ids of the others, by seat
	Seat   game.Seat       // the person's, among all
	Most   int             // people who may play at once
	Leaves string          // id of the match that the person leaves for this one; "" if there is none
}

// LeftReason says why a match is void that its person left.
const LeftReason = "the person at the seat left"

// SeatGuest makes an unrated match of a guest against bots that take challenges ([tournament.CanChallenge]), with a seed of its
// own. If Most people play already it is [tournament.ErrLimit]. The match that the person leaves ends only if there is a new one; then call
// [Director.LeaveSeat] for what the person is asked there.
func (d *Director) SeatGuest(ctx context.Context, x Seating) (tournament.Match, error) {
	var m tournament.Match
	engine, err := d.engine(x.Game)
	if err != nil {
		return m, err
	}
	if x.Seat < 0 || int(x.Seat) > len(x.Bots) {
		return m, &tournament.FieldError{Pointer: "/seat", Reason: fmt.Sprintf("wants a seat from 0 to %d", len(x.Bots))}
	}
	err = d.inTx(ctx, func(tx *txn) error {
		v, err := tx.AddGuest(x.Guest, x.Game)
		if err != nil {
			return err
		}
		if x.Leaves != "" {
			if _, err := tx.voidMatch(ctx, x.Leaves, LeftReason); err != nil && !errors.Is(err, tournament.ErrState) {
				return err
			}
		}
		open, _, err := tx.OpenAsked(tournament.GuestsID)
		if err != nil {
			return err
		}
		if open >= x.Most {
			return fmt.Errorf("%w: %d people are playing, which is the most; try again when a match has ended", tournament.ErrLimit, open)
		}
		table, field, err := tx.guestTable(x, v)
		if err != nil {
			return err
		}
		if err := tournament.CanChallenge(engine.Info(), table, tournament.Asker{UserID: tournament.GuestsID}); err != nil {
			return err
		}
		if m, err = d.newUnratedMatch(engine, x.Config, field); err != nil {
			return err
		}
		m.Clock, m.AskerID = tournament.GuestClock(), tournament.GuestsID
		return tx.QueueMatches(ctx, time.Time{}, m)
	})
	m.Status = tournament.MatchQueued
	return m, err
}

// guestTable returns the others by seat, with the guest at theirs. The guest's bot, which is retired for everybody else, may play.
func (tx *txn) guestTable(x Seating, v tournament.Version) ([]tournament.Seated, []tournament.MatchSeat, error) {
	table, field, err := tx.challenged(x.Bots, tournament.GuestsID)
	if err != nil {
		return nil, nil, err
	}
	guest := tournament.Seated{
		Bot:   tournament.Bot{ID: v.BotID, OwnerID: tournament.GuestsID, Name: x.Guest.Name, Status: tournament.BotActive},
		Games: v.Games,
	}
	line := tournament.MatchSeat{
		BotID:     v.BotID,
		BotName:   x.Guest.Name,
		OwnerID:   tournament.GuestsID,
		VersionID: v.ID,
	}
	return slices.Insert(table, int(x.Seat), guest), slices.Insert(field, int(x.Seat), line), nil
}

// LeaveSeat ends the match of a guest, for a reason: without its person it has nobody to be played for. It is void, so its place
// is free at once, and what the guest is asked is refused. A match that is over stays as it is.
func (d *Director) LeaveSeat(ctx context.Context, g tournament.Guest, matchID, reason string) error {
	if _, err := d.VoidMatch(ctx, matchID, reason); err != nil && !errors.Is(err, tournament.ErrState) {
		return err
	}
	if err := d.store.Leave(ctx, g.Box()); err != nil && !errors.Is(err, tournament.ErrState) { // else it was answered meanwhile
		return err
	}
	return nil
}

// ClearSeats ends the matches of guests who have gone: their pages are open no more ([tournament.GuestAway]). One that cannot be
// ended holds up no other.
func (d *Director) ClearSeats(ctx context.Context) error {
	gone, err := d.store.Deserted(ctx)
	for _, g := range gone {
		err = errors.Join(err, d.LeaveSeat(ctx, g.Guest, g.MatchID, "the person at the seat went away"))
	}
	return err
}
