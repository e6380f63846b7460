package api_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
)

// goodSeries is a body that asks for a schedule.
func goodSeries(w *world) map[string]any {
	return map[string]any{
		"name": "Night {number}, {date}", "game": "masks", "table_size": 2, "format": "round_robin", "cycles": 1, "duplicate": true, "rated": true,
		"capacity": 4, "cron": "30 2 * * *", "zone": "Europe/Amsterdam", "opens_before_ms": 3_600_000, "closes_before_ms": 600_000,
	}
}

// series is a schedule of the organiser's, daily at 20:00 UTC.
func (w *world) series(change func(*schedule.Schedule)) schedule.Schedule {
	w.t.Helper()
	when, err := schedule.Cron("0 20 * * *", "UTC")
	must.OK(w.t, err)
	x := schedule.Schedule{
		OrganiserID: w.users[organiser].ID, When: when, Opens: time.Hour, Closes: 10 * time.Minute,
		Template: tournament.Tournament{
			Name: "cup {number}", Game: "masks", Config: json.RawMessage(`{"rounds":4}`), Format: tournament.RoundRobin, Table: 2, Cycles: 1,
			Capacity: 8, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
		},
	}
	change(&x)
	x, err = w.store.CreateSchedule(w.t.Context(), x)
	must.OK(w.t, err)
	return x
}

// sweep makes what schedules owe, as every worker does.
func (w *world) sweep() {
	w.t.Helper()
	ids, err := w.store.DueSchedules(w.t.Context())
	must.OK(w.t, err)
	for _, id := range ids {
		_, err := w.director.MakeDue(w.t.Context(), id)
		must.OK(w.t, err)
	}
}

func TestASeriesFromItsScheduleToItsTournaments(t *testing.T) {
	onBoth(t, func(w *world) {
		w.clk.Move(time.Date(2026, 3, 27, 12, 0, 0, 0, time.UTC).Sub(w.clk.Now()))
		got := w.do(organiser, "POST", "/v1/schedules", goodSeries(w)).want(201, "")
		made := into[wire.Schedule](got)
		path := "/v1/schedules/" + made.ID
		same(t, "Location", got.header.Get("Location"), path)
		got.has("status", "active", "cron", "30 2 * * *", "zone", "Europe/Amsterdam", "starts_at", nil)
		got.has("config/rounds", 4, "clock/limit_ms", 1000, "matches_at_capacity", 12, "invite_code", nil, "invite_only", nil, "missed_starts/#", 0)
		var next []string
		for _, at := range made.Next {
			next = append(next, at.Format("01-02T15:04"))
		}
		if strings.Join(next, " ") != "03-28T01:30 03-29T01:00 03-30T00:30 03-31T00:30 04-01T00:30" {
			t.Errorf("the next starts are %v, want five over the change of clocks", next)
		}
		w.clk.Move(13 * time.Hour) // 28 March, 01:00: the first one is open
		w.sweep()
		w.sweep()
		first := w.get(anon, "/v1/tournaments?schedule="+made.ID).want(200, "")
		first.has("data/#", 1, "data/0/name", "Night 1, 2026-03-28", "data/0/schedule_id", made.ID, "data/0/number", 1, "data/0/organiser_id", w.users[organiser].ID)
		list := into[wire.Page[wire.Tournament]](first).Data
		w.do(owner, "POST", "/v1/tournaments/"+list[0].ID+"/entries", map[string]any{"bot_id": w.bot(owner).ID}).want(201, "")
		w.do(organiser, "DELETE", path, nil).want(409, "wrong_state")
		w.clk.Move(72 * time.Hour) // 31 March, 01:00: nobody looked for three nights
		w.sweep()
		now := w.get(anon, path).want(200, "") // one catches up on three
		now.has("tournaments_made", 2, "missed_starts_total", 3, "missed_starts/#", 3, "missed_starts/0", "2026-03-29T01:00:00Z")
		w.do(organiser, "POST", path+"/resume", nil).want(409, "wrong_state")
		w.do(organiser, "POST", path+"/pause", nil).want(200, "").has("status", "paused", "next_starts/#", 0)
		if ids, _ := walk(w, anon, "/v1/schedules?status=paused&game=masks", func(x wire.Schedule) string { return x.ID }); strings.Join(ids, " ") != made.ID {
			t.Errorf("paused: got %v, want %s", ids, made.ID)
		}
		w.do(organiser, "POST", path+"/resume", nil).want(200, "").has("status", "active", "next_starts/#", 5)
		w.do(organiser, "POST", path+"/cancel", map[string]any{"reason": ""}).want(422, "invalid").place("/reason")
		cancelled := w.do(organiser, "POST", path+"/cancel", map[string]any{"reason": "summer"}).want(200, "")
		cancelled.has("status", "cancelled", "reason", "summer", "ended_at", some{})
		w.do(organiser, "POST", path+"/pause", nil).want(409, "wrong_state")
		if ids, _ := walk(w, anon, "/v1/tournaments?status=scheduled&schedule="+made.ID, func(x wire.Tournament) string { return x.ID }); len(ids) != 2 {
			t.Errorf("got %v, want both tournaments to stay", ids)
		}
	})
}

