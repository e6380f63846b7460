package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/notify"
	"github.com/molerun/molerun/tournament/store/database"
)

// Events are written by the transaction of what they tell, as its last act, and without numbers: writers never wait for
// each other. Whoever reads numbers first what is there, under the lock of one row, so that the numbers of a stream have
// no gap and nothing ever appears before a number that was read already.

type eventRow struct {
	ID, Kind      string
	IsPublic      bool
	TournamentID  string `gorm:"serializer:null"`
	Data          string
	HappenedMS    int64 `gorm:"column:happened_ms"`
	FeedSeq       *int64
	TournamentSeq *int64
}

// dataOf returns what an event keeps besides its columns.
func dataOf(e tournament.Event) ([]byte, error) {
	e.At, e.TournamentID = time.Time{}, ""
	return json.Marshal(e)
}

func (r eventRow) event(seq *int64) (tournament.Event, error) {
	var e tournament.Event
	if err := json.Unmarshal([]byte(r.Data), &e); err != nil {
		return e, fmt.Errorf("event %s: %w", r.ID, err)
	}
	e.ID, e.Kind, e.At, e.TournamentID = r.ID, tournament.EventKind(r.Kind), time.UnixMilli(r.HappenedMS).UTC(), r.TournamentID
	if seq != nil {
		e.Seq = *seq
	}
	return e, nil
}

// event is an event of a transaction under way.
type event struct {
	tournament.Event
	private bool                               // no stream has it
	owners  func(*gorm.DB) ([]ownedBot, error) // whom it concerns, with which bots; nil is nobody in particular
}

// ownedBot is a bot that an event concerns, or its owner alone.
type ownedBot struct{ OwnerID, BotID string }

// Pending are the events of a transaction under way, which are written when it is about to commit.
type Pending struct {
	events []event
	topics []string // to be woken after the commit
}

func (p *Pending) add(e event) { p.events = append(p.events, e) }

// those are the owners of an event that are known.
func those(list ...ownedBot) func(*gorm.DB) ([]ownedBot, error) {
	return func(*gorm.DB) ([]ownedBot, error) { return list, nil }
}

// organisers returns those who organise a tournament, alone or together.
func organisers(db *gorm.DB, tournamentID string) ([]ownedBot, error) {
	ids, err := database.All[string](db.Raw("SELECT organiser_id FROM tournaments WHERE id = @id"+
		" UNION SELECT c.user_id FROM co_organisers c JOIN tournaments t ON c.event_id IN (t.id, t.schedule_id) WHERE t.id = @id", map[string]any{"id": tournamentID}))
	return database.Map(ids, func(id string) ownedBot { return ownedBot{OwnerID: id} }), err
}

// withOrganisers are the organisers of a tournament and others that are known.
func withOrganisers(tournamentID string, list ...ownedBot) func(*gorm.DB) ([]ownedBot, error) {
	return func(db *gorm.DB) ([]ownedBot, error) {
		all, err := organisers(db, tournamentID)
		return append(all, list...), err
	}
}

// aboutMatch returns an event that tells of a match.
func aboutMatch(kind tournament.EventKind, m tournament.Match) tournament.Event {
	return tournament.Event{
		Kind: kind, Game: m.Game, MatchID: m.ID, TournamentID: m.TournamentID, LadderID: m.LadderID, Round: m.Round, Block: m.Block, Number: m.Number,
	}
}

// EmitMatch tells of a match, with its result where it is over and open, and the owners of its bots.
func (p *Pending) EmitMatch(kind tournament.EventKind, m tournament.Match, result []tournament.SeatResult) {
	p.topics = append(p.topics, notify.Match(m.ID))
	e := aboutMatch(kind, m)
	e.Result = result
	p.add(event{Event: e, owners: those(database.Map(m.Seats, func(s tournament.MatchSeat) ownedBot { return ownedBot{s.OwnerID, s.BotID} })...)})
}

// EmitTournament tells of a tournament, and its organisers and those who have entered.
func (p *Pending) EmitTournament(kind tournament.EventKind, t tournament.Tournament) {
	p.add(event{
		Event: tournament.Event{Kind: kind, Game: t.Game, TournamentID: t.ID, LadderID: t.LadderID, Reason: t.Reason},
		owners: func(db *gorm.DB) ([]ownedBot, error) {
			entered, err := database.All[ownedBot](db.Table("entries e").Select("b.owner_id, e.bot_id").Joins("JOIN bots b ON b.id = e.bot_id").
				Where("e.tournament_id = ? AND e.withdrawn_at IS NULL", t.ID).Order("e.bot_id"))
			if err != nil {
				return nil, err
			}
			return withOrganisers(t.ID, entered...)(db)
		},
	})
}

// EmitEntry tells the owner of an entry's bot, and the organisers, that the entry has a place, is left out, and why, or was withdrawn.
func (p *Pending) EmitEntry(kind tournament.EventKind, t tournament.Tournament, e tournament.Entry) {
	p.add(event{
		Event:  tournament.Event{Kind: kind, Game: t.Game, TournamentID: t.ID, BotID: e.BotID, Reason: string(e.LeftOut)},
		owners: withOrganisers(t.ID, ownedBot{e.OwnerID, e.BotID}),
	})
}

