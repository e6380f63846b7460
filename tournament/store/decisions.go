package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store/database"
)

type decisionRow struct {
	MatchID                                            string
	Step, Seat                                         int
	Action, Say, DecidedBy, Why, Clock                 string
	Fault, Reason, Memo, Debug, Build, SentAhead, Hash string
	Usage, Belief                                      string
	RecordedMS                                         int64 `gorm:"column:recorded_ms"`
}

func (r decisionRow) decision() (runner.Decision, error) {
	d := runner.Decision{
		Turn:  replay.Turn{Seat: game.Seat(r.Seat), Action: json.RawMessage(r.Action), Say: r.Say, By: r.DecidedBy, Why: r.Why},
		Fault: r.Fault, Reason: r.Reason, Memo: r.Memo, Debug: r.Debug, Build: r.Build,
	}
	for _, x := range []struct {
		to   *json.RawMessage
		text string
	}{{&d.Clock, r.Clock}, {&d.Usage, r.Usage}, {&d.Belief, r.Belief}} {
		if x.text != "" {
			*x.to = json.RawMessage(x.text)
		}
	}
	if r.SentAhead != "" {
		if err := json.Unmarshal([]byte(r.SentAhead), &d.Then); err != nil {
			return d, fmt.Errorf("match %s step %d seat %d: sent ahead: %w", r.MatchID, r.Step, r.Seat, err)
		}
	}
	return d, nil
}

// steps are recorded steps, put together from rows in order.
type steps []runner.Step

func (l *steps) add(r *decisionRow) error {
	if n := len(*l); n == 0 || (*l)[n-1].Step != r.Step {
		s := runner.Step{Step: r.Step}
		if err := database.Unhex(s.Hash[:], r.Hash); err != nil {
			return fmt.Errorf("match %s: hash: %w", r.MatchID, err)
		}
		*l = append(*l, s)
	}
	d, err := r.decision()
	last := &(*l)[len(*l)-1]
	last.Turns = append(last.Turns, d)
	return err
}

// Decisions returns the recorded steps of a match, in order.
func (s *Store) Decisions(ctx context.Context, matchID string) ([]runner.Step, error) {
	if _, err := database.ByID[matchRow](s.SQL(ctx).Select("id"), "match", matchID); err != nil {
		return nil, err
	}
	return s.Reader(ctx).Decisions(matchID)
}

// Decisions returns the recorded steps of a match, in order.
func (r Reader) Decisions(matchID string) ([]runner.Step, error) {
	var out steps
	err := decided(r.db, decidedQuery, (*decisionRow).all, matchID, 0, anySeat, out.add)
	return out, err
}

// LastStep returns how far a match that is not over is recorded; 0: not at all.
func (s *Store) LastStep(ctx context.Context, matchID string) (int, error) {
	var step int
	err := s.SQL(ctx).Raw("SELECT COALESCE(MAX(step), 0) FROM decisions WHERE match_id = ?", matchID).Scan(&step).Error
	return step, err
}

// stepsPart is how many steps are handed over at a time, except for the last.
const stepsPart = 64

// StepsAfter hands over the recorded steps of a match after a step, in order and some at a time, without what only the owner of a
// bot may see of a decision, but for its fault. It ends with the first error of each.
func (s *Store) StepsAfter(ctx context.Context, matchID string, after int, each func([]runner.Step) error) error {
	var part steps
	err := decided(s.SQL(ctx), openQuery, (*decisionRow).open, matchID, after, anySeat, func(r *decisionRow) error {
		if n := len(part); n == stepsPart && part[n-1].Step != r.Step { // the last of them is whole
			if err := each(part); err != nil {
				return err
			}
			part = make(steps, 0, stepsPart)
		}
		r.Reason, r.Memo, r.Debug, r.Build, r.SentAhead = "", "", "", "", "" // packed ones have everything
		return part.add(r)
	})
	if err != nil || len(part) == 0 {
		return err
	}
	return each(part)
}

// SeatDecision is a recorded decision with its place in the match.
type SeatDecision struct {
	Step int // from 1
	runner.Decision
	RecordedAt time.Time // by the database's clock, to the millisecond
}

