package cli_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// built is the folder of what all tests of this package share, the binary and the starters, made when the first of them asks for it.
var built struct {
	sync.Mutex
	dir, binary string
}

func TestMain(m *testing.M) {
	_ = os.Unsetenv("MOLERUN_SECRET") // of whoever runs the tests
	storetest.Main(m, func() error { return os.RemoveAll(built.dir) })
}

// molerun returns the path of the program, built once.
func molerun(t testing.TB) string {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	if built.binary == "" {
		built.binary = clitest.Build(t, builds(t))
	}
	return built.binary
}

// builds returns the folder of what is built once for all tests; it wants built locked.
func builds(t testing.TB) string {
	t.Helper()
	if built.dir == "" {
		var err error
		built.dir, err = os.MkdirTemp("", "molerun")
		must.OK(t, err)
	}
	return built.dir
}

// newSwarm serves some bots at one address, which think for a while. What they answer is a function of view and offer alone.
func newSwarm(t *testing.T, thinking time.Duration) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var turn protocol.Turn
		if err := json.NewDecoder(r.Body).Decode(&turn); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if turn.Type != protocol.TypeTurn {
			_, _ = w.Write([]byte("{}"))
			return
		}
		time.Sleep(thinking)
		h := fnv.New64a()
		_, _ = h.Write(turn.View)
		answer, err := kit.Random(turn.Offer, rand.New(rand.NewPCG(h.Sum64(), 1)))
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(s.Close)
	return s
}

// cup makes owners, bots and a rated round robin, and starts it with luck that is the same for the same seed.
func cup(t *testing.T, url string, bots *httptest.Server, cycles int) (*store.Store, tournament.Tournament) {
	t.Helper()
	ctx := t.Context()
	db := storetest.OpenURL(t, url, store.Options{Rand: rand.NewChaCha8([32]byte{7})})
	user := func(name string, role tournament.Role) tournament.User {
		u, _, err := db.CreateUser(ctx, tournament.User{Name: name, Role: role}, tournament.Token{ID: "token-" + name, Hash: sha256.Sum256([]byte(name))})
		must.OK(t, err)
		return u
	}
	organiser := user("organiser", tournament.RoleOrganiser)
	engine, _ := catalog.Find("molehill")
	config, err := engine.Configure(nil, 2)
	must.OK(t, err)
	d := directortest.Of(db, catalog.Find)
	ladder, err := d.EnsureLadder(ctx, "molehill")
	must.OK(t, err)
	now := time.Now()
	cup, err := d.CreateTournament(ctx, tournament.Tournament{
		Name: "chaos", OrganiserID: organiser.ID, Game: "molehill", Config: config, Format: tournament.RoundRobin, Table: 2, Cycles: cycles, Duplicate: true,
		Rated: true, LadderID: ladder.ID, Capacity: 5, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
		OpensAt: now.Add(-time.Minute), ClosesAt: now.Add(time.Hour), StartsAt: now.Add(2 * time.Hour), Status: tournament.Scheduled,
	})
	must.OK(t, err)
	for i := range 5 {
		name := fmt.Sprintf("bot-%d", i)
		owner := user("owner-of-"+name, tournament.RoleOwner)
		bot, _, err := db.CreateBot(ctx, tournament.Bot{OwnerID: owner.ID, Name: name, Status: tournament.BotActive},
			tournament.Version{Number: 1, URL: fmt.Sprintf("%s/%d", bots.URL, i), Games: []string{"molehill"}}, 10)
		must.OK(t, err)
		_, err = d.Join(ctx, cup.ID, bot.ID, owner.ID)
		must.OK(t, err)
	}
	cup, err = d.Start(ctx, cup.ID)
	must.OK(t, err)
	return db, cup
}

// worker starts a process that plays so many matches at a time.
func worker(t *testing.T, binary, database string, slots int) *clitest.Process {
	t.Helper()
	return clitest.Start(t, exec.Command(binary, "work", "--database", database, "--workers", fmt.Sprint(slots), "--metrics", "", "--allow-private-bots"))
}

func nightly() bool { return os.Getenv("MOLERUN_NIGHTLY") != "" }
