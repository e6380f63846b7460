package kit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
)

// A whole bot: it plays Mole Hill at random. In a program of your own, end with
// kit.Serve(ctx, "127.0.0.1:8000", handler).
func Example() {
	rng := rand.New(rand.NewPCG(1, 2))
	bot := kit.Bot{Name: "mo", Games: map[string]kit.Decide{
		"molehill": func(_ context.Context, t *protocol.Turn) (protocol.Answer, error) { return kit.Random(t.Offer, rng) },
	}}
	handler, err := kit.Handler(bot, "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=")
	if err != nil {
		panic(err)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{"type":"hello","challenge":"x"}`)))
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	// Output: 401 bad_signature: the header webhook-id is missing
}
