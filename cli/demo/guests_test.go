package demo

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/must"
)

// tables are the games as people play them in tests: small variants against house bots that are quick.
var tables = []struct {
	game, variant string
	bots          int
}{
	{"cia", "base", 1},
	{"demol", "base", 4},
	{"mole", "short", 1},
	{"molehill", "base", 1},
	{"molemajority", "base", 1},
}

// platform starts a demo without tournaments, with greedy bots of every game that take challenges. It returns the ids of the bots by game.
func platform(t *testing.T) (d *demo, base string, bots map[string][]string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	group, ctx := errgroup.WithContext(ctx)
	c := command.Console{Out: io.Discard, Err: os.Stderr}
	d = &demo{demoOptions: demoOptions{seed: 1, keep: true, dir: t.TempDir()}, c: c, tell: printer.New(c, false), field: map[string]registered{}}
	err := d.open(ctx)
	must.OK(t, err)
	base, err = d.serve(ctx, group)
	must.OK(t, err)
	context.AfterFunc(ctx, d.p.Bots.Close)
	t.Cleanup(func() {
		stop()
		if err := group.Wait(); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
		if err := d.p.Close(); err != nil {
			t.Error(err)
		}
	})
	d.api = client.New(base)
	bots = map[string][]string{}
	for _, x := range tables {
		for k := range x.bots {
			made, err := d.register(ctx, group, fmt.Sprintf("owner-%s-%d", x.game, k), x.game, fmt.Sprintf("greedy-%s-%d", x.game, k), uint64(k))
			must.OK(t, err)
			bots[x.game] = append(bots[x.game], made.bot)
		}
	}
	return d, base, bots
}

// guest is a browser without a script.
type guest struct {
	t    *testing.T
	base string
	http *http.Client
	seen []string // what it was answered, without the escapes of HTML
}

func newGuest(t *testing.T, base string) *guest {
	t.Helper()
	jar, err := cookiejar.New(nil)
	must.OK(t, err)
	return &guest{t: t, base: base, http: &http.Client{Jar: jar}}
}

// page returns what a request was answered with, redirects followed.
func (g *guest) page(method, path string, form url.Values) (int, string) {
	g.t.Helper()
	r, err := http.NewRequestWithContext(g.t.Context(), method, g.base+path, strings.NewReader(form.Encode()))
	must.OK(g.t, err)
	r.Header.Set("Accept", "text/html")
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	got, err := g.http.Do(r)
	must.OK(g.t, err)
	defer func() { _ = got.Body.Close() }()
	body, err := io.ReadAll(got.Body)
	must.OK(g.t, err)
	g.seen = append(g.seen, html.UnescapeString(string(body)))
	return got.StatusCode, string(body)
}

// find returns what the only group of a pattern matches first, without the escapes of HTML; "" if it does not.
func find(pattern, text string) string {
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return html.UnescapeString(m[1])
}

// all returns every match of a pattern's only group.
func all(pattern, text string) []string {
	var out []string
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		out = append(out, html.UnescapeString(m[1]))
	}
	return out
}

// first fills in the first form of a seat's page: the choice in the middle of a list, or the first value of every field.
func first(page string, n int) url.Values {
	in := url.Values{"decision": {find(`name="decision" value="([^"]*)"`, page)}}
	if choices := all(`name="choose" value="(\d+)"`, page); len(choices) > 0 {
		in.Set("choose", choices[n%len(choices)])
		return in
	}
	form := regexp.MustCompile(`(?s)<form method="post" action="/seat" class="offer".*?</form>`).FindString(page)
	in.Set("form", find(`name="form" value="(\d+)"`, form))
	for _, m := range regexp.MustCompile(`<select id="[^"]*" name="([^"]*)"><option value="([^"]*)"`).FindAllStringSubmatch(form, -1) {
		in.Set(m[1], html.UnescapeString(m[2]))
	}
	for _, m := range regexp.MustCompile(`<input type="hidden" name="(field\.[^"]*)" value="([^"]*)"`).FindAllStringSubmatch(form, -1) {
		in.Set(m[1], html.UnescapeString(m[2]))
	}
	for _, m := range regexp.MustCompile(`name="(field\.[^"]*)" type="number" required min="[^"]*" max="[^"]*" value="([^"]*)"`).FindAllStringSubmatch(form, -1) {
		in.Set(m[1], m[2])
	}
	for _, parts := range regexp.MustCompile(`(?s)<fieldset class="parts" data-kind="(\w+)" data-least="\d+" data-most="(\d+)"[^>]*>(.*?)</fieldset>`).FindAllStringSubmatch(form, -1) {
		if parts[1] == "share" { // all for the first
			in.Set(find(`name="(field\.[^"]*)"`, parts[3]), parts[2])
		}
		for k, list := range regexp.MustCompile(`(?s)<select id="[^"]*" name="([^"]*)">(.*?)</select>`).FindAllStringSubmatch(parts[3], -1) {
			in.Set(list[1], all(`<option value="([^"]+)"`, list[2])[k])
		}
	}
	for _, many := range regexp.MustCompile(`(?s)<fieldset class="many" data-choose="(\d)"[^>]*>(.*?)</fieldset>`).FindAllStringSubmatch(form, -1) {
		boxes := regexp.MustCompile(`name="(field\.[^"]*)" value="([^"]*)"`).FindAllStringSubmatch(many[2], -1)
		for k := range int(many[1][0] - '0') {
			box := boxes[k*(len(boxes)-1)/max(1, int(many[1][0]-'0')-1)]
			in.Add(box[1], html.UnescapeString(box[2]))
		}
	}
	return in
}

// longMatch is how many decisions a person makes in about ten minutes.
const longMatch = 100

