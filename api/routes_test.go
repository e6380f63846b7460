package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

var param = regexp.MustCompile(`:([a-z_]+)`)

// committed returns the document that is served, from its file, which it reads once.
func committed(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := readCommitted()
	must.OK(t, err)
	return doc
}

var readCommitted = sync.OnceValues(func() (*openapi3.T, error) { return openapi3.NewLoader().LoadFromFile("../docs/openapi.json") })

// eachOperation calls do with every operation of a document, by its name: "GET /v1/bots/{id}".
func eachOperation(doc *openapi3.T, do func(name string, op *openapi3.Operation)) {
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			do(method+" "+path, op)
		}
	}
}

// TestTheDocumentListsWhatTheDomainKnows holds the lists of words in the annotations of package wire against the domain's own.
func TestTheDocumentListsWhatTheDomainKnows(t *testing.T) {
	schemas := committed(t).Components.Schemas
	for _, test := range []struct {
		schema, property string
		want             string
	}{
		{"Tournament", "format", fmt.Sprint(tournament.Formats())},
		{"TournamentCreate", "format", fmt.Sprint(tournament.Formats())},
		{"Schedule", "format", fmt.Sprint(tournament.Formats())},
		{"ScheduleCreate", "format", fmt.Sprint(tournament.Formats())},
		{"FormatOptions", "tie_breaks", fmt.Sprint(tournament.TieBreaks())},
		{"LadderEntry", "class", fmt.Sprint(tournament.LineClasses())},
		{"WebhookCreate", "events", fmt.Sprint(tournament.WebhookKinds())},
	} {
		property := schemas[test.schema].Value.Properties[test.property]
		if items := property.Value.Items; items != nil {
			property = items
		}
		if got := fmt.Sprint(property.Value.Enum); got != test.want {
			t.Errorf("%s.%s: got %s, want %s", test.schema, test.property, got, test.want)
		}
	}
}

func TestTheDocumentSaysWhatSwaggerCannot(t *testing.T) {
	doc := committed(t)
	if s := doc.Components.SecuritySchemes["Bearer"].Value; s.Type != "http" || s.Scheme != "bearer" {
		t.Errorf("Bearer: got %s %s, want http bearer", s.Type, s.Scheme)
	}
	if next := doc.Components.Schemas["Page-Bot"].Value.Properties["next_cursor"].Value; !next.Type.Includes("null") {
		t.Errorf("next_cursor: got the types %v, want null among them", next.Type)
	}
	same(t, "the format of created_at", doc.Components.Schemas["Bot"].Value.Properties["created_at"].Value.Format, "date-time")
	if r := doc.Components.Schemas["Bot"].Value.Required; !slices.Contains(r, "id") {
		t.Errorf("Bot: got required %v, want id among them", r)
	}
	eachOperation(doc, func(name string, op *openapi3.Operation) {
		for code, r := range op.Responses.Map() {
			problem := code == "default" || code >= "400"
			for kind := range maps.Keys(r.Value.Content) {
				if (kind == "application/problem+json") != problem {
					t.Errorf("%s %s: has %s", name, code, kind)
				}
				if kind == "text/html" {
					t.Errorf("%s: a page is in the API's document", name)
				}
			}
		}
	})
}

// TestPagesAreNotOfTheAPI: swagger adds every operation that has a value in package wire to the document.
func TestPagesAreNotOfTheAPI(t *testing.T) {
	for _, page := range api.Pages() {
		must.Say(t, page, "not", " /v1/")
	}
}

// TestOperationsHavePleasantNames: generated clients have a function of each.
func TestOperationsHavePleasantNames(t *testing.T) {
	seen := map[string]string{}
	pleasant := regexp.MustCompile(`^[a-z]+([A-Z][a-z]+)*$`)
	eachOperation(committed(t), func(name string, op *openapi3.Operation) {
		if !pleasant.MatchString(op.OperationID) {
			t.Errorf("%s: its id is %q, want one like createTournament", name, op.OperationID)
		}
		if other := seen[op.OperationID]; other != "" {
			t.Errorf("%s: its id %s is that of %s", name, op.OperationID, other)
		}
		seen[op.OperationID] = name
	})
}

// TestTheDocumentSaysWhoNeedsAToken: exactly those operations that refuse a caller without one.
func TestTheDocumentSaysWhoNeedsAToken(t *testing.T) {
	refused := map[string]bool{}
	for _, row := range matrix {
		refused[param.ReplaceAllString(row.route, "{$1}")] = strings.HasPrefix(row.want, "401")
	}
	eachOperation(committed(t), func(name string, op *openapi3.Operation) {
		if op.Security == nil {
			t.Errorf("%s: says nothing of tokens", name)
		} else if needs := len(*op.Security) > 0; needs != refused[name] {
			t.Errorf("%s: a token needed: got %v, want %v", name, needs, refused[name])
		}
	})
}

