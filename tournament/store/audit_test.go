package store_test

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func TestAuditLinesAreOnlyAdded(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		line := tournament.AuditLine{Via: tournament.ViaCommand, Operation: "admin user promote", Kind: "users", SubjectID: "x", Outcome: tournament.AuditDone}
		w.Must(w.Note(w.Ctx, line))
		w.Must(w.Guard(w.Ctx)) // a second time
		for _, sql := range []string{"UPDATE audit_lines SET outcome = 'failed'", "DELETE FROM audit_lines"} {
			if err := w.SQL(w.Ctx).Exec(sql).Error; err == nil || !strings.Contains(err.Error(), "only added") {
				t.Errorf("%s: got %v, want it refused", sql, err)
			}
		}
		list := must.First(w.AuditLines(w.Ctx, tournament.AuditFilter{}, store.Page{}))(w.T)
		if len(list) != 1 || list[0].Outcome != tournament.AuditDone {
			t.Errorf("got %+v, want the line as it was", list)
		}
	})
}
