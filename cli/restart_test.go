package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/tournament/store"
)

// phoenix is a bot for all games that goes away in the middle of its matches, with the turn that it is asked, and comes back.
type phoenix struct {
	t       *testing.T
	address string
	bot     http.Handler
	wg      sync.WaitGroup

	mu       sync.Mutex
	server   *http.Server
	away     bool
	turns    map[string]int // asked, by match
	restarts int
}

// riseAfter are the turns of each match with which it goes, and how long for.
var riseAfter = map[int]time.Duration{1: 200 * time.Millisecond, 2: 500 * time.Millisecond, 4: 900 * time.Millisecond}

func newPhoenix(t *testing.T) *phoenix {
	t.Helper()
	random, _ := house.Find("random")
	h, err := kit.Handler(random.Kit(1))
	if err != nil {
		t.Fatal(err)
	}
	p := &phoenix{t: t, bot: h, turns: map[string]int{}, address: "127.0.0.1:0"}
	p.rise()
	t.Cleanup(func() {
		p.wg.Wait()
		_ = p.server.Close()
	})
	return p
}

// rise listens, after the first time at the same address.
func (p *phoenix) rise() {
	l, err := net.Listen("tcp", p.address)
	for end := time.Now().Add(5 * time.Second); err != nil && time.Now().Before(end); l, err = net.Listen("tcp", p.address) {
		time.Sleep(5 * time.Millisecond) // another's connection has the port for a moment
	}
	if err != nil {
		p.t.Error(err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.address, p.away = l.Addr().String(), false
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: time.Minute}
	go func(s *http.Server) { _ = s.Serve(l) }(p.server)
}

// goes reports whether it goes away with a message.
func (p *phoenix) goes(body []byte) bool {
	var turn struct{ Type, Match string }
	if json.Unmarshal(body, &turn) != nil || turn.Type != protocol.TypeTurn {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.away {
		return true // it came before the door was shut
	}
	p.turns[turn.Match]++
	long, ok := riseAfter[p.turns[turn.Match]]
	if !ok {
		return false
	}
	p.away = true
	p.restarts++
	old := p.server
	p.wg.Go(func() {
		_ = old.Close() // resets or closes whatever is open
		time.Sleep(long)
		p.rise()
	})
	return true
}

func (p *phoenix) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || p.goes(body) {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	p.bot.ServeHTTP(w, r)
}

func (p *phoenix) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.restarts
}

// TestARestartCostsNoFault plays every game with a bot that the platform calls and one behind molerun connect, which both go away for 0.2,
// 0.5 and 0.9 s in each match, under a clock that has the time: nobody has a fault. MOLERUN_RESTARTS says how many restarts there are to be
// at least; without it, but for a nightly run, Mole Hill alone is played, once.
func TestARestartCostsNoFault(t *testing.T) {
	least, _ := strconv.Atoi(os.Getenv("MOLERUN_RESTARTS"))
	settingsIn(t)
	db := "sqlite:" + filepath.Join(t.TempDir(), "m.db")
	url := serving(t, db)
	direct, relayed := newPhoenix(t), newPhoenix(t)
	steady := strings.TrimPrefix(random(t, 2).URL, "http://")

	told(t, "", "login", url, "--name", "ada")
	connecting(t, "relayed", "--to", "http://"+relayed.address+"/")
	told(t, "", "bot", "create", "relayed", "relay:relayed")
	var tokens, bots []string
	for i, at := range []string{direct.address, steady, steady, steady} {
		token, bot := author(t, url, fmt.Sprint("user", i), fields{"name": fmt.Sprint("bot", i), "url": "http://" + at + "/"})
		tokens, bots = append(tokens, token), append(bots, bot)
	}
	oda := organiser(t, db, "oda")
	w := opened(t, db)
	for round := 0; round == 0 || direct.count()+relayed.count() < least; round++ {
		for _, e := range catalog.All() {
			if e.Info().ID != "molehill" && least == 0 && os.Getenv("MOLERUN_NIGHTLY") == "" {
				continue
			}
			seats := max(2, e.Info().MinSeats)
			cup, _ := announce(t, url, oda, fields{
				"name": fmt.Sprint(e.Info().ID, " ", round), "game": e.Info().ID, "table_size": seats, "duplicate": false, "rated": false, "capacity": 5,
				"clock": fields{"limit_ms": 5000, "bank_ms": 60000, "increment_ms": 0, "network_allowance_ms": 0},
			})
			told(t, "", "bot", "enter", "relayed", cup)
			for i := range seats - 1 {
				enter(t, url, tokens[i], cup, bots[i])
			}
			begin(t, url, oda, cup)
			finishes(t, url, cup)
			list, _, err := w.Matches(t.Context(), store.MatchFilter{TournamentID: cup}, store.Page{Limit: store.MaxPage})
			if err != nil || len(list) == 0 {
				t.Fatalf("%d matches (%v)", len(list), err)
			}
			for _, m := range list {
				for _, s := range m.Seats {
					if s.Faults > 0 || m.Status != "done" {
						t.Errorf("%s, match %s is %s: %d faults of %s", e.Info().ID, m.ID, m.Status, s.Faults, s.BotName)
					}
				}
			}
		}
	}
	t.Logf("%d restarts of a bot that is called, %d of one behind a relay", direct.count(), relayed.count())
	if direct.count() < 3 || relayed.count() < 3 {
		t.Errorf("%d and %d restarts, want three a game", direct.count(), relayed.count())
	}
}