// SeatDecisions returns the recorded decisions of one seat, in order.
func (s *Store) SeatDecisions(ctx context.Context, matchID string, seat game.Seat) ([]SeatDecision, error) {
	if err := s.SQL(ctx).Where("match_id = ? AND seat = ?", matchID, int(seat)).Take(&matchSeatRow{}).Error; err != nil {
		return nil, database.NotFound(err, "seat in match", matchID)
	}
	out := []SeatDecision{}
	err := decided(s.SQL(ctx), decidedQuery, (*decisionRow).all, matchID, 0, int(seat), func(r *decisionRow) error {
		d, err := r.decision()
		out = append(out, SeatDecision{Step: r.Step, Decision: d, RecordedAt: time.UnixMilli(r.RecordedMS).UTC()})
		return err
	})
	return out, err
}

// Decisions are most of what a platform keeps. Those of matches that were over long ago are packed: a row a match instead of
// a row a decision. Whoever reads decisions reads either.

type packedDecisionRow struct {
	MatchID, Packed string
	PackedAt        time.Time
}

// Pack packs the decisions of matches that have been over for so long, the oldest first, at most limit, and returns how
// many. Nobody can tell from what is read. A match that cannot be packed stays as it is,
// holds up no other, and is an error.
func (s *Store) Pack(ctx context.Context, over time.Duration, limit int) (int, error) {
	var n int
	before := s.Now().Add(-over)
	var failed error
	for id := ""; n < limit; {
		var next *string
		if err := s.SQL(ctx).Model(&decisionRow{}).Where("match_id > ?", id).Select("MIN(match_id)").Scan(&next).Error; err != nil {
			return n, errors.Join(failed, err)
		}
		if next == nil || *next >= database.FirstID(before) { // ids are in order of time, and nothing is over before it is made
			break
		}
		id = *next
		done, err := s.pack(ctx, id, before)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("pack match %s: %w", id, err))
		} else if done {
			n++
		}
	}
	return n, failed
}

// pack packs one match if it was over before a time and nobody else was first, and reports whether it did.
func (s *Store) pack(ctx context.Context, id string, before time.Time) (bool, error) {
	var done bool
	over := []tournament.MatchStatus{tournament.MatchDone, tournament.MatchVoid}
	m, err := database.First[tournament.Match](s.SQL(ctx).Where("id = ? AND status IN ? AND ended_at < ?", id, over, before))
	if err != nil || m == nil {
		return false, err
	}
	rows, err := database.All[decisionRow](s.SQL(ctx).Where("match_id = ?", id).Order("step, seat")) // for good: the match is over
	if err != nil {
		return false, err
	}
	packed, err := packRows(rows)
	if err != nil {
		return false, err
	}
	if back, err := unpackRows(packed); err != nil || !slices.Equal(rows, back) {
		return false, errors.Join(errors.New("its decisions would not come back as they are: they stay"), err)
	}
	err = s.InTx(ctx, func(tx *Tx) error {
		gone := tx.db.Where("match_id = ?", id).Delete(&decisionRow{})
		if done = gone.RowsAffected > 0; gone.Error != nil || !done { // somebody was first
			return gone.Error
		}
		if gone.RowsAffected != int64(len(rows)) {
			return fmt.Errorf("it had %d decisions and then %d", len(rows), gone.RowsAffected)
		}
		return tx.db.Create(&packedDecisionRow{id, packed, s.Now()}).Error
	})
	return done && err == nil, err
}

func packRows(rows []decisionRow) (string, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	err = errors.Join(json.NewEncoder(z).Encode(rows), z.Close())
	return base64.StdEncoding.EncodeToString(b.Bytes()), err
}

func unpackRows(packed string) ([]decisionRow, error) {
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(packed)))
	if err != nil {
		return nil, err
	}
	rows, err := decisionRows(io.LimitReader(z, maxUnpacked))
	return rows, errors.Join(err, z.Close())
}

// Limits of the packed decisions of a match, which may come from a backup that somebody else made.
const (
	maxUnpacked  = 256 << 20
	maxDecisions = 1 << 20
)

