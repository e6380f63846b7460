package director

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

// EntryOptions are what may be said with an entry.
type EntryOptions struct {
	Invite     string // the code, where the tournament wants one
	Challenger bool   // gauntlet: it meets the field
	Against    string // sprt: id of another version of the bot, which is the second entry

	admits bool // the organiser lets an excluded bot in again: as it was entered, and without the code
}

// Join calls [Director.JoinAs] without options.
func (d *Director) Join(ctx context.Context, tournamentID, botID, ownerID string) (tournament.Entry, error) {
	return d.JoinAs(ctx, tournamentID, botID, ownerID, EntryOptions{})
}

// JoinAs enters a bot of ownerID. The rules are [tournament.CanJoin] and, for the code, [tournament.Invite.Admit]; somebody
// else's bot is [tournament.ErrNotYours]. Where no place is free the entry waits. A bot that has withdrawn before the start may
// join again. A late entry is in the next round; where the format takes none any more it is [tournament.ErrWindow].
func (d *Director) JoinAs(ctx context.Context, tournamentID, botID, ownerID string, o EntryOptions) (tournament.Entry, error) {
	var e store.Entered
	err := d.inTx(ctx, func(tx *txn) error {
		t, b, err := tx.entering(tournamentID, botID, ownerID)
		if err != nil {
			return err
		}
		all, err := tx.Entered(t.ID)
		if err != nil {
			return err
		}
		entries := store.Map(all, entryOf)
		if o.admits {
			if o, err = admitted(entries, b); err != nil {
				return err
			}
		}
		if err := tx.mayJoin(t, b, entries, o); err != nil {
			return err
		}
		e = store.Entered{Entry: tournament.Entry{
			TournamentID: t.ID, BotID: b.ID, BotName: b.Name, OwnerID: b.OwnerID, JoinedAt: d.now(), Challenger: o.Challenger, AgainstID: o.Against,
		}}
		if free, _ := tournament.Places(t, entries); free <= 0 {
			e.Waiting = true
		}
		if t.ChecksIn(e.JoinedAt) {
			e.CheckedInAt = &e.JoinedAt // an entry made now is here
		}
		if t.Status == tournament.Running {
			e.VersionID, e.ActiveVersion = b.VersionID, b.VersionID
			if err := tx.late(t, &e); err != nil {
				return err
			}
		}
		if o.admits && !e.Waiting {
			tx.EmitEntry(tournament.EventEntryAdmitted, t, e.Entry)
		}
		return tx.AddEntry(e)
	})
	return e.Entry, err
}

// Admit enters a bot again that an organiser has excluded, as it was entered: the rules are [tournament.CanAdmit] and [tournament.CanJoin]. Its owner gets an event.
func (d *Director) Admit(ctx context.Context, tournamentID, botID, ownerID string) (tournament.Entry, error) {
	return d.JoinAs(ctx, tournamentID, botID, ownerID, EntryOptions{admits: true})
}

// admitted takes the mark from the entry of an excluded bot, and returns how it was entered.
func admitted(entries []tournament.Entry, b tournament.Bot) (EntryOptions, error) {
	i := slices.IndexFunc(entries, func(e tournament.Entry) bool { return e.BotID == b.ID })
	if i < 0 {
		return EntryOptions{}, fmt.Errorf("%w: bot %q is not entered", tournament.ErrNotFound, b.Name)
	}
	err := tournament.CanAdmit(entries[i])
	entries[i].Excluded = false
	return EntryOptions{Challenger: entries[i].Challenger, Against: entries[i].AgainstID, admits: true}, err
}

// mayJoin reports why a bot may not enter.
func (tx *txn) mayJoin(t tournament.Tournament, b tournament.Bot, entries []tournament.Entry, o EntryOptions) error {
	if !o.admits {
		if err := tx.admits(t, b, o.Invite); err != nil {
			return err
		}
	}
	info, err := tx.d.info(t.Game)
	if err != nil {
		return err
	}
	games, err := tx.GamesOf(b.VersionID)
	if err != nil {
		return err
	}
	if err := tournament.CanJoin(t, info, entries, b, games, tx.d.now()); err != nil {
		return err
	}
	if o.Challenger && t.Format != tournament.Gauntlet {
		return &tournament.FieldError{Pointer: "/challenger", Reason: fmt.Sprintf("is for the format %s; this tournament's is %s", tournament.Gauntlet, t.Format)}
	}
	return tx.mayBring(t, b, entries, o.Against)
}

// admits reports why a bot is not invited. An account by a class link for the event needs no code.
func (tx *txn) admits(t tournament.Tournament, b tournament.Bot, code string) error {
	err := t.Admits(code, tx.d.now())
	if err == nil {
		return nil
	}
	if in, failed := tx.InClassOf(t, b.OwnerID); failed != nil || in {
		return failed
	}
	return err
}

