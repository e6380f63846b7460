package api_test

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

type protocolHello = protocol.HelloAnswer

func queryEscape(s string) string { return url.QueryEscape(s) }

// walk reads a whole list by its links and returns the ids.
func walk[T any](w *world, who, path string, id func(T) string) (ids []string, pages int) {
	w.t.Helper()
	for path != "" {
		pages++
		got := w.get(who, path).want(200, "")
		page := into[wire.Page[T]](got)
		for _, row := range page.Data {
			ids = append(ids, id(row))
		}
		link := got.header.Get("Link")
		if (page.Next == nil) != (link == "") {
			w.t.Fatalf("%s: got next_cursor %v and Link %q, want both or neither", path, page.Next, link)
		}
		path = ""
		if link != "" {
			path = strings.TrimSuffix(strings.TrimPrefix(link, "<"), `>; rel="next"`)
			if !strings.Contains(path, "cursor="+url.QueryEscape(*page.Next)) {
				w.t.Fatalf("got Link %q, want the cursor %q in it", link, *page.Next)
			}
		}
	}
	return ids, pages
}

func TestListsComeInPages(t *testing.T) {
	onBoth(t, func(w *world) {
		want := map[string]bool{}
		for range 7 {
			want[w.bot(owner).ID] = true
		}
		for range 3 {
			w.bot(other)
		}
		ids, pages := walk(w, owner, "/v1/bots?owner=me&limit=3", func(b wire.Bot) string { return b.ID })
		if len(ids) != 7 || pages != 3 {
			t.Errorf("got %d bots on %d pages, want 7 on 3", len(ids), pages)
		}
		for _, id := range ids {
			if !want[id] {
				t.Errorf("got %s, want only mine, each once", id)
			}
			delete(want, id)
		}
		games, pages := walk(w, anon, "/v1/games?limit=1", func(g wire.Game) string { return g.ID })
		if strings.Join(games, " ") != "toy masks openmasks" || pages != 3 {
			t.Errorf("got %v on %d pages, want toy, masks and openmasks on 3", games, pages)
		}
		cup := w.cup(func(*tournament.Tournament) {})
		for _, who := range []string{owner, other, rival} {
			w.do(who, "POST", "/v1/tournaments/"+cup.ID+"/entries", map[string]any{"bot_id": w.bot(who).ID}).want(201, "")
		}
		entries, pages := walk(w, anon, "/v1/tournaments/"+cup.ID+"/entries?limit=2", func(e wire.Entry) string { return e.OwnerID })
		if len(entries) != 3 || pages != 2 || entries[0] != w.users[owner].ID {
			t.Errorf("got %v on %d pages, want three in the order they joined on 2", entries, pages)
		}
	})
}

func TestACursorIsForItsListAlone(t *testing.T) {
	onOne(t, func(w *world) {
		for range 3 {
			w.bot(owner)
			w.cup(func(*tournament.Tournament) {})
		}
		next := *into[wire.Page[wire.Bot]](w.get(anon, "/v1/bots?limit=1&game=masks").want(200, "")).Next
		w.get(anon, "/v1/bots?limit=2&game=masks&cursor="+next).want(200, "") // the limit may change
		raw, err := base64.RawURLEncoding.DecodeString(next)
		must.OK(t, err)
		for i := range raw {
			bent := append([]byte{}, raw...)
			bent[i] ^= 1
			w.get(anon, "/v1/bots?limit=1&game=masks&cursor="+base64.RawURLEncoding.EncodeToString(bent)).want(400, "bad_query").place("?cursor")
		}
		for name, path := range map[string]string{
			"other filter": "/v1/bots?limit=1&game=toy&cursor=" + next,
			"no filter":    "/v1/bots?limit=1&cursor=" + next,
			"more filters": "/v1/bots?limit=1&game=masks&status=active&cursor=" + next,
			"other list":   "/v1/tournaments?limit=1&game=masks&cursor=" + next,
			"padded":       "/v1/bots?limit=1&game=masks&cursor=" + next + "%3D",
			"cut":          "/v1/bots?limit=1&game=masks&cursor=" + next[:len(next)-2],
			"empty":        "/v1/bots?limit=1&game=masks&cursor=",
			"short":        "/v1/bots?limit=1&game=masks&cursor=AAAA",
		} {
			if got := w.get(anon, path); got.status != 400 {
				t.Errorf("%s: got %d, want 400", name, got.status)
			}
		}
	})
}

func TestFiltersNarrow(t *testing.T) {
	onOne(t, func(w *world) {
		mine, theirs := w.bot(owner), w.bot(other)
		_, err := directortest.Greet(t.Context(), w.store, w.director, theirs.ID, "x")
		must.OK(t, err)
		for path, want := range map[string]string{
			"/v1/bots?status=active": mine.ID, "/v1/bots?status=paused": theirs.ID, "/v1/bots?owner=me": mine.ID,
			"/v1/bots?owner=" + w.users[other].ID: theirs.ID, "/v1/bots?status=retired": "",
		} {
			ids, _ := walk(w, owner, path, func(b wire.Bot) string { return b.ID })
			if strings.Join(ids, " ") != want {
				t.Errorf("%s: got %v, want %q", path, ids, want)
			}
		}
		if ids, _ := walk(w, anon, "/v1/bots?game=toy", func(b wire.Bot) string { return b.ID }); len(ids) != 2 {
			t.Errorf("game=toy: got %v, want both", ids)
		}
	})
}

func TestReplicasWithOneKeyGoOnWithEachOthersPages(t *testing.T) {
	onOneWith(t, func(c *api.Config) { c.CursorKey = []byte("a key of at least thirty-two bytes") }, func(w *world) {
		w.bot(owner)
		w.bot(owner)
		next := *into[wire.Page[wire.Bot]](w.get(anon, "/v1/bots?limit=1").want(200, "")).Next
		for key, status := range map[string]int{string(w.cfg.CursorKey): 200, "another key of thirty-two bytes..": 400, "": 400} {
			cfg := w.cfg
			cfg.CursorKey, cfg.Metrics = []byte(key), prometheus.NewRegistry()
			twin, err := api.New(cfg)
			must.OK(t, err)
			w.api = twin
			if got := w.get(anon, "/v1/bots?limit=1&cursor="+next); got.status != status {
				t.Errorf("key %q: got %d, want %d", key, got.status, status)
			}
		}
	})
}
