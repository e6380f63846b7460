package api_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/wire"
)

// A rated tournament has the ladder's matches: a request for another is refused with the difference, and one that does not say gets a rated
// one where it may be. Schedules alike.
func TestRatedMeansTheLaddersMatches(t *testing.T) {
	onOne(t, func(w *world) {
		clock := func(limit, bank, allowance int) map[string]any {
			return map[string]any{"limit_ms": limit, "bank_ms": bank, "increment_ms": 0, "network_allowance_ms": allowance}
		}
		for _, row := range []struct {
			change map[string]any
			key    string // that differs; "" for none
		}{
			{nil, ""},
			{map[string]any{"config": map[string]any{}}, ""},
			{map[string]any{"config": map[string]any{"rounds": 4}}, ""}, // as the base variant has it
			{map[string]any{"clock": clock(5000, 60_000, 1000), "fault_limits": map[string]any{"max_faults_in_row": 20, "max_faults": 20}}, ""},
			{map[string]any{"config": map[string]any{"rounds": 2}}, "config.rounds is 2, there 4"},
			{map[string]any{"clock": clock(10, 10_000, 150)}, "clock.limit_ms is 10, there 1000"},
			{map[string]any{"clock": clock(1000, 0, 150)}, "clock.bank_ms is 0, there 10000"},
			{map[string]any{"clock": clock(1000, 10_000, 0)}, "clock.network_allowance_ms is 0, there 150"},
			{map[string]any{"fault_limits": map[string]any{"max_faults_in_row": 1, "max_faults": 10}}, "fault_limits.max_faults_in_row is 1, there 3"},
			{map[string]any{"fault_limits": map[string]any{"max_faults_in_row": 3, "max_faults": 3}}, "fault_limits.max_faults is 3, there 10"},
		} {
			for path, make := range map[string]func(*world) map[string]any{"/v1/tournaments": goodCup, "/v1/schedules": goodSeries} {
				ask := func(path string, rated any) answer {
					body := make(w)
					maps.Copy(body, row.change)
					if body["rated"] = rated; rated == nil {
						delete(body, "rated")
					}
					return w.do(organiser, "POST", path, body)
				}
				if got := ask(path, true); row.key == "" {
					got.want(201, "")
				} else if refused := into[wire.Problem](got.want(422, "invalid")); len(refused.Errors) != 1 || refused.Errors[0].Pointer != "/rated" || !strings.Contains(refused.Errors[0].Detail, row.key) {
					t.Errorf("%s %v: got %+v, want /rated and %q", path, row.change, refused.Errors, row.key)
				}
				preview := into[wire.Preview](ask(path+"/preview", nil).want(200, ""))
				if preview.Rated != (row.key == "") || strings.Join(preview.Differs, "; ") != row.key {
					t.Errorf("%s %v: the preview says %v, %q; want %q", path, row.change, preview.Rated, preview.Differs, row.key)
				}
				made := into[struct{ Rated bool }](ask(path, nil).want(201, ""))
				if made.Rated != (row.key == "") {
					t.Errorf("%s %v: left out, rated is %v", path, row.change, made.Rated)
				}
				ask(path, false).want(201, "")
			}
		}
	})
}
