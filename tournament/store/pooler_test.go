package store_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament/notify"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
)

func TestManyMigrateAtOnceThroughFewSessions(t *testing.T) {
	t.Parallel()
	pooled, direct := storetest.Pooled(t, 2)
	var all errgroup.Group
	for i := range 5 {
		o := store.Options{}
		if i == 0 {
			o.Direct = direct
		}
		s := storetest.OpenURL(t, pooled, o)
		all.Go(func() error { return errors.Join(s.Migrate(t.Context()), s.Migrate(t.Context())) })
	}
	must.OK(t, all.Wait())
	if waiting, all := pending(t, storetest.OpenURL(t, direct, store.Options{})); waiting != 0 || all < 2 {
		t.Errorf("%d of %d migrations wait after all have migrated", waiting, all)
	}
}

func TestAProcessKnowsHowItHearsOfChanges(t *testing.T) {
	t.Parallel()
	pooled, direct := storetest.Pooled(t, 2)
	nowhere, other := storetest.Pooled(t, 2)
	for _, c := range []struct {
		name, url, direct string
		pooled            bool
		want              database.Hearing
		err               string
	}{
		{"through a pooler alone", pooled, "", true, database.Looks, ""},
		{"through a pooler, with a direct URL", pooled, direct, true, database.Directly, ""},
		{"past it", direct, "", false, database.Listens, ""},
		{"past it, with a direct URL of no use", direct, direct, false, database.Directly, ""},
		{"with a pooler's URL as the direct one", pooled, pooled, true, database.Directly, "the direct URL: a pooler"},
		{"with a direct URL of another database", pooled, other, true, database.Directly, "is it another database"},
		{"with another pooler's", direct, nowhere, false, database.Directly, "the direct URL: a pooler"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := storetest.OpenURL(t, c.url, store.Options{Direct: c.direct})
			hears, err := s.Hearing(t.Context())
			if hears != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("it %s (%v), want %s (%s)", hears, err, c.want, c.err)
			}
			must.Same(t, "a pooler is there", s.Pooled(), c.pooled)
		})
	}
}

// A process that listens and one that can only look hear of each other, whoever tells, and of themselves.
func TestProcessesBehindAPoolerHearOfEachOther(t *testing.T) {
	t.Parallel()
	pooled, direct := storetest.Pooled(t, 3)
	list := []*store.Store{
		storetest.OpenURL(t, pooled, store.Options{}),
		storetest.OpenURL(t, pooled, store.Options{Direct: direct}),
		storetest.OpenURL(t, direct, store.Options{}),
	}
	for from, teller := range list {
		for to, hearer := range list {
			rung, leave := hearer.Bus().Wait(notify.Match("1"))
			for end := time.After(time.Minute); ; { // what is told before it hears is lost
				teller.Bus().Publish(notify.Match("1"))
				select {
				case <-rung:
				case <-time.After(50 * time.Millisecond):
					continue
				case <-end:
					t.Errorf("%d does not hear of %d", to, from)
				}
				break
			}
			leave()
		}
	}
}
