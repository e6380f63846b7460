package cheats_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/cli/cheats"
	"github.com/molerun/molerun/internal/must"
)

// slowHellos are bots that let the platform wait at every check.
func slowHellos() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "slow hellos that fill the places for checks", Unit: "s until another's bot is checked (cut at 25)", Tolerance: 2,
			Stops: "an owner has four of the 24 places for checks at most, and a hello ten seconds at most",
		},
		play: func(t *testing.T, p *platform) []cheats.Trial {
			own := newPlatform(t, p.binary, 1)
			var slow atomic.Bool
			plain := mind(t, weak(), kit.Bot{})
			url := own.house(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if slow.Load() {
					_, _ = io.Copy(io.Discard, r.Body) // else nobody sees that the platform has gone
					select {
					case <-r.Context().Done():
					case <-t.Context().Done():
					}
					return
				}
				plain.ServeHTTP(w, r)
			}))
			cheat := own.owner(t)
			for range 12 {
				own.enrol(t, cheat, url)
			}
			list := gather(2, func(int) cheats.Trial { return cheats.Trial{Honest: own.checked(t)} })
			slow.Store(true)
			for i := range list {
				own.due(t, cheat, 30)
				time.Sleep(1500 * time.Millisecond) // they are being checked
				list[i].Cheat = own.checked(t)
			}
			return list
		},
	}
}

// due puts the clock of the checks of an owner's bots forward, so that they are due since so many minutes.
func (p *platform) due(t *testing.T, owner *user, minutes int) {
	t.Helper()
	db, err := pgx.Connect(t.Context(), p.database)
	must.OK(t, err)
	defer db.Close(context.Background())
	_, err = db.Exec(t.Context(), "UPDATE bots SET checked_at = now() - make_interval(mins => $2) WHERE owner_id = $1", owner.id, minutes)
	must.OK(t, err)
}

// checked is how long a new bot waits for a check that is due, in seconds; at most 25.
func (p *platform) checked(t *testing.T) float64 {
	t.Helper()
	x := p.bot(t, weak())
	p.due(t, x.owner, 20)
	begin := time.Now()
	for time.Since(begin) < 25*time.Second {
		var health struct{ Data []json.RawMessage }
		x.owner.get(t, "/v1/bots/"+x.id+"/health", &health)
		if len(health.Data) > 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	return time.Since(begin).Seconds()
}