func TestSchedulesAreRefusedWithTheirPlaceAndAOneOffShowsItsStart(t *testing.T) {
	onOne(t, func(w *world) {
		w.refuses("/v1/schedules", goodSeries, []misfit{
			{"cron", nil, "/cron"},
			{"cron", "* * * *", "/cron"},
			{"cron", "0 0 30 2 *", "/cron"},
			{"zone", nil, "/zone"},
			{"zone", "Mars/Olympus", "/zone"},
			{"starts_at", w.clk.Now().Add(3 * time.Hour), "/starts_at"},
			{"opens_before_ms", 59_999, "/opens_before_ms"},
			{"opens_before_ms", int64(1) << 62, "/opens_before_ms"},
			{"opens_before_ms", -(int64(1) << 62), "/opens_before_ms"},
			{"opens_before_ms", 51 * 24 * 3_600_000, "/opens_before_ms"},
			{"closes_before_ms", 3_600_000, "/closes_before_ms"},
			{"closes_before_ms", -1, "/closes_before_ms"},
			{"name", "Night {week}", "/name"},
			{"game", "chess", "/game"},
			{"table_size", 5, "/table_size"},
			{"capacity", 2048, "/capacity"},
			{"config", map[string]any{"rounds": 0}, "/config"},
		})
		once := goodSeries(w)
		delete(once, "cron")
		once["starts_at"] = w.clk.Now().Add(3 * time.Hour)
		w.do(organiser, "POST", "/v1/schedules", once).want(422, "invalid").place("/zone")
		delete(once, "zone")
		once["starts_at"] = w.clk.Now().Add(10 * time.Minute)
		w.do(organiser, "POST", "/v1/schedules", once).want(422, "invalid").place("/starts_at")
		w.get(anon, "/v1/schedules").want(200, "").has("data/#", 0)

		body := goodSeries(w)
		delete(body, "cron")
		delete(body, "zone")
		start := w.clk.Now().Add(3 * time.Hour)
		body["starts_at"] = start.In(time.FixedZone("east", 3600))
		made := w.do(organiser, "POST", "/v1/schedules", body).want(201, "").has("starts_at", start, "cron", nil, "zone", nil, "next_starts", []time.Time{start})
		w.clk.Move(2 * time.Hour)
		w.sweep()
		now := w.get(anon, "/v1/schedules/"+into[wire.Schedule](made).ID)
		now.has("status", "finished", "tournaments_made", 1, "next_starts/#", 0)
	})
}

