package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/notify"
)

// Events are written by the transaction of what they tell, as its last act, and without numbers: writers never wait for
// each other. Whoever reads numbers first what is there, under the lock of one row, so that the numbers of a stream have
// no gap and nothing ever appears before a number that was read already.

type eventRow struct {
	ID, Kind      string
	IsPublic      bool
	TournamentID  *string
	Data          string
	HappenedMS    int64 `gorm:"column:happened_ms"`
	FeedSeq       *int64
	TournamentSeq *int64
}

func (eventRow) TableName() string { return "events" }

// eventData is what an event keeps besides its columns.
type eventData struct {
	Game      string `json:"game,omitempty"`
	MatchID   string `json:"match_id,omitempty"`
	LadderID  string `json:"ladder,omitempty"`
	BotID     string `json:"bot_id,omitempty"`
	VersionID string `json:"version_id,omitempty"`
	Round     int    `json:"round,omitempty"`
	Block     int    `json:"block,omitempty"`
	Number    int    `json:"number,omitempty"`
	Reason    string `json:"reason,omitempty"`
}

func (r eventRow) event(seq *int64) (tournament.Event, error) {
	var d eventData
	if err := json.Unmarshal([]byte(r.Data), &d); err != nil {
		return tournament.Event{}, fmt.Errorf("event %s: %w", r.ID, err)
	}
	e := tournament.Event{
		ID: r.ID, Kind: tournament.EventKind(r.Kind), At: time.UnixMilli(r.HappenedMS).UTC(), Game: d.Game, MatchID: d.MatchID,
		TournamentID: required(r.TournamentID), LadderID: d.LadderID, BotID: d.BotID, VersionID: d.VersionID, Round: d.Round, Block: d.Block,
		Number: d.Number, Reason: d.Reason,
	}
	if seq != nil {
		e.Seq = *seq
	}
	return e, nil
}

// told is an event of a transaction under way.
type told struct {
	tournament.Event
	private bool
	owners  func(*gorm.DB) ([]ownedBot, error) // whom it concerns, with which bots; nil is nobody in particular
}

// ownedBot is a bot that an event concerns, or its owner alone.
type ownedBot struct{ OwnerID, BotID string }

// tell notes events to be written when the transaction is about to commit.
func (tx *Tx) tell(list ...told) { tx.told = append(tx.told, list...) }

// TellMatch tells of a match, and the owners of its bots.
func (tx *Tx) TellMatch(kind tournament.EventKind, m tournament.Match) {
	tx.topics = append(tx.topics, notify.Match(m.ID))
	tx.tell(told{
		Event: tournament.Event{
			Kind: kind, Game: m.Game, MatchID: m.ID, TournamentID: m.TournamentID, LadderID: m.LadderID, Round: m.Round, Block: m.Block, Number: m.Number,
		},
		owners: func(*gorm.DB) ([]ownedBot, error) {
			return each(m.Seats, func(s tournament.MatchSeat) ownedBot { return ownedBot{s.OwnerID, s.BotID} }), nil
		},
	})
}

// TellTournament tells of a tournament, and its organiser and those who have entered.
func (tx *Tx) TellTournament(kind tournament.EventKind, t tournament.Tournament) {
	tx.tell(told{
		Event: tournament.Event{Kind: kind, Game: t.Game, TournamentID: t.ID, LadderID: t.LadderID, Reason: t.Reason},
		owners: func(db *gorm.DB) ([]ownedBot, error) {
			out := []ownedBot{{t.OrganiserID, ""}}
			var entered []ownedBot
			err := db.Table("entries e").Select("b.owner_id, e.bot_id").Joins("JOIN bots b ON b.id = e.bot_id").
				Where("e.tournament_id = ? AND e.withdrawn_at IS NULL", t.ID).Order("e.bot_id").Scan(&entered).Error
			return append(out, entered...), err
		},
	})
}

// TellGivenUp tells the organiser of a tournament, or the administrators where it is a ladder's, of a match that is not
// played again.
func (tx *Tx) TellGivenUp(m tournament.Match) {
	tx.tell(told{
		Event: tournament.Event{
			Kind: tournament.EventMatchGivenUp, Game: m.Game, MatchID: m.ID, TournamentID: m.TournamentID, LadderID: m.LadderID,
			Round: m.Round, Block: m.Block, Number: m.Number, Reason: fmt.Sprintf("void %d times by a fault of the platform", m.Replay+1),
		},
		owners: func(db *gorm.DB) ([]ownedBot, error) {
			who := db.Table("users").Select("id").Where("role = ?", tournament.RoleAdmin)
			if m.TournamentID != "" {
				who = db.Table("tournaments").Select("organiser_id").Where("id = ?", m.TournamentID)
			}
			var ids []string
			err := who.Scan(&ids).Error
			return each(ids, func(id string) ownedBot { return ownedBot{OwnerID: id} }), err
		},
	})
}

// TellRated tells that the ratings of a ladder have gone on.
func (tx *Tx) TellRated(l tournament.Ladder) {
	tx.tell(told{Event: tournament.Event{Kind: tournament.EventLadderRated, Game: l.Game, LadderID: l.ID}})
}

// Untell takes back all that was told in this transaction.
func (tx *Tx) Untell() { tx.told = nil }