// chosenVariant returns the variant that the page that seats people has chosen: the first, unless it says another.
func chosenVariant(page string) string {
	list := find(`(?s)<select id="variant"[^>]*>(.*?)</select>`, page)
	if chosen := find(`<option value="([^"]*)" selected`, list); chosen != "" {
		return chosen
	}
	return find(`<option value="([^"]*)"`, list)
}

// A person plays a whole match of every game through the forms alone, without a script, and the record is as the rules have it.
func TestAPersonPlaysEveryGameThroughTheForms(t *testing.T) {
	d, base, bots := platform(t)
	for _, x := range tables {
		t.Run(x.game, func(t *testing.T) {
			g := newGuest(t, base)
			if status, page := g.page("GET", "/play/"+x.game, nil); status != 200 || !strings.Contains(page, "Sit down and play") {
				t.Fatalf("got %d %s, want the page that seats people", status, page)
			} else if variant := chosenVariant(page); variant != x.variant {
				t.Errorf("the variant %s is chosen at first, want %s", variant, x.variant)
			}
			begun := time.Now()
			status, page := g.page("POST", "/play/"+x.game, url.Values{"variant": {x.variant}, "seat": {"0"}, "bot": bots[x.game]})
			decided := 0
			for state := ""; state != "over"; state = find(`data-state="(\w+)"`, page) {
				if status != 200 {
					t.Fatalf("after %d decisions: got %d %s", decided, status, page)
				}
				if state != "turn" {
					status, page = g.page("GET", "/seat?after="+url.QueryEscape(find(`data-key="([^"]*)"`, page)), nil)
					continue
				}
				decided++
				if board := find(`id="drawing" src="([^"]*)"`, page); board != "" {
					g.page("GET", board, nil)
				}
				status, page = g.page("POST", "/seat", first(page, decided))
			}
			id := find(`href="/matches/([^"]*)">Watch`, page)
			t.Logf("%d decisions in %v: %s", decided, time.Since(begun).Round(time.Millisecond), find(`role="status"><strong>([^<]*)<`, page))
			if decided == 0 || decided > longMatch {
				t.Errorf("the person was asked %d times, want 1 to %d", decided, longMatch)
			}
			again := url.Values{"variant": {find(`name="variant" value="([^"]*)"`, page)}, "seat": {find(`name="seat" value="([^"]*)"`, page)}, "bot": all(`name="bot" value="([^"]*)"`, page)}
			if want := (url.Values{"variant": {x.variant}, "seat": {"0"}, "bot": bots[x.game]}); !reflect.DeepEqual(again, want) {
				t.Errorf("a rematch asks for %v, want %v", again, want)
			}
			if x.game == "demol" {
				knows(t, g.seen, page)
			}
			rec := verify(t, d, id)
			g.page("GET", "/seat", nil) // what is open by now is seen by nobody before
			hides(t, rec, g.seen[:len(g.seen)-2])
		})
	}
}

// verify checks the record of a match of seat 0, a person's: the rules repeat it, and the house never decided for the person.
func verify(t *testing.T, d *demo, id string) *replay.Record {
	t.Helper()
	record, err := d.api.Read(t.Context(), "/v1/matches/"+id+"/replay")
	must.OK(t, err)
	rec, err := replay.Verify(bytes.NewReader(record), catalog.Find)
	must.OK(t, err)
	for i, s := range rec.Steps {
		for _, turn := range s.Turns {
			if turn.Seat == 0 && turn.By != replay.ByBot {
				t.Errorf("step %d: the house decided for the person: %s", i, turn.Why)
			}
		}
	}
	return rec
}

// hides says that no page of seat 0, while the match ran, tells what only others heard, nor the seed.
func hides(t *testing.T, rec *replay.Record, seen []string) {
	t.Helper()
	heard, hidden := map[string]bool{}, map[string]bool{rec.Seed.String(): true}
	engine, _ := catalog.Find(rec.Header.Game)
	err := rec.Play(func(p *replay.Player) error {
		for _, e := range p.Events() {
			for _, said := range []string{e.Words(), string(e.Data)} {
				if e.VisibleTo(0) {
					heard[said] = true
				} else {
					hidden[said] = true
				}
			}
		}
		return nil
	})
	must.OK(t, err)
	maps.DeleteFunc(hidden, func(said string, _ bool) bool { return said == "" || heard[said] })
	if engine.Info().Teams && len(hidden) < 2 {
		t.Error("nothing is hidden in this match: the test cannot see a leak")
	}
	for said := range hidden {
		for _, page := range seen {
			if strings.Contains(page, said) {
				t.Errorf("a page of the seat tells %q", said)
			}
		}
	}
	t.Logf("%d answers hold none of %d hidden things", len(seen), len(hidden))
}

// knows says whom the end of a match tells by another name than the pages before, without saying who that was.
func knows(t *testing.T, seen []string, end string) {
	t.Helper()
	players := func(page string) []string {
		return all(`<span class="seat-\d">([^<]*)<`, find(`(?s)<p class="players">(.*?)</p>`, page))
	}
	told := players(end)
	for i, alias := range players(strings.Join(seen[:3], "")) { // the first pages, or drawings
		if bot, ok := strings.CutPrefix(told[i], alias+" (greedy-demol-"); alias != "" && (!ok || !strings.HasSuffix(bot, ")")) {
			t.Errorf("%s is %q at the end, want the bot beside the alias", alias, told[i])
		}
	}
	if last := find(`<p class="last">([^<]*)<`, end); strings.Contains(last, "greedy") && !strings.Contains(last, " (greedy") {
		t.Errorf("the end says %q, want aliases too", last)
	}
}
