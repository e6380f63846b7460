package cheats_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/cheats"
	"github.com/molerun/molerun/internal/must"
)

// feeding are bots that lose without playing on a ladder, at the most matches an hour, beside one that plays: whoever meets them is fed.
func feeding() []entry {
	const unit = "rated losses by faults alone, until nobody resumes the bot"
	return []entry{
		{
			Cheat: cheats.Cheat{
				Name: "feeding by a bot that answers hello alone", Unit: unit, Tolerance: 3,
				Stops: "after three losses by its own faults in a row a bot is paused until its owner resumes it; one that does not answer a decision on trial either, after the first",
			},
			play: tried(2, func(t *testing.T, p *platform, _ int) cheats.Trial {
				return fed(t, p, func(own *platform) (string, func()) {
					return own.house(mind(t, helloAlone, kit.Bot{})), func() {}
				})
			}),
		},
		{
			Cheat: cheats.Cheat{
				Name: "feeding by dying", Unit: unit, Tolerance: 3,
				Stops: "a bot whose last decision failed is greeted before it plays again, and paused if that fails",
			},
			play: tried(2, func(t *testing.T, p *platform, _ int) cheats.Trial {
				return fed(t, p, func(*platform) (string, func()) {
					server := httptest.NewServer(mind(t, weak(), kit.Bot{}))
					t.Cleanup(server.Close)
					return server.URL + "/", server.Close
				})
			}),
		},
	}
}

// helloAlone fails at every turn but those on trial.
func helloAlone(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
	if onTrial(turn) {
		return weak()(ctx, turn)
	}
	return protocol.Answer{}, http.ErrAbortHandler
}

// fed counts what a bot loses on a ladder of its own, with two that play, until it is paused and a while longer. It stops when it has
// joined.
func fed(t *testing.T, p *platform, feeder func(own *platform) (url string, stop func())) cheats.Trial {
	t.Helper()
	own := newPlatform(t, p.binary, 8)
	url, stop := feeder(own)
	cheat, honest := own.enrol(t, own.owner(t), url), own.bot(t, weak())
	for _, x := range []player{cheat, honest, own.bot(t, strong())} {
		x.owner.do(t, http.MethodPost, "/v1/ladders/molehill/entries", fields{"bot_id": x.id, "matches_per_hour": 600}, nil)
	}
	stop()
	for end := time.Now().Add(90 * time.Second); own.count(t, "SELECT COUNT(*) FROM bots WHERE id = $1 AND status = 'paused'", cheat.id) == 0; time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			break // the count says the rest
		}
	}
	time.Sleep(3 * time.Second)
	const lost = "SELECT COUNT(*) FROM match_seats s JOIN matches m ON m.id = s.match_id WHERE s.bot_id = $1 AND s.retired AND m.rated"
	return cheats.Trial{Cheat: own.count(t, lost, cheat.id), Honest: own.count(t, lost, honest.id)}
}

// count asks the platform's database.
func (p *platform) count(t *testing.T, query string, args ...any) float64 {
	t.Helper()
	db, err := pgx.Connect(t.Context(), p.database)
	must.OK(t, err)
	defer db.Close(context.Background())
	var n float64
	must.OK(t, db.QueryRow(t.Context(), query, args...).Scan(&n))
	return n
}
