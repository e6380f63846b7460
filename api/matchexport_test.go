package api_test

import (
	"archive/tar"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// exported are the matches of an export.
func (w *world) exported(query string) []wire.Match {
	w.t.Helper()
	var out []wire.Match
	lines := bufio.NewScanner(bytes.NewReader(w.get(anon, "/v1/matches/export"+query).want(200, "").body))
	for lines.Scan() {
		var m wire.Match
		must.OK(w.t, json.Unmarshal(lines.Bytes(), &m))
		out = append(out, m)
	}
	return out
}

// An export has what the list has of the matches that are over, in the order in which they were made, and nothing of the others.
func TestAnExportHasTheMatchesThatAreOver(t *testing.T) {
	onBoth(t, func(w *world) {
		cup, list := w.started(func(*tournament.Tournament) {}, owner, other, organiser)
		w.play(list[0], 100)
		w.play(list[2], 100)
		w.play(list[1], 1) // it runs
		got := w.exported("")
		if len(got) != 2 {
			t.Fatalf("%d matches, want 2", len(got))
		}
		for i, m := range got {
			want := into[wire.MatchDetail](w.get(anon, "/v1/matches/"+list[2*i].ID).want(200, "")).Match
			same(t, fmt.Sprintf("match %d", i), string(httpx.JSON(m)), string(httpx.JSON(want)))
		}
		bot := got[0].Seats[0].BotID
		for query, want := range map[string]int{
			"?tournament=" + cup.ID:               2,
			"?game=masks":                         2,
			"?bot=" + bot:                         len(into[wire.Page[wire.Match]](w.get(anon, "/v1/bots/"+bot+"/matches").want(200, "")).Data),
			"?since=2001-01-01T00:00:00Z":         2,
			"?until=2001-01-01T00:00:00Z":         0,
			"?ladder=masks&game=masks&bot=" + bot: len(into[wire.Page[wire.Match]](w.get(anon, "/v1/bots/"+bot+"/matches").want(200, "")).Data),
		} {
			same(t, query+": matches", len(w.exported(query)), want)
		}
		w.get(anon, "/v1/matches/export?status=done").want(400, "bad_query")
		w.get(anon, "/v1/matches/export?result=win").want(400, "bad_query")
		w.get(anon, "/v1/matches/export?since=yesterday").want(400, "bad_query")
		w.get(anon, "/v1/matches/export?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z").want(400, "bad_query").place("?until")
	})
}

// watched takes an answer, and does something when it has the first part.
type watched struct {
	*httptest.ResponseRecorder
	parts int
	first func()
}

func (w *watched) Flush() {
	if w.parts++; w.parts == 1 {
		w.first()
	}
}

// An export reads a part when the reader has the one before, so that it holds no more than that, however long it is: what is gone when
// the reader has the first is in none.
func TestAnExportHoldsOnlyWhatItSends(t *testing.T) {
	onOne(t, func(w *world) {
		const matches, kept = 1000, 600
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		w.copies(list[0].ID, 1, matches-1)
		gone := fmt.Sprintf("%s%d", list[0].ID[:28], 10000000+kept)
		out := &watched{ResponseRecorder: httptest.NewRecorder(), first: func() {
			db := w.store.SQL(t.Context())
			seats := db.Exec("DELETE FROM match_seats WHERE match_id >= ? AND match_id <> ?", gone, list[0].ID).Error
			if err := errors.Join(seats, db.Exec("DELETE FROM matches WHERE id >= ? AND id <> ?", gone, list[0].ID).Error); err != nil {
				t.Error(err)
			}
		}}
		w.api.ServeHTTP(out, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/matches/export", nil))
		same(t, "lines", bytes.Count(out.Body.Bytes(), []byte("\n")), kept)
		same(t, "parts", out.parts, kept/store.MaxPage)
	})
}

// weigher is a reader who keeps nothing, and weighs the heap when it has a tenth of the lines and when it has all.
type weigher struct {
	header     http.Header
	all        int // lines
	lines      int
	bytes      int
	tenth, end uint64
}

func (w *weigher) Header() http.Header { return w.header }
func (w *weigher) WriteHeader(int)     {}
func (w *weigher) Flush()              {}

func (w *weigher) Write(b []byte) (int, error) {
	before := w.lines
	w.lines += bytes.Count(b, []byte("\n"))
	w.bytes += len(b)
	if before < w.all/10 && w.lines >= w.all/10 {
		w.tenth = held()
	}
	if before < w.all && w.lines >= w.all {
		w.end = held()
	}
	return len(b), nil
}

// held is how many bytes of the heap are in use.
func held() uint64 {
	runtime.GC()
	runtime.GC() // what pools keep goes with the second
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// An export holds no more at its end than after a tenth, however many matches it has: a million at night.
func TestAnExportHoldsAtItsEndWhatItHeldAfterATenth(t *testing.T) {
	matches := 10_000
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		matches = 1_000_000
	}
	const slack = 4 << 20 // 10,000 matches have more
	weigh := func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open, func(*api.Config) {})
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		w.copies(list[0].ID, 1, matches-1)
		out := &weigher{header: http.Header{}, all: matches}
		w.api.ServeHTTP(out, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/matches/export", nil))
		t.Logf("%d matches, %d bytes: %d KiB of the heap in use after a tenth, %d KiB at the end", out.lines, out.bytes, out.tenth>>10, out.end>>10)
		if out.lines != matches || out.bytes < 2*slack {
			t.Errorf("%d matches in %d bytes, want %d in more than %d", out.lines, out.bytes, matches, 2*slack)
		}
		if out.tenth == 0 || out.end > out.tenth+slack {
			t.Errorf("%d bytes of the heap are in use after a tenth, %d at the end: want at most %d more", out.tenth, out.end, slack)
		}
	}
	// One after the other: they share the heap.
	t.Run("sqlite", func(t *testing.T) { storetest.SQLite(t, weigh) })
	t.Run("postgres", func(t *testing.T) { storetest.Postgres(t, weigh) })
}

// copies adds copies of a match, outside tournaments and ladders, numbered from one number to another.
func (w *world) copies(id string, from, to int) {
	w.t.Helper()
	db := w.store.SQL(w.t.Context())
	const number = ", 1, 28) || CAST(10000000 + n.i AS TEXT)"
	changed := map[string]string{
		"id":            "substr(x.id" + number,
		"match_id":      "substr(x.match_id" + number,
		"tournament_id": "NULL",
		"ladder_id":     "NULL",
		"ladder_seq":    "NULL",
		"rated":         "FALSE",
	}
	for _, table := range []string{"matches", "match_seats"} {
		columns, err := db.Migrator().ColumnTypes(table)
		must.OK(w.t, err)
		var names, values []string
		for _, c := range columns {
			value := "x." + c.Name()
			if other, ok := changed[c.Name()]; ok {
				value = other
			}
			names, values = append(names, c.Name()), append(values, value)
		}
		key := names[0] // the id of the match is the first column of both
		if err := db.Exec("WITH RECURSIVE n (i) AS (SELECT CAST(? AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO "+table+" ("+strings.Join(names, ", ")+") SELECT "+
			strings.Join(values, ", ")+" FROM "+table+" x CROSS JOIN n WHERE x."+key+" = ?", from, to, id).Error; err != nil {
			w.t.Fatal(err)
		}
	}
}

// archived are the files of an archive of records, in order.
func (w *world) archived(path string) (names []string, files map[string][]byte) {
	w.t.Helper()
	files = map[string][]byte{}
	archive := tar.NewReader(bytes.NewReader(w.get(anon, path).want(200, "").body))
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return names, files
		}
		if err == nil {
			names = append(names, h.Name)
			files[h.Name], err = io.ReadAll(archive)
		}
		must.OK(w.t, err)
	}
}