// mayBring reports why an entry may not bring another version of its bot: it takes both places of an sprt.
func (tx *txn) mayBring(t tournament.Tournament, b tournament.Bot, entries []tournament.Entry, versionID string) error {
	refuse := func(reason string, args ...any) error {
		return &tournament.FieldError{Pointer: "/against_version_id", Reason: fmt.Sprintf(reason, args...)}
	}
	switch {
	case versionID == "":
		return nil
	case t.Format != tournament.SPRT:
		return refuse("is for the format %s; this tournament's is %s", tournament.SPRT, t.Format)
	case versionID == b.VersionID:
		return refuse("is the active version, which plays anyway: name another one of bot %q", b.Name)
	case slices.ContainsFunc(entries, func(e tournament.Entry) bool { return e.WithdrawnAt == nil && e.BotID != b.ID }):
		return fmt.Errorf("%w: another bot has one of the two places, and two versions need both", tournament.ErrFull)
	}
	if err := tx.OwnVersion(b, versionID); err != nil {
		return err
	}
	games, err := tx.GamesOf(versionID)
	if err == nil && !slices.Contains(games, t.Game) {
		err = refuse("does not play %s; it said %v in its hello", t.Game, games)
	}
	return err
}

// late numbers an entry that comes after the start, if the format takes it.
func (tx *txn) late(t tournament.Tournament, e *store.Entered) error {
	c, err := tx.d.contest(tx.Reader, t)
	if err != nil {
		return err
	}
	if err := pairing.Late(c.Contest); err != nil {
		return fmt.Errorf("%w: %s", tournament.ErrWindow, pairing.Reason(err))
	}
	milli, err := tx.seeding(t, map[string]store.Entered{e.BotID: *e})
	if err != nil {
		return err
	}
	e.Place, e.JoinedRound, e.SeedMilli = new(len(c.field)), len(c.Rounds), cmp.Or(milli[e.BotID], tournament.StartMilli)
	return nil
}

// Withdraw takes an entry back; after the start permanently, and later rounds leave it out. Before it, a place that comes
// free goes to the entry that has waited longest. The rule is [tournament.CanWithdraw]; a bot that is not entered is [tournament.ErrNotFound].
func (d *Director) Withdraw(ctx context.Context, tournamentID, botID, ownerID string) (tournament.Entry, error) {
	return d.changeEntry(ctx, tournamentID, botID, ownerID, func(tx *txn, t tournament.Tournament, b tournament.Bot, e *tournament.Entry) error {
		return tx.withdraw(ctx, t, b, e)
	})
}

// Expel is [Director.Withdraw] by somebody else than the bot's owner, who gets an event and cannot enter it again until [Director.Admit].
func (d *Director) Expel(ctx context.Context, tournamentID, botID, ownerID string) (tournament.Entry, error) {
	return d.changeEntry(ctx, tournamentID, botID, ownerID, func(tx *txn, t tournament.Tournament, b tournament.Bot, e *tournament.Entry) error {
		tx.EmitEntry(tournament.EventEntryWithdrawn, t, *e)
		e.Excluded = true
		return tx.withdraw(ctx, t, b, e)
	})
}

// withdraw takes an entry back, whose tournament's row is locked.
func (tx *txn) withdraw(ctx context.Context, t tournament.Tournament, b tournament.Bot, e *tournament.Entry) error {
	if err := tournament.CanWithdraw(t, *e); err != nil {
		return err
	}
	e.WithdrawnAt, e.Waiting = new(tx.d.now()), false
	if err := tx.WithdrawEntry(*e); err != nil {
		return err
	}
	if t.Status == tournament.Scheduled {
		return tx.admit(t)
	}
	return tx.leave(ctx, t, b)
}

// changeEntry changes the entry of an owner's bot in a transaction, the tournament's row locked.
func (d *Director) changeEntry(
	ctx context.Context, tournamentID, botID, ownerID string, change func(*txn, tournament.Tournament, tournament.Bot, *tournament.Entry) error,
) (tournament.Entry, error) {
	return transact(ctx, d, func(tx *txn) (tournament.Entry, error) {
		t, b, err := tx.lockTournamentAndBot(tournamentID, botID, ownerID)
		if err != nil {
			return tournament.Entry{}, err
		}
		e, err := tx.Entry(t.ID, b)
		if err == nil {
			err = change(tx, t, b, &e)
		}
		return e, err
	})
}

// admit gives the places that are free to those who have waited longest.
func (tx *txn) admit(t tournament.Tournament) error {
	all, err := tx.Entered(t.ID)
	if err != nil {
		return err
	}
	entries := store.Map(all, entryOf)
	free, _ := tournament.Places(t, entries)
	for _, e := range entries {
		if free <= 0 || !e.Waiting || e.WithdrawnAt != nil {
			continue
		}
		free--
		e.Waiting = false
		if err := tx.ChangeEntry(e); err != nil {
			return err
		}
		tx.EmitEntry(tournament.EventEntryAdmitted, t, e)
	}
	return nil
}

