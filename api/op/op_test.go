package op_test

import (
	"testing"
	"time"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/internal/must"
)

type query struct {
	op.One
	Since time.Time `form:"since"`
	Seat  *int      `form:"seat"`
	op.Paging
}

type body struct {
	Name string `json:"name"`
}

func TestARequestHasATargetAndABody(t *testing.T) {
	zero := 0
	list := op.Get[query, op.None]("/v1/things/{id}/parts", "")
	change := op.Patch[op.WithID[body], op.None]("/v1/things/{id}", "organise")
	perhaps := op.Post[op.WithID[*body], op.None]("/v1/things/{id}/end", "")
	for _, row := range []struct{ what, got, want string }{
		{"an id and nothing else", list.Target(query{One: op.One{ID: "a/b"}}), "/v1/things/a%2Fb/parts"},
		{"an id in large letters", list.Target(query{One: op.One{ID: "0A-B"}}), "/v1/things/0a-b/parts"},
		{"a query", list.Target(query{One: op.One{ID: "x"}, Since: time.Unix(0, 0).UTC(), Paging: op.Paging{Limit: 5}}), "/v1/things/x/parts?limit=5&since=1970-01-01T00%3A00%3A00Z"},
		{"a pointer to zero is no zero", list.Target(query{One: op.One{ID: "x"}, Seat: &zero}), "/v1/things/x/parts?seat=0"},
		{"a route", change.Route(), "/v1/things/:id"},
		{"no body of a GET", encoded(t, list, query{}), ""},
		{"the body alone", encoded(t, change, op.WithID[body]{One: op.One{ID: "x"}, Body: body{Name: "n"}}), `{"name":"n"}`},
		{"a body left out", encoded(t, perhaps, op.WithID[*body]{}), ""},
		{"a request that is its body", encoded(t, op.Create[body, op.None]("/v1/things", ""), body{Name: "m"}), `{"name":"m"}`},
	} {
		if row.got != row.want {
			t.Errorf("%s: got %s, want %s", row.what, row.got, row.want)
		}
	}
}

func encoded[In, Out any](t *testing.T, o op.Operation[In, Out], in In) string {
	t.Helper()
	b, err := o.Encode(in)
	must.OK(t, err)
	return string(b)
}
