package store_test

import (
	"strings"
	"testing"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/storetest"
)

// Every page of a ladder is cut from a range of the index that has its order: the ladder is neither read whole nor sorted.
func TestALaddersPageIsARangeOfOneIndex(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		want := "SEARCH ratings USING COVERING INDEX ratings_by_place (ladder_id=?"
		settings, explain := "", "EXPLAIN QUERY PLAN "
		if s.Pool() != nil {
			want = "using ratings_by_place on ratings  (" // followed by the cost: no alias
			// A table without rows it would rather read whole.
			settings, explain = "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off", "EXPLAIN "
		}
		for _, first := range []bool{true, false} {
			plan := planOf(t, s, settings, explain+store.LadderQuery(first), map[string]any{"ladder": "toy", "class": 0, "key": -1500, "version": "v", "limit": 51})
			if !strings.Contains(plan, want) {
				t.Errorf("first page %v: want %q in the plan\n%s", first, want, plan)
			}
		}
	})
}

// planOf is how a database would answer, line by line.
func planOf(t *testing.T, s *store.Store, settings, query string, args map[string]any) string {
	t.Helper()
	var plan strings.Builder
	err := s.SQL(t.Context()).Transaction(func(tx *gorm.DB) error {
		if settings != "" {
			if err := tx.Exec(settings).Error; err != nil {
				return err
			}
		}
		var lines []map[string]any
		if err := tx.Raw(query, args).Scan(&lines).Error; err != nil {
			return err
		}
		for _, l := range lines {
			for _, column := range []string{"detail", "QUERY PLAN"} {
				if text, ok := l[column].(string); ok {
					plan.WriteString(text + "\n")
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return plan.String()
}
