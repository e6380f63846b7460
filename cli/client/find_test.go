package client_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/client"
)

// listing is a platform that has a list of tournaments, and of schedules.
func listing(t *testing.T, tournaments []wire.Tournament, schedules []wire.Schedule) *client.Client {
	t.Helper()
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(v); err != nil {
			t.Error(err)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/tournaments", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("name") == "" {
			t.Error("the whole list is asked for, want those of the name")
		}
		answer(w, wire.Page[wire.Tournament]{Data: tournaments})
	})
	mux.HandleFunc("GET /v1/schedules", func(w http.ResponseWriter, _ *http.Request) { answer(w, wire.Page[wire.Schedule]{Data: schedules}) })
	for _, x := range tournaments {
		mux.HandleFunc("GET /v1/tournaments/"+x.ID, func(w http.ResponseWriter, _ *http.Request) { answer(w, x) })
	}
	for _, x := range schedules {
		mux.HandleFunc("GET /v1/schedules/"+x.ID, func(w http.ResponseWriter, _ *http.Request) { answer(w, x) })
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return client.New(server.URL)
}

func TestOfSeveralOfOneNameTheOneIsMeantThatTheCommandIsFor(t *testing.T) {
	at := time.Date(2026, 11, 27, 19, 0, 0, 0, time.UTC)
	cup := func(id, status string) wire.Tournament {
		x := wire.Tournament{ID: id, Status: status, StartsAt: at}
		x.Name = "Friday Cup"
		return x
	}
	a, b, c, d := strings.Repeat("a", 8)+"-0000-7000-8000-000000000001", "b-b", "c-c", "d-d"
	for _, row := range []struct {
		name   string
		list   []wire.Tournament
		states []string
		want   string // the id, or parts of the refusal
	}{
		{"one", []wire.Tournament{cup(a, "finished")}, nil, a},
		{"one that is not over", []wire.Tournament{cup(a, "finished"), cup(b, "running"), cup(c, "cancelled")}, nil, b},
		{"all over: the newest", []wire.Tournament{cup(a, "finished"), cup(b, "cancelled")}, nil, a},
		{"start is for what is announced", []wire.Tournament{cup(a, "running"), cup(b, "scheduled")}, []string{"scheduled"}, b},
		{"pause is for what runs", []wire.Tournament{cup(a, "running"), cup(b, "scheduled")}, []string{"running"}, a},
		{"pause, but nothing runs", []wire.Tournament{cup(b, "scheduled"), cup(c, "finished")}, []string{"running"}, b},
		{"two, for any", []wire.Tournament{cup(b, "scheduled"), cup(a, "running")}, nil,
			"\n  b-b scheduled, starts 2026-11-27 19:00 UTC\n  " + a + " running, starts 2026-11-27 19:00 UTC\nnext: the same command with an id in place of the name, or molerun tournament show b-b"},
		{"two that are announced", []wire.Tournament{cup(b, "scheduled"), cup(d, "scheduled"), cup(a, "running")}, []string{"scheduled"}, "is the name of 2:"},
	} {
		got, err := client.Find[wire.Tournament](t.Context(), listing(t, row.list, nil), "friday cup", row.states...)
		if said := errText(err); got.ID != row.want && !strings.Contains(said, row.want) {
			t.Errorf("%s: got %q, %q; want %q", row.name, got.ID, said, row.want)
		}
	}
	if x, err := client.Find[wire.Tournament](t.Context(), listing(t, []wire.Tournament{cup(a, "running"), cup(b, "running")}, nil), a); err != nil || x.ID != a {
		t.Errorf("by its id, as advised: got %q, %v", x.ID, err)
	}
	series := func(id, status string) wire.Schedule {
		x := wire.Schedule{ID: id, Status: status}
		x.Name = "Friday {number}"
		return x
	}
	platform := listing(t, nil, []wire.Schedule{series(b, "active"), series(c, "paused")})
	if x, err := client.Find[wire.Schedule](t.Context(), platform, "friday {number}", "paused"); err != nil || x.ID != c {
		t.Errorf("the schedule that resume is for: got %q, %v, want %s", x.ID, err, c)
	}
	if _, err := client.Find[wire.Schedule](t.Context(), platform, "friday {number}"); !strings.Contains(errText(err), "\n  b-b active\n  c-c paused\nnext: ") {
		t.Errorf("two schedules: got %v", err)
	}
}

// On a platform with more than a shell is told at once, what was made long ago is completed too, and an id as before.
func TestAShellCompletesANameHoweverManyAreNewer(t *testing.T) {
	old, id := "Autumn League", "0192d4c1-7c1e-7000-8000-00000000000a"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, status := "Friday Cup", "finished"
		if strings.Contains(strings.ToLower(old), strings.ToLower(r.FormValue("name"))) && r.FormValue("name") != "" {
			name, status = old, "running"
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"data":[{"id":%q,"name":%q,"status":%q}],"next_cursor":null}`, id, name, status)
	}))
	t.Cleanup(server.Close)
	c := client.New(server.URL)
	for begun, want := range map[string]string{"aut": old + "\trunning", "Autumn L": old + "\trunning", "f": "Friday Cup\tfinished", "": "Friday Cup\tfinished", "0192": id + "\tFriday Cup"} {
		tournaments, err := client.Begun[wire.Tournament](t.Context(), c, "", begun)
		bots, failed := client.Begun[wire.Bot](t.Context(), c, "&owner=me", begun)
		if err != nil || failed != nil || !slices.Equal(tournaments, []string{want}) || !slices.Equal(bots, tournaments) {
			t.Errorf("%q: got %q (%v), of bots %q (%v); want %q", begun, tournaments, err, bots, failed, want)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
