package store

import (
	"encoding/binary"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/google/uuid"
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
	g.last = max(g.last+1, uint64(g.now().UnixMilli())<<12) //nolint:gosec // after 1970
	binary.BigEndian.PutUint64(u[:8], g.last>>12<<16|7<<12|g.last&0xfff)
	u[8] = u[8]&0x3f | 0x80
	return u.String(), nil
}

// fill gives *id a new id if it is empty.
func (s *Store) fill(id *string) (err error) {
	if *id == "" {
		*id, err = s.ids.next()
	}
	return err
}

// fillTime gives *t the present if it is zero, and otherwise brings it to what can be stored.
func (s *Store) fillTime(t *time.Time) {
	if t.IsZero() {
		*t = s.now()
	}
	*t = utc(*t)
}

// utc is the form in which every time is stored and returned.
func utc(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

func utcPtr(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := utc(*t)
	return &u
}

// firstID is not after any id that was made at a time or later: ids begin with their milliseconds.
func firstID(at time.Time) string {
	ms := fmt.Sprintf("%012x", at.UnixMilli())
	return ms[:8] + "-" + ms[8:]
}

// freeID is an id apart from the store's randomness: how many events there are depends on timing, and the luck of matches
// must not.
func freeID() (string, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("randomness: %w", err)
	}
	return id.String(), nil
}