func TestGuessingInviteCodesIsSlow(t *testing.T) {
	onOneWith(t, limited(func(l *gate.Limits) { l.BadInvites = httpx.Rate{Count: 3, Per: time.Minute} }), func(w *world) {
		body := goodCup(w)
		body["invite_only"], body["rated"] = true, false
		cup := into[wire.Tournament](w.do(organiser, "POST", "/v1/tournaments", body).want(201, ""))
		path, entry := "/v1/tournaments/"+cup.ID+"/entries", map[string]any{"bot_id": w.bot(owner).ID}
		for range 5 {
			w.do(owner, "POST", path, entry).want(403, "invite_needed") // none is no guess
		}
		entry["invite_code"] = "mi_x"
		for range 3 {
			w.do(owner, "POST", path, entry).want(403, "invite_needed")
		}
		w.do(owner, "POST", path, entry).want(429, "rate_limited")
		entry["invite_code"] = cup.InviteCode
		w.do(owner, "POST", path, entry).want(201, "")
	})
}

func TestAnInviteCodeIsToldOnceAndNeededForEveryEntry(t *testing.T) {
	onOne(t, func(w *world) {
		body := goodCup(w)
		body["invite_only"], body["rated"] = true, false
		cup := into[wire.Tournament](w.do(organiser, "POST", "/v1/tournaments", body).want(201, ""))
		if !cup.InviteOnly || !strings.HasPrefix(cup.InviteCode, "mi_") {
			t.Fatalf("got %+v, want a code", cup)
		}
		body = goodSeries(w)
		body["invite_only"] = true
		series := into[wire.Schedule](w.do(organiser, "POST", "/v1/schedules", body).want(201, ""))
		if !series.InviteOnly || !strings.HasPrefix(series.InviteCode, "mi_") || series.InviteCode == cup.InviteCode {
			t.Fatalf("got %+v, want another code", series)
		}
		w.clk.Move(13*time.Hour - 20*time.Minute)
		w.sweep()
		night := into[wire.Page[wire.Tournament]](w.get(anon, "/v1/tournaments?schedule="+series.ID).want(200, "")).Data[0]
		for _, who := range people() {
			for _, path := range []string{"/v1/tournaments", "/v1/tournaments/" + cup.ID, "/v1/schedules", "/v1/schedules/" + series.ID} {
				must.Say(t, string(w.get(who, path).want(200, "").body), "not", "mi_")
			}
		}
		path := "/v1/tournaments/" + night.ID + "/entries"
		entry := map[string]any{"bot_id": w.bot(owner).ID}
		for _, wrong := range []string{"", cup.InviteCode, strings.ToLower(series.InviteCode), series.InviteCode + " "} {
			if entry["invite_code"] = wrong; wrong == "" {
				delete(entry, "invite_code")
			}
			got := w.do(owner, "POST", path, entry).want(403, "invite_needed")
			must.Say(t, string(got.body), "not", series.InviteCode)
			if says := strings.Contains(string(got.body), "is wrong"); says != (wrong != "") {
				t.Errorf("%q: the refusal is %s", wrong, got.body)
			}
		}
		w.do(admin, "POST", path, map[string]any{"bot_id": w.bot(admin).ID}).want(403, "invite_needed")
		entry["invite_code"] = series.InviteCode
		w.do(owner, "POST", path, entry).want(201, "")
		must.Say(t, w.log.String(), "not", series.InviteCode, cup.InviteCode)
	})
}

func TestATournamentIsPausedAndResumed(t *testing.T) {
	onOne(t, func(w *world) {
		cup, list := w.started(func(*tournament.Tournament) {}, owner, other)
		path := "/v1/tournaments/" + cup.ID
		w.do(organiser, "POST", path+"/resume", nil).want(409, "wrong_state")
		got := into[wire.Tournament](w.do(organiser, "POST", path+"/pause", nil).want(200, ""))
		if got.Status != "running" || got.PausedAt == nil || !got.PausedAt.Equal(w.clk.Now()) {
			t.Errorf("got %+v, want it running and paused now", got)
		}
		w.do(organiser, "POST", path+"/pause", nil).want(409, "wrong_state")
		w.do(organiser, "POST", path+"/resume", nil).want(200, "").has("paused_at", nil)
		for _, m := range list {
			w.play(m, 100)
		}
		w.do(organiser, "POST", path+"/pause", nil).want(409, "wrong_state")
	})
}