// decisionRows reads rows one by one.
func decisionRows(r io.Reader) ([]decisionRow, error) {
	var rows []decisionRow
	in := json.NewDecoder(r)
	if _, err := in.Token(); err != nil {
		return nil, err
	}
	for in.More() {
		if len(rows) == maxDecisions {
			return nil, fmt.Errorf("more than %d decisions are packed", maxDecisions)
		}
		var row decisionRow
		if err := in.Decode(&row); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	_, err := in.Token()
	return rows, err
}

// anySeat asks for the decisions of all seats.
const anySeat = -1

// The queries read of decisions all that is kept, what playing the match again needs, which is a third of it, or what bots said of their
// builds.
const (
	decidedQuery = openColumns + ", match_id, reason, memo, debug, build, sent_ahead, recorded_ms" + ofDecisions + inOrder
	openQuery    = openColumns + ofDecisions + inOrder
	buildsQuery  = "SELECT step, seat, build" + ofDecisions + " AND build <> ''" + inOrder
	openColumns  = "SELECT step, seat, action, say, decided_by, why, clock, usage, belief, hash, fault"
	ofDecisions  = " FROM decisions WHERE match_id = ? AND step > ? AND (CAST(? AS INTEGER) = -1 OR seat = ?)"
	inOrder      = " ORDER BY step, seat"
)

// open returns where the columns of openQuery go.
func (r *decisionRow) open() []any {
	return []any{&r.Step, &r.Seat, &r.Action, &r.Say, &r.DecidedBy, &r.Why, &r.Clock, &r.Usage, &r.Belief, &r.Hash, &r.Fault}
}

// all returns where the columns of decidedQuery go.
func (r *decisionRow) all() []any {
	return append(r.open(), &r.MatchID, &r.Reason, &r.Memo, &r.Debug, &r.Build, &r.SentAhead, &r.RecordedMS)
}

// built returns where the columns of buildsQuery go.
func (r *decisionRow) built() []any { return []any{&r.Step, &r.Seat, &r.Build} }

// decided goes through the decisions of a match after a step, of one seat or of [anySeat], in order, packed or not. The columns go
// where into says: gorm takes as long again for thousands of rows. each does not keep its row. Packed ones are looked for last: what
// is packed stays so, and Postgres sorts the rows of a union before it sends the first, but those of a table as they come.
func decided(db *gorm.DB, whatQuery string, into func(*decisionRow) []any, matchID string, after, seat int, each func(*decisionRow) error) error {
	rows, err := db.Raw(whatQuery, matchID, after, seat, seat).Rows()
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err says what went wrong
	r, some := new(decisionRow), false
	for places := into(r); rows.Next(); some = true {
		if err := rows.Scan(places...); err != nil {
			return err
		}
		if err := each(r); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil || some {
		return err
	}
	p, err := database.First[packedDecisionRow](db.Where("match_id = ?", matchID))
	if err != nil || p == nil {
		return err
	}
	packed, err := unpackRows(p.Packed)
	if err != nil {
		return fmt.Errorf("match %s: packed decisions: %w", matchID, err)
	}
	for i := range packed {
		r := &packed[i]
		if r.Step <= after || seat != anySeat && r.Seat != seat {
			continue
		}
		if err := each(r); err != nil {
			return err
		}
	}
	return nil
}

// SaveHashes writes the hashes of all steps of a match, which are there from the first on, packed or not.
func (tx *Tx) SaveHashes(matchID string, hashes [][32]byte) error {
	var rows []decisionRow
	err := decided(tx.db, decidedQuery, (*decisionRow).all, matchID, 0, anySeat, func(r *decisionRow) error {
		rows = append(rows, *r)
		rows[len(rows)-1].Hash = hex.EncodeToString(hashes[r.Step-1][:])
		return nil
	})
	if err != nil {
		return err
	}
	last := rows[len(rows)-1].Hash
	if err := tx.db.Exec("UPDATE matches SET hash = ? WHERE id = ? AND hash <> ''", last, matchID).Error; err != nil {
		return err
	}
	packed, err := packRows(rows)
	if err != nil {
		return err
	}
	change := tx.db.Exec("UPDATE packed_decisions SET packed = ? WHERE match_id = ?", packed, matchID)
	if change.Error != nil || change.RowsAffected > 0 {
		return change.Error
	}
	for i, r := range rows {
		if i > 0 && rows[i-1].Step == r.Step {
			continue
		}
		if err := tx.db.Exec("UPDATE decisions SET hash = ? WHERE match_id = ? AND step = ?", r.Hash, matchID, r.Step).Error; err != nil {
			return err
		}
	}
	return nil
}