// EmitSubstituted tells the organisers and the owners of both bots that one has taken the other's place, and from when on.
func (p *Pending) EmitSubstituted(t tournament.Tournament, was, now tournament.Entry, reason string) {
	p.add(event{
		Event:  tournament.Event{Kind: tournament.EventEntrySubstituted, Game: t.Game, TournamentID: t.ID, BotID: now.BotID, Reason: reason},
		owners: withOrganisers(t.ID, ownedBot{was.OwnerID, was.BotID}, ownedBot{now.OwnerID, now.BotID}),
	})
}

// EmitGivenUp tells the organisers of a tournament, or the administrators where it is a ladder's, of a match that is not
// played again.
func (p *Pending) EmitGivenUp(m tournament.Match) {
	e := aboutMatch(tournament.EventMatchGivenUp, m)
	e.Reason = fmt.Sprintf("void %d times by a fault of the platform", m.Replay+1)
	p.add(event{
		Event: e,
		owners: func(db *gorm.DB) ([]ownedBot, error) {
			if m.TournamentID != "" {
				return organisers(db, m.TournamentID)
			}
			ids, err := database.All[string](db.Table("users").Select("id").Where("role = ?", tournament.RoleAdmin))
			return database.Map(ids, func(id string) ownedBot { return ownedBot{OwnerID: id} }), err
		},
	})
}

// EmitRated tells that the ratings of a ladder have gone on.
func (p *Pending) EmitRated(l tournament.Ladder) {
	p.add(event{Event: tournament.Event{Kind: tournament.EventLadderRated, Game: l.Game, LadderID: l.ID}})
}

// DiscardEvents takes back all events of this transaction.
func (p *Pending) DiscardEvents() { p.events = nil }

// EmitBot tells the owner of a bot that it was paused or that it is back, if that is what changed.
func (p *Pending) EmitBot(before, after tournament.Bot) {
	kind := tournament.EventBotPaused
	switch {
	case before.Status == after.Status || after.Status == tournament.BotRetired:
		return
	case after.Status == tournament.BotActive:
		kind = tournament.EventBotResumed
	}
	p.add(event{
		Event: tournament.Event{Kind: kind, BotID: before.ID, VersionID: before.VersionID, Reason: after.Reason}, private: true,
		owners: those(ownedBot{before.OwnerID, before.ID}),
	})
}

// EmitLinked tells a user that an identity was linked to their account.
func (p *Pending) EmitLinked(userID, issuer string) {
	p.add(event{
		Event:   tournament.Event{Kind: tournament.EventAccountLinked, Reason: "a login at " + issuer + " enters the account from now on; if it is not yours, end it at /me"},
		private: true,
		owners:  those(ownedBot{OwnerID: userID}),
	})
}

// EmitRedeployed tells the owner of a seat's bot that it was redeployed in a match.
func (p *Pending) EmitRedeployed(m tournament.Match, r tournament.Redeploy) {
	seat := m.Seats[r.Seat]
	p.add(event{
		Event: tournament.Event{
			Kind:      tournament.EventVersionRedeployed,
			Game:      m.Game,
			MatchID:   m.ID,
			BotID:     seat.BotID,
			VersionID: seat.VersionID,
			Reason:    fmt.Sprintf("from step %d on it answered as build %q, before as %q", r.Step, r.Build, r.Pinned),
		},
		private: true,
		owners:  those(ownedBot{seat.OwnerID, seat.BotID}),
	})
}

// Feed returns up to limit events after a number, in order: of one tournament or, if that is "", of all that are listed. Their
// numbers have no gaps; the oldest are gone after [database.Options].KeepEvents.
func (o *Outbox) Feed(ctx context.Context, tournamentID string, after int64, limit int) ([]tournament.Event, error) {
	if err := o.number(ctx); err != nil {
		return nil, err
	}
	db, seq := o.db.SQL(ctx).Where("feed_seq > ?", after).Order("feed_seq"), func(r eventRow) *int64 { return r.FeedSeq }
	if tournamentID != "" {
		db = o.db.SQL(ctx).Where("tournament_id = ? AND tournament_seq > ?", tournamentID, after).Order("tournament_seq")
		seq = func(r eventRow) *int64 { return r.TournamentSeq }
	}
	rows, err := database.All[eventRow](db.Limit(limit))
	if err != nil {
		return nil, err
	}
	return database.TryMap(rows, func(r eventRow) (tournament.Event, error) { return r.event(seq(r)) })
}

// FeedEnd returns the last number of a stream as of now; 0 if it has no event.
func (o *Outbox) FeedEnd(ctx context.Context, tournamentID string) (int64, error) {
	if err := o.number(ctx); err != nil {
		return 0, err
	}
	if tournamentID != "" {
		return lastSeq(o.db.SQL(ctx), tournamentID)
	}
	var end int64
	err := o.db.SQL(ctx).Model(&feedRow{}).Where("id = 'all'").Select("last_seq").Scan(&end).Error
	return end, err
}

