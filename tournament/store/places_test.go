package store_test

import (
	"strings"
	"testing"

	"gorm.io/gorm"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament/store"
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

// A search by three letters that few names have looks them up. Postgres keeps no plan for it: one for any letters reads all names.
func TestASearchByLettersLooksThemUp(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		ctx := t.Context()
		search := ""
		s := open(store.Options{MaxConns: 1, Query: func(sql string) {
			if strings.Contains(sql, "name_folded LIKE") {
				search = sql
			}
		}})
		must.OK(t, s.InTx(ctx, func(tx *store.Tx) error { _, err := tx.EnsureLadder(storetest.Toy); return err }))
		for _, sql := range []string{
			"INSERT INTO users (id, name, name_folded, role, created_at) VALUES ('u', 'u', 'u', 'owner', now())",
			"SET session_replication_role = replica", // bots and versions name each other
			"INSERT INTO bots (id, owner_id, name, name_folded, status, reason, version_id, created_at, checked_at, passes)" +
				" SELECT 'b' || i, 'u', 'bot ' || i, 'bot ' || i, 'active', '', 'v' || i, now(), now(), 0 FROM generate_series(10000, 19999) i",
			"SET session_replication_role = origin",
			"ANALYZE bots",
		} {
			must.OK(t, s.SQL(ctx).Exec(sql).Error)
		}
		for what, ask := range map[string]func(letters string) error{
			"bots": func(letters string) error {
				_, _, err := s.Bots(ctx, store.BotFilter{Name: letters}, store.Page{})
				return err
			},
			"list": func(letters string) error {
				_, _, err := s.ListBots(ctx, store.BotFilter{Name: letters}, store.Page{})
				return err
			},
			"ladder": func(letters string) error {
				_, _, _, err := s.LadderPage(ctx, storetest.Toy, letters, store.Page{})
				return err
			},
		} {
			for letters, want := range map[string]int64{"zq": 1, "zqx": 0} {
				before := keptSearches(t, s)
				must.OK(t, ask(letters))
				if kept := keptSearches(t, s) - before; kept != want {
					t.Errorf("%s with %q: Postgres keeps %d statements, want %d", what, letters, kept, want)
				}
				plan := planOf(t, s, "", "EXPLAIN "+search)
				if looked := strings.Contains(plan, "Bitmap Index Scan on bots_by_parts_of_names"); looked != (want == 0) {
					t.Errorf("%s with %q: looked up %v, want %v\n%s\n%s", what, letters, looked, want == 0, search, plan)
				}
			}
		}
	})
}

// keptSearches counts the statements with a search by a part of a name that Postgres keeps for the store's connection.
func keptSearches(t *testing.T, s *store.Store) int64 {
	t.Helper()
	var n int64
	must.OK(t, s.SQL(t.Context()).Raw("SELECT COUNT(*) FROM pg_prepared_statements WHERE strpos(statement, 'name_folded ' || 'LIKE') > 0").Scan(&n).Error)
	return n
}

// planOf is how a database would answer, line by line.
func planOf(t *testing.T, s *store.Store, settings, query string, args ...any) string {
	t.Helper()
	var plan strings.Builder
	err := s.SQL(t.Context()).Transaction(func(tx *gorm.DB) error {
		if settings != "" {
			if err := tx.Exec(settings).Error; err != nil {
				return err
			}
		}
		var lines []map[string]any
		if err := tx.Raw(query, args...).Scan(&lines).Error; err != nil {
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
	must.OK(t, err)
	return plan.String()
}