// TellBot tells the owner of a bot that it was paused or that it is back, if that is what changed.
func (tx *Tx) TellBot(before, after tournament.Bot) {
	kind := tournament.EventBotPaused
	switch {
	case before.Status == after.Status || after.Status == tournament.BotRetired:
		return
	case after.Status == tournament.BotActive:
		kind = tournament.EventBotResumed
	}
	tx.tell(told{
		Event: tournament.Event{Kind: kind, BotID: before.ID, VersionID: before.VersionID, Reason: after.Reason}, private: true,
		owners: func(*gorm.DB) ([]ownedBot, error) { return []ownedBot{{before.OwnerID, before.ID}}, nil },
	})
}

// write saves what was told, and what of it is to be delivered.
func (tx *Tx) write(ctx context.Context) error {
	for list := range slices.Chunk(tx.told, batch) {
		rows := make([]string, len(list))
		var args []any
		for i := range list {
			e := &list[i]
			var err error
			if e.ID, err = freeID(); err != nil {
				return err
			}
			data, err := json.Marshal(eventData{e.Game, e.MatchID, e.LadderID, e.BotID, e.VersionID, e.Round, e.Block, e.Number, e.Reason})
			if err != nil {
				return fmt.Errorf("event %s: %w", e.Kind, err)
			}
			rows[i] = "(?, ?, ?, ?, ?, " + tx.s.nowMS() + ")"
			args = append(args, e.ID, e.Kind, !e.private, optional(e.TournamentID), string(data))
			if !e.private {
				tx.topics = append(tx.topics, notify.Feed)
				if e.TournamentID != "" {
					tx.topics = append(tx.topics, notify.Tournament(e.TournamentID))
				}
			}
		}
		if err := tx.db.Exec("INSERT INTO events (id, kind, is_public, tournament_id, data, happened_ms) VALUES "+strings.Join(rows, ", "), args...).Error; err != nil {
			return err
		}
	}
	return tx.post(ctx, tx.told)
}

// Feed is up to limit public events after a number, in order, of one tournament or, if that is "", of all there is. Their
// numbers have no gaps; the oldest are gone after [Options].KeepEvents.
func (s *Store) Feed(ctx context.Context, tournamentID string, after int64, limit int) ([]tournament.Event, error) {
	if err := s.number(ctx); err != nil {
		return nil, err
	}
	db, seq := s.with(ctx).Where("feed_seq > ?", after).Order("feed_seq"), func(r eventRow) *int64 { return r.FeedSeq }
	if tournamentID != "" {
		db = s.with(ctx).Where("tournament_id = ? AND tournament_seq > ?", tournamentID, after).Order("tournament_seq")
		seq = func(r eventRow) *int64 { return r.TournamentSeq }
	}
	var rows []eventRow
	if err := db.Limit(limit).Find(&rows).Error; err != nil {
		return nil, err
	}
	return tryEach(rows, func(r eventRow) (tournament.Event, error) { return r.event(seq(r)) })
}

// FeedEnd is the last number of a stream as of now; 0 if it has no event.
func (s *Store) FeedEnd(ctx context.Context, tournamentID string) (end int64, err error) {
	if err := s.number(ctx); err != nil {
		return 0, err
	}
	if tournamentID == "" {
		err = s.with(ctx).Model(&feedRow{}).Where("id = 'all'").Select("last_seq").Scan(&end).Error
		return end, err
	}
	err = s.with(ctx).Model(&eventRow{}).Where("tournament_id = ?", tournamentID).Select("COALESCE(MAX(tournament_seq), 0)").Scan(&end).Error
	return end, err
}

// numberBatch is how many events one transaction numbers.
const numberBatch = 500

// number gives numbers to the public events that have none.
func (s *Store) number(ctx context.Context) error {
	for {
		var waiting []string
		if err := s.with(ctx).Model(&eventRow{}).Where("is_public AND feed_seq IS NULL").Limit(1).Pluck("id", &waiting).Error; err != nil || len(waiting) == 0 {
			return err
		}
		if err := s.InTx(ctx, (*Tx).number); err != nil {
			return fmt.Errorf("number the events: %w", err)
		}
	}
}

type feedRow struct {
	ID      string
	LastSeq int64
}

func (feedRow) TableName() string { return "feeds" }

func (tx *Tx) number() error {
	var feed feedRow
	if err := locked(tx.db).Where("id = 'all'").Take(&feed).Error; err != nil {
		return err
	}
	var rows []eventRow
	if err := tx.db.Where("is_public AND feed_seq IS NULL").Order("happened_ms, id").Limit(numberBatch).Find(&rows).Error; err != nil || len(rows) == 0 {
		return err
	}
	last := map[string]int64{}
	for _, r := range rows {
		if r.TournamentID != nil {
			last[*r.TournamentID] = 0
		}
	}
	for id := range last {
		var n int64
		if err := tx.db.Model(&eventRow{}).Where("tournament_id = ?", id).Select("COALESCE(MAX(tournament_seq), 0)").Scan(&n).Error; err != nil {
			return err
		}
		last[id] = n
	}
	for list := range slices.Chunk(rows, batch) {
		values := make([]string, len(list))
		var args []any
		for i, r := range list {
			feed.LastSeq++
			var within *int64
			if r.TournamentID != nil {
				last[*r.TournamentID]++
				within = new(last[*r.TournamentID])
			}
			values[i] = "(CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT))"
			args = append(args, r.ID, feed.LastSeq, within)
		}
		if err := tx.db.Exec("WITH v (id, feed_seq, tournament_seq) AS (VALUES "+strings.Join(values, ", ")+")"+
			" UPDATE events SET feed_seq = v.feed_seq, tournament_seq = v.tournament_seq FROM v WHERE events.id = v.id", args...).Error; err != nil {
			return err
		}
	}
	return tx.db.Model(&feedRow{}).Where("id = 'all'").Update("last_seq", feed.LastSeq).Error
}