// TestEveryCodeOfAProblemIsInTheDocument: those of the errors that the domain and HTTP declare, and no other.
func TestEveryCodeOfAProblemIsInTheDocument(t *testing.T) {
	want := []any{"bad_config"} // of the games; their other errors are no answers
	declared := regexp.MustCompile(`errors\.New\("([a-z_]+)"\)`)
	for _, file := range []string{"../tournament/errors.go", "httpx/problem.go"} {
		text, err := os.ReadFile(file)
		must.OK(t, err)
		for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
			want = append(want, m[1])
		}
	}
	got := committed(t).Components.Schemas["Problem"].Value.Properties["code"].Value.Enum
	for _, code := range want {
		if !slices.Contains(got, code) {
			t.Errorf("%s is declared, and in no document", code)
		}
	}
	for _, code := range got {
		if !slices.Contains(want, code) {
			t.Errorf("%s is in the document, and declared nowhere", code)
		}
	}
}

func TestTheBodiesThatTheDocumentShowsAreTaken(t *testing.T) {
	molehill, _ := catalog.Find("molehill")
	onSQLite(t, func(c *api.Config) { c.Engines = append(engines(), molehill) }, func(w *world) {
		w.greet = func(string) (protocol.HelloAnswer, error) {
			return protocol.HelloAnswer{Author: "ada", Games: []string{"molehill"}}, nil
		}
		cup, one, two := w.cup(func(*tournament.Tournament) {}), w.bot(owner), w.bot(other)
		w.consent(one.ID)
		w.consent(two.ID)
		shown := 0
		eachOperation(committed(t), func(name string, op *openapi3.Operation) {
			if op.RequestBody == nil || op.RequestBody.Value.Content.Get("application/json").Example == nil {
				return
			}
			shown++
			body, err := json.Marshal(op.RequestBody.Value.Content.Get("application/json").Example)
			must.OK(t, err)
			ids := strings.NewReplacer("019ca945-0a00-7000-8000-000000000001", one.ID, "019ca945-0a00-7000-8000-000000000002", two.ID)
			method, path, _ := strings.Cut(name, " ")
			switch {
			case strings.HasPrefix(path, "/v1/tournaments/{id}"):
				path = strings.ReplaceAll(path, "{id}", cup.ID)
			case strings.HasPrefix(path, "/v1/bots/{id}"):
				path = strings.ReplaceAll(path, "{id}", one.ID)
			}
			if got := w.do(admin, method, path, ids.Replace(string(body))); got.status >= 300 {
				t.Errorf("%s: got %d %s to %s", op.OperationID, got.status, got.body, body)
			}
		})
		if shown < 9 {
			t.Errorf("%d bodies shown, want those of all that is made", shown)
		}
	})
}

func TestEveryWebhookIsInTheDocument(t *testing.T) {
	want := []string{"webhook.challenge"}
	for _, kind := range tournament.WebhookKinds() {
		want = append(want, string(kind))
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(committed(t).Webhooks)); !slices.Equal(got, want) {
		t.Errorf("got the webhooks %v, want %v", got, want)
	}
}

func TestWhatWebhooksAreSentIsAsTheDocumentSays(t *testing.T) {
	onSQLite(t, nothing, func(w *world) {
		ctx, hook, b := t.Context(), w.hooked(owner), w.bot(owner)
		w.finished(b, w.bot(other))
		w.do(owner, "POST", "/v1/bots/"+b.ID+"/pause", nil).want(200, "")
		w.do(owner, "POST", "/v1/bots/"+b.ID+"/resume", nil).want(200, "")
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.do(admin, "POST", "/v1/matches/"+list[0].ID+"/void", map[string]any{"reason": "power cut"}).want(200, "")
		cup := w.cup(func(*tournament.Tournament) {})
		w.do(owner, "POST", "/v1/tournaments/"+cup.ID+"/entries", map[string]any{"bot_id": b.ID}).want(201, "")
		w.do(organiser, "POST", "/v1/tournaments/"+cup.ID+"/cancel", map[string]any{"reason": "rain"}).want(200, "")
		deliveries, _, err := w.store.Deliveries(ctx, hook.ID, store.Page{Limit: 100})
		must.OK(t, err)
		doc, sent := committed(t), map[tournament.EventKind]bool{}
		for _, d := range deliveries {
			sent[d.Kind] = true
			schema := doc.Webhooks[string(d.Kind)].Post.RequestBody.Value.Content.Get("application/json").Schema.Value
			schema.Properties["data"].Value.AdditionalProperties = openapi3.AdditionalProperties{Has: new(bool)} // a forgotten key shows
			var body any
			must.OK(t, json.Unmarshal(d.Payload, &body))
			if err := schema.VisitJSON(body); err != nil {
				t.Errorf("%s: %s is not as documented: %v", d.Kind, d.Payload, err)
			}
		}
		for _, kind := range []tournament.EventKind{
			tournament.EventMatchFinished, tournament.EventMatchVoid, tournament.EventTournamentStarted, tournament.EventTournamentFinished,
			tournament.EventTournamentCancelled, tournament.EventBotPaused, tournament.EventBotResumed,
		} {
			if !sent[kind] {
				t.Errorf("no %s was sent: the test asks for less than it says", kind)
			}
		}
	})
}