// TellCheckIn tells a tournament's organiser and those who have entered that check-in is open, the first time it is called. Of a
// tournament that has begun or ended there is no event; none of one that should have begun, whose start asks nobody; and none yet of one that was
// postponed since somebody looked.
func (d *Director) TellCheckIn(ctx context.Context, id string) error {
	return d.inTx(ctx, func(tx *txn) error {
		t, err := tx.LockTournament(id)
		if err != nil || t.Status == tournament.Scheduled && (!t.ChecksIn(d.now()) || !d.now().Before(t.StartsAt)) {
			return err
		}
		first, err := tx.SaveCheckInOpened(id)
		if err == nil && first && t.Status == tournament.Scheduled {
			tx.EmitTournament(tournament.EventTournamentCheckIn, t)
		}
		return err
	})
}

// CheckIn says that an entry will play. The rule is [tournament.CanCheckIn]; a bot that is not entered is [tournament.ErrNotFound],
// and one that has checked in already stays so.
func (d *Director) CheckIn(ctx context.Context, tournamentID, botID, ownerID string) (tournament.Entry, error) {
	return d.changeEntry(ctx, tournamentID, botID, ownerID, func(tx *txn, t tournament.Tournament, _ tournament.Bot, e *tournament.Entry) error {
		if err := tournament.CanCheckIn(t, *e, d.now()); err != nil || e.CheckedInAt != nil {
			return err
		}
		e.CheckedInAt = new(d.now())
		return tx.ChangeEntry(*e)
	})
}

// lockTournamentAndBot locks the tournament, so that entries come and go one at a time, and finds the owner's bot.
func (tx *txn) lockTournamentAndBot(tournamentID, botID, ownerID string) (tournament.Tournament, tournament.Bot, error) {
	t, err := tx.LockTournament(tournamentID)
	if err != nil {
		return t, tournament.Bot{}, err
	}
	b, err := tx.owned(botID, ownerID)
	return t, b, err
}

// entering locks the bot's row too: the version that enters is the one that plays, and its games are those that count.
func (tx *txn) entering(tournamentID, botID, ownerID string) (tournament.Tournament, tournament.Bot, error) {
	if err := tx.Lock(store.Rows{store.Tournaments: {tournamentID}, store.Bots: {botID}}); err != nil {
		return tournament.Tournament{}, tournament.Bot{}, err
	}
	return tx.lockTournamentAndBot(tournamentID, botID, ownerID)
}

// SeedEntries seeds a tournament by hand: bots, by id, the best first; the other entries follow by rating. It takes the place of what
// was seeded before; nobody takes all of it back. After the start it is [tournament.ErrState]; bots that are not entered, or are
// named twice, are refused all at once.
func (d *Director) SeedEntries(ctx context.Context, tournamentID string, bots []string) ([]tournament.Entry, error) {
	return transact(ctx, d, func(tx *txn) ([]tournament.Entry, error) {
		t, err := tx.LockTournament(tournamentID)
		if err != nil {
			return nil, err
		}
		if err := tournament.CanSeed(t); err != nil {
			return nil, err
		}
		all, err := tx.Entered(t.ID)
		if err != nil {
			return nil, err
		}
		waits := func(id string) bool {
			return slices.ContainsFunc(all, func(e store.Entered) bool { return e.BotID == id && e.Waiting && e.WithdrawnAt == nil })
		}
		var entered []tournament.Entry
		for _, e := range all {
			if e.WithdrawnAt == nil && !e.Waiting {
				entered = append(entered, e.Entry)
			}
		}
		var errs []error
		for i, id := range bots {
			switch {
			case waits(id):
				errs = append(errs, &tournament.FieldError{Pointer: fmt.Sprintf("/bots/%d", i), Reason: "waits for a place; seeds are for those who have one"})
			case !slices.ContainsFunc(entered, func(e tournament.Entry) bool { return e.BotID == id }):
				errs = append(errs, &tournament.FieldError{Pointer: fmt.Sprintf("/bots/%d", i), Reason: "is not entered"})
			case slices.Contains(bots[:i], id):
				errs = append(errs, &tournament.FieldError{Pointer: fmt.Sprintf("/bots/%d", i), Reason: "is there twice"})
			}
		}
		if len(errs) > 0 {
			return nil, errors.Join(errs...)
		}
		for i, e := range entered {
			entered[i].Seed = 1 + slices.Index(bots, e.BotID)
			if err := tx.ChangeEntry(entered[i]); err != nil {
				return nil, err
			}
		}
		return entered, nil
	})
}
