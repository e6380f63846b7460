package cli_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

// crowd is a platform of a serving and a working process on Postgres, with bots of many users.
type crowd struct {
	*store.Store
	*director.Director
	t      *testing.T
	ladder string
}

// bots returns n bots of a new user, each at its URL.
func (c *crowd) bots(name string, n int, url func(i int) string) (owner tournament.User, ids []string) {
	c.t.Helper()
	owner, _, err := c.CreateUser(c.t.Context(), tournament.User{Name: name, Role: tournament.RoleOwner},
		tournament.Token{ID: "token-" + name, Hash: sha256.Sum256([]byte(name))})
	must.OK(c.t, err)
	for i := range n {
		b, _, err := c.CreateBot(c.t.Context(), tournament.Bot{OwnerID: owner.ID, Name: fmt.Sprintf("%s-%d", name, i)},
			tournament.Version{URL: url(i), Games: []string{"molehill"}}, n)
		must.OK(c.t, err)
		ids = append(ids, b.ID)
	}
	return owner, ids
}

func (c *crowd) enter(owner tournament.User, bots ...string) {
	c.t.Helper()
	for _, id := range bots {
		_, err := c.JoinLadder(c.t.Context(), c.ladder, id, owner.ID, 600)
		must.OK(c.t, err)
	}
}

// hog gives a user twenty bots, five of which never answer, enters all on the ladder and asks for fifty challenges among the
// five and others, on the longest clock there is for them.
func (c *crowd) hog(honest, silent string) {
	c.t.Helper()
	owner, bots := c.bots("hog", 20, func(i int) string {
		if i < 5 {
			return silent
		}
		return honest
	})
	most := tournament.SourceChallenge.Bounds()
	for i := range tournament.MaxAsked {
		_, err := c.Challenge(c.t.Context(), director.Challenge{
			Game: "molehill", Clock: tournament.Clock{Limit: most.Limit, Bank: most.Bank, Increment: most.Increment},
			Limits: tournament.FaultLimits{InRow: most.Faults, Total: most.Faults},
			Bots:   []string{bots[i%20], bots[(i+[]int{1, 2, 10}[i/20])%20]}, Asker: tournament.Asker{UserID: owner.ID},
		})
		must.OK(c.t, err)
	}
	c.enter(owner, bots...)
}

// waits returns how long matches of guests on the ladder stood in the queue, and how long bots of guests were without a match
// between two.
func (c *crowd) waits() (queued, between []time.Duration) {
	c.t.Helper()
	last := map[string]time.Time{}
	for after := ""; ; {
		list, next, err := c.Matches(c.t.Context(), store.MatchFilter{LadderID: c.ladder}, store.Page{After: after, Sort: store.Oldest, Limit: store.MaxPage})
		must.OK(c.t, err)
		for _, m := range list {
			guest := false
			for _, s := range m.Seats {
				if s.BotName[:3] == "hog" || m.StartedAt == nil {
					continue
				}
				guest = true
				if end, ok := last[s.BotID]; ok {
					between = append(between, m.StartedAt.Sub(end))
				}
				if m.EndedAt != nil {
					last[s.BotID] = *m.EndedAt
				}
			}
			if guest {
				queued = append(queued, m.StartedAt.Sub(m.CreatedAt))
			}
		}
		if after = next; next == "" {
			return queued, between
		}
	}
}

// measure plays until guests have been given so many matches, with or without the hog.
func measure(t *testing.T, binary string, matches int, hog bool) (queued, between []time.Duration) {
	url := storetest.PostgresURL(t)
	bots := newSwarm(t, 2*time.Millisecond)
	over := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
	defer silent.Close()
	defer close(over)
	db := storetest.OpenURL(t, url, store.Options{MaxConns: 4})
	d := directortest.Of(db, catalog.Find)
	l, err := d.EnsureLadder(t.Context(), "molehill")
	must.OK(t, err)
	c := &crowd{Store: db, Director: d, t: t, ladder: l.ID}
	if hog {
		c.hog(bots.URL, silent.URL)
	}
	for i := range 12 {
		owner, one := c.bots(fmt.Sprint("guest-", i), 1, func(int) string { return bots.URL })
		c.enter(owner, one...)
	}
	var logs []*clitest.Log
	for _, args := range [][]string{{"serve", "--listen", "127.0.0.1:0"}, {"work"}} {
		p := clitest.Start(t, exec.Command(binary, append(args, "--database", url, "--workers", "8", "--metrics", "", "--allow-private-bots")...))
		logs = append(logs, p.Log)
		defer p.Kill()
	}
	end := time.Now().Add(5 * time.Minute)
	for len(queued) < matches {
		if time.Now().After(end) {
			t.Fatalf("guests were given %d matches in five minutes, want %d\n%v", len(queued), matches, logs)
		}
		time.Sleep(100 * time.Millisecond)
		queued, between = c.waits()
	}
	return queued, between
}

func mean(list []time.Duration) time.Duration {
	var sum time.Duration
	for _, d := range list {
		sum += d
	}
	return sum / time.Duration(max(1, len(list)))
}

// TestNightlyAHogHardlyDelaysTheLadder has a user with 20 bots, 5 of them silent, and 50 open challenges beside 12 others on the ladder,
// with real processes and bots, and compares the others' waits with those of a platform without him, which the machine carries at the
// same time. What is allowed above twice the wait is for a machine that is busy with something else: a match that waits for the hog's
// waits for minutes.
func TestNightlyAHogHardlyDelaysTheLadder(t *testing.T) {
	t.Parallel()
	const rounds, matches = 3, 60
	binary := molerun(t)
	for round := range rounds {
		var queued, between [2][]time.Duration // without him, with him
		t.Run(fmt.Sprint("round ", round+1), func(t *testing.T) {
			for i, name := range []string{"alone", "beside him"} {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					queued[i], between[i] = measure(t, binary, matches, i == 1)
					t.Logf("in the queue %v on average, %v at most; between two matches %v on average", mean(queued[i]), slices.Max(queued[i]), mean(between[i]))
				})
			}
		})
		const busy = 3 * time.Second
		if mean(queued[1]) > 2*mean(queued[0])+busy || mean(between[1]) > 2*mean(between[0])+busy {
			t.Errorf("round %d: he delays others by more than their wait without him", round+1)
		}
	}
}