// lastSeq returns the last number in the stream of a tournament; 0 if it has no event.
func lastSeq(db *gorm.DB, tournamentID string) (int64, error) {
	var n int64
	err := db.Model(&eventRow{}).Where("tournament_id = ?", tournamentID).Select("COALESCE(MAX(tournament_seq), 0)").Scan(&n).Error
	return n, err
}

// numberBatch is how many events one transaction numbers.
const numberBatch = 500

// numberPatience is how long a reader waits for another who numbers events, or on SQLite for a writer. Then it reads what has a
// number: the next look finds the rest.
const numberPatience = time.Second

// unnumbered are the events that want a number: public ones in the feed, and in the stream of their tournament, if there is one; those of
// an unlisted tournament in its stream alone. Each of the two has an index of its own.
func unnumbered(db *gorm.DB, public bool) *gorm.DB {
	if public {
		return db.Where("is_public AND feed_seq IS NULL")
	}
	return db.Where("NOT is_public AND tournament_id IS NOT NULL AND tournament_seq IS NULL")
}

// number gives numbers to the events that want one.
func (o *Outbox) number(ctx context.Context) error {
	patient, cancel := context.WithTimeout(ctx, numberPatience)
	defer cancel()
	err := o.numberAll(patient)
	if err != nil && ctx.Err() == nil && patient.Err() != nil {
		return nil
	}
	return err
}

func (o *Outbox) numberAll(ctx context.Context) error {
	for _, public := range []bool{true, false} {
		for {
			waiting, err := database.First[eventRow](unnumbered(o.db.SQL(ctx).Select("id"), public))
			if err != nil {
				return err
			}
			if waiting == nil {
				break
			}
			if err := o.db.InTx(ctx, func(tx *database.Tx) error { return o.numberSome(tx, public) }); err != nil {
				return fmt.Errorf("number the events: %w", err)
			}
		}
	}
	return nil
}

type feedRow struct {
	ID      string
	LastSeq int64
}

func (o *Outbox) numberSome(tx *database.Tx, public bool) error {
	var feed feedRow
	if err := tx.Locked(tx.SQL, database.Feeds, "all").Where("id = 'all'").Take(&feed).Error; err != nil {
		return err
	}
	rows, err := database.All[eventRow](unnumbered(tx.SQL, public).Order("happened_ms, id").Limit(numberBatch))
	if err != nil || len(rows) == 0 {
		return err
	}
	last := map[string]int64{}
	numbers := make([][]any, len(rows))
	for i, r := range rows {
		var among, within *int64
		if public {
			feed.LastSeq++
			among = new(feed.LastSeq)
		}
		if of := r.TournamentID; of != "" {
			if _, known := last[of]; !known {
				if last[of], err = lastSeq(tx.SQL, of); err != nil {
					return err
				}
			}
			last[of]++
			within = new(last[of])
		}
		numbers[i] = []any{r.ID, among, within}
	}
	if err := tx.SQL.Exec("WITH v AS (SELECT given.value ->> 0 AS id, CAST(given.value ->> 1 AS BIGINT) AS feed_seq, CAST(given.value ->> 2 AS BIGINT) AS tournament_seq FROM "+o.db.Given()+")"+
		" UPDATE events SET feed_seq = v.feed_seq, tournament_seq = v.tournament_seq FROM v WHERE events.id = v.id", database.Listed(numbers)).Error; err != nil {
		return err
	}
	return tx.SQL.Model(&feedRow{}).Where("id = 'all'").Update("last_seq", feed.LastSeq).Error
}

// forgetBatch is how many old events, and as many deliveries, go at a time: nobody waits long behind it.
const forgetBatch = 20000

// Tidy deletes events and deliveries that were kept for long enough, some at a time. Their ids are in order of time. A
// tournament that is not over keeps all of its events: the last of them has the number from which the next are counted. What
// fails is done the next time: nothing depends on it.
func (o *Outbox) Tidy(ctx context.Context) {
	keep := o.db.Options().KeepEvents
	if keep <= 0 {
		return
	}
	db, id := o.db.SQL(ctx), database.FirstID(o.db.Now().Add(-keep))
	over := db.Table("tournaments").Select("id").Where("status IN ?", []tournament.Status{tournament.Finished, tournament.Cancelled})
	db.Where("id IN (?)", db.Model(&eventRow{}).Select("id").Where("id < ? AND (tournament_id IS NULL OR tournament_id IN (?))", id, over).
		Order("id").Limit(forgetBatch)).Delete(&eventRow{})
	db.Where("id IN (?)", db.Model(&tournament.Delivery{}).Select("id").Where("id < ? AND status <> ?", id, tournament.DeliveryPending).
		Order("id").Limit(forgetBatch)).Delete(&tournament.Delivery{})
}
