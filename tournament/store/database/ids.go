package database

import (
	"encoding/binary"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// ids makes UUIDv7 (RFC 9562) from the store's own clock and randomness. Ids of one process ascend: a counter follows the
// milliseconds, so that a list by id is a list by creation.
type ids struct {
	now  func() time.Time
	rand io.Reader

	mu   sync.Mutex
	last uint64 // milliseconds << 12 | counter
}

func (g *ids) next() (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var u uuid.UUID
	if _, err := io.ReadFull(g.rand, u[8:]); err != nil {
		return "", fmt.Errorf("randomness: %w", err)
	}
	g.last = max(g.last+1, uint64(g.now().UnixMilli())<<12)
	binary.BigEndian.PutUint64(u[:8], g.last>>12<<16|7<<12|g.last&0xfff)
	u[8] = u[8]&0x3f | 0x80
	return u.String(), nil
}

// NewID returns an id that no row has. Ids ascend with the time at which they were made.
func (db *DB) NewID() (string, error) { return db.ids.next() }

// Fill gives *id a new id if it is empty, and fills in times ([DB.FillTime]).
func (db *DB) Fill(id *string, times ...*time.Time) error {
	for _, t := range times {
		db.FillTime(t)
	}
	if *id != "" {
		return nil
	}
	var err error
	*id, err = db.ids.next()
	return err
}

// Now returns the wall clock, in UTC and microseconds: what is read of it comes back as it was written.
func (db *DB) Now() time.Time { return UTC(db.opts.Now()) }

// FillTime gives *t the present if it is zero, and otherwise brings it to what can be stored.
func (db *DB) FillTime(t *time.Time) {
	if t.IsZero() {
		*t = db.Now()
	}
	*t = UTC(*t)
}

// NowMS returns the database's own clock in milliseconds, as SQL: leases must not depend on a worker's clock. It moves within
// a transaction.
func (db *DB) NowMS() string {
	if db.main != nil {
		return "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"
	}
	return "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
}

// Clock asks the database for its time, to the millisecond.
func (db *DB) Clock(sql *gorm.DB) (time.Time, error) {
	var ms int64
	err := sql.Raw("SELECT " + db.NowMS()).Scan(&ms).Error
	return time.UnixMilli(ms).UTC(), err
}

// UTC returns a time in the form in which every time is stored and returned.
func UTC(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// UTCPtr returns UTC for a time that may be missing.
func UTCPtr(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	return new(UTC(*t))
}

// FirstID returns an id that is not after any that was made at a time or later: ids begin with their milliseconds.
func FirstID(at time.Time) string {
	ms := fmt.Sprintf("%012x", at.UnixMilli())
	return ms[:8] + "-" + ms[8:]
}

// FreeID returns an id that does not come from the store's randomness: how many events there are depends on timing, and the luck of matches
// must not.
func FreeID() (string, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("randomness: %w", err)
	}
	return id.String(), nil
}
