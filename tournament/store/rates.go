package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
)

type rateRow struct {
	Name, Caller string
	FullUS       int64 `gorm:"column:full_us"`
}

func (rateRow) TableName() string { return "rates" }

// Spend uses one up of what a caller may have of a rate: count at once, refilled evenly over per, counted for all processes
// together. It returns whether there was one, and how long it takes now until all are back.
func (s *Store) Spend(ctx context.Context, name, caller string, count int, per time.Duration) (ok bool, full time.Duration, err error) {
	s.tidy(ctx)
	now, each := s.now().UnixMicro(), per.Microseconds()/int64(count)
	var ends []int64
	// One statement decides and writes: from the later of now and full_us, one more must end within per.
	const later = "CASE WHEN rates.full_us > CAST(@now AS BIGINT) THEN rates.full_us ELSE CAST(@now AS BIGINT) END + CAST(@each AS BIGINT)"
	err = s.with(ctx).Raw("INSERT INTO rates (name, caller, full_us) VALUES (@name, @caller, CAST(@first AS BIGINT))"+
		" ON CONFLICT (name, caller) DO UPDATE SET full_us = "+later+" WHERE "+later+" <= CAST(@last AS BIGINT) RETURNING full_us",
		map[string]any{"name": name, "caller": caller, "now": now, "each": each, "first": now + each, "last": now + per.Microseconds()}).Scan(&ends).Error
	if err != nil {
		return false, 0, err
	}
	if len(ends) == 1 {
		return true, time.Duration(ends[0]-now) * time.Microsecond, nil
	}
	full, err = s.Spent(ctx, name, caller)
	return false, full, err
}

// Spent is how long it takes until a caller has all of a rate again; nothing is used up.
func (s *Store) Spent(ctx context.Context, name, caller string) (time.Duration, error) {
	var ends []int64
	err := s.with(ctx).Model(&rateRow{}).Where("name = ? AND caller = ?", name, caller).Pluck("full_us", &ends).Error
	if err != nil || len(ends) == 0 {
		return 0, err
	}
	return max(0, time.Duration(ends[0]-s.now().UnixMicro())*time.Microsecond), nil
}

// tidyEvery is how often a process deletes what has served its time.
const tidyEvery = time.Minute

// tidy deletes rates that are full again, idempotency keys of yesterday, old health checks, letters nobody waits for and old
// events, once a minute at most. What fails is done the next time: nothing depends on it.
func (s *Store) tidy(ctx context.Context) {
	now := s.now()
	last := s.tidied.Load()
	if now.UnixMicro()-last < tidyEvery.Microseconds() || !s.tidied.CompareAndSwap(last, now.UnixMicro()) {
		return
	}
	db := s.with(ctx)
	db.Where("full_us < ?", now.UnixMicro()).Delete(&rateRow{})
	db.Where("created_at < ?", now.Add(-keepKeys)).Delete(&keyRow{})
	db.Where("checked_at < ?", now.Add(-tournament.KeepChecks)).Delete(&checkRow{})
	db.Where("ends_ms < " + s.nowMS()).Delete(&letterRow{})
	db.Where("seen_ms < "+s.nowMS()+" - ?", tidyEvery.Milliseconds()).Delete(&relayRow{})
	if keep := s.opts.KeepEvents; keep > 0 {
		s.forget(db, now.Add(-keep))
	}
}

// forgetBatch is how many old events, and as many deliveries, go at a time: nobody waits long behind it.
const forgetBatch = 20000

// forget deletes events and deliveries from before a time. Their ids are in order of time. A tournament that is not over
// keeps all of its events: the last of them has the number from which the next are counted.
func (s *Store) forget(db *gorm.DB, before time.Time) {
	first := before.UnixMilli()
	id := fmt.Sprintf("%08x-%04x-", first>>16, first&0xffff)
	over := db.Model(&tournamentRow{}).Select("id").Where("status IN ?", []tournament.Status{tournament.Finished, tournament.Cancelled})
	db.Where("id IN (?)", db.Model(&eventRow{}).Select("id").Where("id < ? AND (tournament_id IS NULL OR tournament_id IN (?))", id, over).
		Order("id").Limit(forgetBatch)).Delete(&eventRow{})
	db.Where("id IN (?)", db.Model(&deliveryRow{}).Select("id").Where("id < ? AND status <> ?", id, tournament.DeliveryPending).
		Order("id").Limit(forgetBatch)).Delete(&deliveryRow{})
}
