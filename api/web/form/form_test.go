package form_test

import (
	"encoding/json"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/api/web/form"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// cup is a tournament in which every field says something.
func cup() wire.TournamentCreate {
	rated := false
	at := time.Date(2026, 3, 6, 19, 0, 0, 0, time.UTC)
	return wire.TournamentCreate{
		TournamentTemplate: wire.TournamentTemplate{
			Name: "Friday Cup", Game: "toy", Config: json.RawMessage(`{"steps":5}`), Table: 2, Format: "swiss", Cycles: 2, Duplicate: true, Rated: &rated,
			Capacity: 32, PerOwner: 3, Waiting: true, CheckInMS: 1_800_000,
			Clock:  &wire.Clock{LimitMS: 1500, BankMS: 10_000, IncrementMS: 20, NetworkAllowanceMS: 150},
			Faults: &wire.FaultLimits{InRow: 3, Total: 10},
			Options: &tournament.FormatOptions{
				MinTable: 2, Rounds: 5, BestOf: 4, ThirdPlace: true, GroupSize: 4, Playoff: "single_elimination", Finalists: 8,
				TieBreaks: []string{"wins", "buchholz"}, LastsMS: 86_400_000, LateEntries: true,
				Test: tournament.Test{Elo0: -1.5, Elo1: 30, Alpha: 0.05, Beta: 0.1, Normalised: true, MaxPairs: 7},
			},
			InviteOnly: true, Texts: tournament.Texts{Description: "Line one.\nLine two.", Rules: "Be *kind*.", Prizes: "\"Glory\""},
		},
		OpensAt: at.Add(-24 * time.Hour), ClosesAt: at.Add(-time.Second), StartsAt: at,
	}
}

// sent are the fields of a form as a browser sends them, whose lines end in two characters.
func sent(f *form.Form) url.Values {
	out := url.Values{form.ZoneName: {f.Zone}}
	for _, x := range f.Fields {
		for _, typed := range x.Typed {
			out.Add(x.Name, strings.ReplaceAll(typed, "\n", "\r\n"))
		}
		for i, row := range x.Cells {
			out[x.Row(i)] = row
		}
	}
	return out
}

// What a thing is now comes through the form unchanged, on the clocks of any zone.
func TestAFormKeepsWhatIsThere(t *testing.T) {
	for _, zone := range []string{"UTC", "Europe/Amsterdam", "America/St_Johns"} {
		for _, row := range []any{
			cup(),
			wire.SchedulePatch{TemplatePatch: wire.TemplatePatch{Rated: new(true), Capacity: new(8), TextsPatch: wire.TextsPatch{Rules: new("x"), Description: new(""), Prizes: new("")}, Name: new("n")}, Cron: new("0 20 * * FRI"), Zone: &zone, OpensBeforeMS: new(int64(86_400_000))},
			wire.SeriesCreate{Name: "Friday", ScheduleID: "x", Tournaments: []string{"a", "b"}, By: "rank", Best: 4, RankPoints: []float64{25, 18.5, 15}},
			wire.WebhookCreate{URL: "https://hook.example/", Events: []string{"match.finished", "match.void"}},
			wire.Seeds{Bots: []string{"b", "a"}},
		} {
			raw, err := json.Marshal(row)
			must.OK(t, err)
			f := form.Of(reflect.TypeOf(row), form.Words{})
			f.Zone = zone
			must.OK(t, f.Fill(raw))
			again := form.Of(reflect.TypeOf(row), form.Words{})
			again.Type(sent(f))
			got := reflect.New(reflect.TypeOf(row))
			if err := json.Unmarshal(again.Body(), got.Interface()); err != nil || again.Wrong() {
				t.Fatalf("%T: %v, %+v", row, err, again)
			}
			if diff := cmp.Diff(row, got.Elem().Interface()); diff != "" {
				t.Errorf("%T in %s: %s", row, zone, diff)
			}
		}
	}
}

// A form that changes something asks for what is changed alone, whatever the zone in which it shows the times.
func TestWhatIsNotChangedIsNotAskedFor(t *testing.T) {
	raw, err := json.Marshal(cup())
	must.OK(t, err)
	for name, row := range map[string]struct {
		name, typed string
		want        string
	}{
		"nothing":       {"name", "Friday Cup", `{}`},
		"a figure":      {"capacity", "33", `{"capacity":33}`},
		"a text":        {"rules", "", `{"rules":""}`},
		"a figure gone": {"check_in_ms", "", `{"check_in_ms":0}`},
		"a whole clock": {"clock/bank_ms", "11s", `{"clock":{"bank_ms":11000,"increment_ms":20,"limit_ms":1500,"network_allowance_ms":150}}`},
	} {
		f := form.Of(reflect.TypeFor[wire.SchedulePatch](), form.Words{})
		must.OK(t, f.Fill(raw))
		in := sent(f)
		in.Set(row.name, row.typed)
		f.Type(in)
		if got := string(f.Body()); got != row.want {
			t.Errorf("%s: got %s, want %s", name, got, row.want)
		}
	}
}

// Whoever empties the last field of an object, or a field alone, takes away what was there.
func TestWhatIsEmptiedIsTakenAway(t *testing.T) {
	f := form.Of(reflect.TypeFor[wire.TournamentPatch](), form.Words{})
	must.OK(t, f.Fill([]byte(`{"name":"x","check_in_ms":60000,"format_options":{"rounds":3,"playoff":"single_elimination"}}`)))
	in := sent(f)
	for _, name := range []string{"check_in_ms", "format_options/rounds", "format_options/playoff"} {
		in.Set(name, "")
	}
	f.Type(in)
	if got, want := string(f.Body()), `{"check_in_ms":0,"format_options":{}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Every field has a control for its type, and what nobody types leaves optional keys out.
func TestAnEmptyFormHasTheKeysThatMustBeThere(t *testing.T) {
	f := form.Of(reflect.TypeFor[wire.TournamentCreate](), form.Words{})
	f.Type(url.Values{form.ZoneName: {"UTC"}})
	var keys map[string]any
	if err := json.Unmarshal(f.Body(), &keys); err != nil || f.Wrong() {
		t.Fatalf("%v: %+v", err, f.Refused)
	}
	want := map[string]any{
		"name": "", "game": "", "format": "", "table_size": 0.0, "cycles": 0.0, "capacity": 0.0, "duplicate": false,
		"opens_at": "0001-01-01T00:00:00Z", "closes_at": "0001-01-01T00:00:00Z", "starts_at": "0001-01-01T00:00:00Z",
	}
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Error(diff)
	}
	kinds := map[string]form.Kind{
		"name": form.Line, "description": form.Text, "config": form.Object, "table_size": form.Number, "format": form.Choice, "rated": form.Choice, "duplicate": form.Tick,
		"check_in_ms": form.Span, "starts_at": form.Moment, "clock/limit_ms": form.Span, "format_options/tie_breaks": form.Ticks, "format_options/playoff": form.Choice,
		"format_options/elo0": form.Number,
	}
	for name, kind := range kinds {
		if x := f.Field(name); x == nil || x.Kind != kind {
			t.Errorf("%s: got %+v, want %s", name, x, kind)
		}
	}
	if x := form.Of(reflect.TypeFor[wire.RoundChange](), form.Words{}).Field("tables"); x.Kind != form.Table {
		t.Errorf("tables: got %s", x.Kind)
	}
}

// Words of the document stand beside the fields of every request that people fill in.
func TestTheDocumentExplainsTheFields(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/openapi.json")
	must.OK(t, err)
	words, err := form.ReadWords(raw)
	must.OK(t, err)
	if said := words.On(wire.CreateBot.Spec); said.Summary != "Register a bot" || !strings.Contains(said.Description, "signed hello") {
		t.Errorf("got %+v of an operation", said)
	}
	f := form.Of(reflect.TypeFor[wire.BotCreate](), words)
	if help := f.Field("url").Help; !strings.Contains(help, "where the bot listens") {
		t.Errorf("url: got %q", help)
	}
}

func TestWhatCannotBeReadIsRefusedInItsPlace(t *testing.T) {
	for name, typed := range map[string][]string{
		"table_size": {"two"}, "capacity": {"1.5"}, "check_in_ms": {"soon"}, "starts_at": {"friday"}, "config": {"", "[1]"}, "clock/limit_ms": {"0.0001s"},
		"format_options/elo0": {"NaN"}, "format_options/lasts_ms": {"1d2h"},
	} {
		f := form.Of(reflect.TypeFor[wire.TournamentCreate](), form.Words{})
		f.Type(url.Values{name: typed})
		f.Body()
		if x := f.Field(name); x.Problem == "" || !x.Has(typed[len(typed)-1]) {
			t.Errorf("%s: %q is taken, or gone: %+v", name, typed, x)
		}
		for _, x := range f.Fields {
			if x.Name != name && x.Problem != "" {
				t.Errorf("%s: %s is refused too: %s", name, x.Name, x.Problem)
			}
		}
	}
	f := form.Of(reflect.TypeFor[wire.TournamentCreate](), form.Words{})
	f.Type(url.Values{form.ZoneName: {"Europe/Amsterdam"}, "starts_at": {"2026-03-29T02:30"}}) // the clocks skip it
	if f.Body(); !strings.Contains(f.Field("starts_at").Problem, "skip") {
		t.Errorf("got %q, want a word of the clocks", f.Field("starts_at").Problem)
	}
	f.Type(url.Values{"capacity": {strings.Repeat("9", 20)}})
	if f.Body(); f.Field("capacity").Problem != "is out of range" {
		t.Errorf("a number that is too large: got %q", f.Field("capacity").Problem)
	}
	f.Type(url.Values{form.ZoneName: {"Mars/Olympus"}})
	if f.Body(); len(f.Refused) != 1 {
		t.Errorf("got %q, want the zone refused", f.Refused)
	}
}

// A paste brings blanks along, which belong to no name, URL, secret or code; a text keeps its own.
func TestALineIsReadWithoutTheBlanksAroundIt(t *testing.T) {
	f := form.Of(reflect.TypeFor[wire.TournamentCreate](), form.Words{})
	f.Type(url.Values{"name": {" Friday  Cup\u00a0\t"}, "description": {"  a list\r\n"}})
	var got wire.TournamentCreate
	must.OK(t, json.Unmarshal(f.Body(), &got))
	if got.Name != "Friday  Cup" || got.Description != "  a list\n" {
		t.Errorf("got the name %q and the description %q", got.Name, got.Description)
	}
	f = form.Of(reflect.TypeFor[wire.BotCreate](), form.Words{})
	f.Type(url.Values{"name": {"ann"}, "url": {"https://x.example/ "}, "secret": {" "}})
	if body := string(f.Body()); body != `{"name":"ann","url":"https://x.example/"}` {
		t.Errorf("got %s", body)
	}
}

// A refusal's pointer leads to the field that holds it.
func TestARefusalStandsBesideItsField(t *testing.T) {
	f := form.Of(reflect.TypeFor[wire.SeriesCreate](), form.Words{})
	f.Set("name", "Friday")
	f.Refuse("/name", "is taken")
	f.Refuse("/tournaments/1", "is no id")
	f.Refuse("/tournaments/2", "is no id")
	f.Refuse("/colour", "is unknown")
	f.Refuse("", "is not now")
	for name, want := range map[string]string{"name": "is taken", "tournaments": "no. 2 is no id; no. 3 is no id"} {
		if got := f.Field(name).Problem; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if diff := cmp.Diff([]string{"colour is unknown", "is not now"}, f.Refused); diff != "" {
		t.Error(diff)
	}
	g := form.Of(reflect.TypeFor[wire.TournamentCreate](), form.Words{})
	g.Refuse("/name", "wants 1 to 80 characters")
	g.Refuse("/config/rounds", "is too many")
	if got := g.Field("name").Problem + ", " + g.Field("config").Problem; got != "is missing, rounds: is too many" {
		t.Errorf("got %q", got)
	}
}