func TestAnArchiveHasTheRecordsThatAreOpenAndNoneThatIsSealed(t *testing.T) {
	onOne(t, func(w *world) {
		// The archive of a bot has the records of its matches that are open, as they are downloaded, the newest first, and nothing of the others.
		_, list := w.started(func(c *tournament.Tournament) { c.Game, c.Config = "toy", json.RawMessage(`{"steps":5}`) }, owner, other, organiser)
		bot := list[0].Seats[0].BotID
		var want []string
		for _, m := range list {
			w.play(m, 100)
			if m.Seats[0].BotID == bot || m.Seats[1].BotID == bot {
				want = append([]string{m.ID + ".replay.jsonl.gz"}, want...)
			}
		}
		at := "/v1/bots/" + bot + "/records"
		names, files := w.archived(at)
		if len(want) < 2 || !slices.Equal(names, want) {
			t.Fatalf("got %v, want %v, and at least two", names, want)
		}
		for name, got := range files {
			id, _, _ := strings.Cut(name, ".")
			if alone := w.get(anon, "/v1/matches/"+id+"/replay").want(200, "").body; !bytes.Equal(got, alone) {
				t.Errorf("%s is not what is downloaded alone", name)
			}
		}
		if names, _ := w.archived(at + "?until=2001-01-01T00:00:00Z"); len(names) > 0 {
			t.Errorf("got %v, want nothing from before there were matches", names)
		}
		w.get(anon, at+"?since=yesterday").want(400, "bad_query")
		w.get(anon, at+"?limit=3").want(400, "bad_query")
		w.get(anon, at+"?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z").want(400, "bad_query").place("?until")

		// A match that is over stays out of the archive while another on its seed is not.
		_, list = w.started(func(c *tournament.Tournament) {
			c.Game, c.Config, c.Duplicate = "toy", json.RawMessage(`{"steps":5}`), true
		}, owner, other)
		at = "/v1/bots/" + list[0].Seats[0].BotID + "/records"
		for i, m := range list {
			w.play(m, 100)
			want := 0
			if i == len(list)-1 {
				want = len(list)
			}
			if names, _ := w.archived(at); len(names) != want {
				t.Errorf("after %d of %d matches on one seed: %d records, want %d", i+1, len(list), len(names), want)
			}
		}
		holds(t, "there are twins", len(list) > 1)
	})
}