func TestAScheduleIsChangedInPartsAndInPlaceOfNoTournament(t *testing.T) {
	onOne(t, func(w *world) {
		w.clk.Move(time.Date(2026, 3, 27, 12, 0, 0, 0, time.UTC).Sub(w.clk.Now()))
		body := goodSeries(w)
		body["invite_only"] = true
		made := into[wire.Schedule](w.do(organiser, "POST", "/v1/schedules", body).want(201, ""))
		path := "/v1/schedules/" + made.ID
		change := func(p map[string]any) answer { return w.do(organiser, "PATCH", path, p) }
		change(map[string]any{}).want(200, "").has("name", made.Name, "cron", made.Cron, "invite_only", true, "invite_code", nil, "next_starts", made.Next)
		w.clk.Move(13 * time.Hour) // 28 March, 01:00: the first one is open
		w.sweep()
		changed := change(map[string]any{"name": "Noon {number}", "capacity": 6, "config": map[string]any{"rounds": 2}, "rated": false, "cron": "0 12 * * *", "closes_before_ms": 60_000}).want(200, "")
		changed.has("name", "Noon {number}", "capacity", 6, "config/rounds", 2, "cron", "0 12 * * *", "zone", "Europe/Amsterdam", "closes_before_ms", 60_000)
		changed.has("tournaments_made", 1, "missed_starts_total", 0, "next_starts/#", 5, "next_starts/0", "2026-03-28T11:00:00Z", "invite_only", true)
		tournaments := "/v1/tournaments?schedule=" + made.ID // those made before stay as they were
		w.get(anon, tournaments).want(200, "").has("data/#", 1, "data/0/capacity", 4, "data/0/config/rounds", 4)
		w.clk.Move(9*time.Hour + 30*time.Minute) // 10:30: the noon of 28 March is open
		w.sweep()
		w.get(anon, tournaments).want(200, "").has("data/#", 2, "data/0/name", "Noon 2", "data/0/capacity", 6, "data/0/invite_only", true)
		start := w.clk.Now().Add(48 * time.Hour)
		change(map[string]any{"starts_at": start}).want(200, "").has("cron", nil, "zone", nil, "starts_at", start, "next_starts/#", 1)
		for pointer, p := range map[string]map[string]any{
			"/zone":                    {"zone": "Mars/Olympus", "cron": "0 1 * * *"},
			"/cron":                    {"cron": "x", "zone": "UTC"},
			"/starts_at":               {"starts_at": start, "cron": "0 1 * * *"},
			"/capacity":                {"capacity": 1},
			"/config/x":                {"config": map[string]any{"x": 1}},
			"/closes_before_ms":        {"closes_before_ms": 99_999_999_999},
			"/name":                    {"name": "{day}"},
			"/format_options/rounds":   {"format_options": map[string]any{"rounds": 3}},
			"/clock/limit_ms":          {"clock": map[string]any{"limit_ms": 1, "bank_ms": 0, "increment_ms": 0, "network_allowance_ms": 0}},
			"/fault_limits/max_faults": {"fault_limits": map[string]any{"max_faults_in_row": 1, "max_faults": 0}},
		} {
			change(p).want(422, "invalid").place(pointer)
		}
		for _, key := range []string{"game", "table_size", "format", "invite_only"} {
			change(map[string]any{key: "x"}).want(400, "bad_json").place("/" + key)
		}
		w.get(anon, path).want(200, "").has("starts_at", start, "capacity", 6)
		w.do(organiser, "POST", path+"/cancel", map[string]any{"reason": "summer"}).want(200, "")
		change(map[string]any{"capacity": 3}).want(409, "wrong_state")
	})
}
