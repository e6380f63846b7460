package cli_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/browsertest"
	"github.com/molerun/molerun/internal/must"
)

// photos is where the pictures go; make pictures gives it.
var photos = flag.String("photos", "", "a folder for pictures of the pages of a demo")

// screen is how a page is looked at.
type screen struct {
	suffix        string
	width, height int64
	light         string
	noScript      bool
	whole         bool // as far as the page goes, not as far as the screen does
}

var (
	wide   = screen{suffix: "", width: 1440, height: 900, light: "light", whole: true}
	dark   = screen{suffix: "-dark", width: 1440, height: 900, light: "dark", whole: true}
	phone  = screen{suffix: "-phone", width: 360, height: 780, light: "light", whole: true}
	night  = screen{suffix: "-phone-dark", width: 360, height: 780, light: "dark", whole: true}
	bare   = screen{suffix: "-noscript", width: 794, height: 1000, light: "light", noScript: true, whole: true}
	readme = screen{suffix: "", width: 1000, height: 900, light: "light"}
	square = screen{suffix: "", width: 620, height: 800, light: "light"}
)

// photo is a picture of a page on each of some screens.
type photo struct {
	name, path string // a word in braces is the id of one, see [camera.find]
	screens    []screen
}

// album is every page. [camera.moments] takes what moves, and the boards.
var album = []photo{
	{"home", "/", []screen{wide}},
	{"games", "/games", []screen{readme}},
	{"game", "/games/molehill", []screen{readme}},
	{"play", "/play/molehill", []screen{phone}},
	{"ladder", "/ladders/demol", []screen{readme}},
	{"bot", "/bots/{bot}", []screen{night}},
	{"round-robin", "/tournaments/{round_robin}", []screen{wide}},
	{"swiss", "/tournaments/{swiss}", []screen{phone}},
	{"groups", "/tournaments/{groups}", []screen{wide}},
	{"bracket", "/tournaments/{single_elimination}", []screen{wide}},
	{"announced", "/tournaments/{announced}", []screen{phone}},
	{"match-cia", "/matches/{cia}?step=20", []screen{wide}},
	{"match-demol", "/matches/{demol}?step={vote}&seat=1", []screen{phone}},
	{"match-mole", "/matches/{mole}", []screen{dark}},
	{"match-molehill", "/matches/{molehill}?step=30", []screen{night}},
	{"match-molemajority", "/matches/{molemajority}?step=100", []screen{wide}},
	{"live", "/matches/{live}", []screen{phone}},
	{"guide", "/guides/bot", []screen{readme}},
	{"lost", "/matches/nothing-is-here", []screen{bare}},
}

// moments returns the pictures that are not of a whole page: a replay, a coin on its way, and each board at three moments.
func moments() []string {
	out := []string{"replay", "flick"}
	for _, e := range catalog.All() {
		for i := range 3 {
			out = append(out, fmt.Sprintf("board-%s-%d", e.Info().ID, i+1))
		}
	}
	return out
}

// picturesWeigh is what all pictures may weigh together, in bytes: everybody who clones the repository waits for them.
const picturesWeigh = 6_000_000

// The folder of pictures holds what the album names, and what the engines draw. With -photos they are taken first.
func TestTheFolderOfPicturesIsTheAlbum(t *testing.T) {
	if *photos != "" {
		takeAll(t)
	}
	want := moments()
	for _, p := range album {
		for _, s := range p.screens {
			want = append(want, p.name+s.suffix)
		}
	}
	list, err := os.ReadDir(filepath.Join("..", "docs", "pictures"))
	must.OK(t, err)
	var got []string
	weight := int64(0)
	for _, file := range list {
		if name, is := strings.CutSuffix(file.Name(), ".png"); is {
			got = append(got, name)
		}
		info, err := file.Info()
		must.OK(t, err)
		weight += info.Size()
	}
	if weight > picturesWeigh {
		t.Errorf("the pictures weigh %d bytes together, want at most %d", weight, picturesWeigh)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/pictures is not what make pictures takes (-album +folder):\n%s", diff)
	}
}

// takeAll plays the demo and photographs it while it goes on serving, its bots too.
func takeAll(t *testing.T) {
	dir := t.TempDir()
	read, write := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() {
		ended <- cli.MainContext(ctx, []string{"demo", "--json", "--keep", "--seed", "7", "--dir", dir}, strings.NewReader(""), write, os.Stderr)
		_ = write.Close()
	}()
	defer func() {
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("the demo ended with %d", code)
		}
	}()
	var line struct{ Event, URL string }
	url := ""
	for d := json.NewDecoder(read); line.Event != "done"; {
		if err := d.Decode(&line); err != nil {
			t.Fatalf("the demo did not come to its end: %v", err)
		}
		if line.Event == "serving" {
			url = line.URL
		}
	}
	db := "sqlite:" + filepath.Join(dir, "molerun.db")
	c := &camera{Browser: browsertest.New(t, url), ids: map[string]string{}, last: map[string]int{}}
	c.find()
	c.announce(db)
	release := c.goesOn()
	defer release()
	for _, p := range album {
		for _, s := range p.screens {
			c.look(p, s)
		}
	}
	release()
	c.moments()
}

// camera is a browser on the pages of a demo.
type camera struct {
	*browsertest.Browser
	ids  map[string]string // by the word in braces
	last map[string]int    // the last step of the match of a game
}

func (c *camera) get(path string, into any) {
	c.T.Helper()
	r, err := http.Get(c.Base + path)
	must.OK(c.T, err)
	defer r.Body.Close()
	if err := json.NewDecoder(r.Body).Decode(into); err != nil || r.StatusCode != http.StatusOK {
		c.T.Fatalf("GET %s: status %d, %v", path, r.StatusCode, err)
	}
}

// find looks up what the pictures are of: a tournament of each format, a match of each game, the best bot of De Mol.
func (c *camera) find() {
	c.T.Helper()
	var cups struct {
		Data []struct{ ID, Game, Format string }
	}
	c.get("/v1/tournaments?limit=100", &cups)
	for _, cup := range cups.Data { // the newest first
		c.ids[cup.Format] = cup.ID
		if cup.Format != "round_robin" {
			continue
		}
		var list struct{ Data []struct{ ID string } }
		c.get("/v1/tournaments/"+cup.ID+"/matches?limit=100", &list)
		c.last[cup.Game] = -1
		for _, m := range list.Data[:min(12, len(list.Data))] { // the longest of some
			var film struct{ Last int }
			if c.get("/matches/"+m.ID+"/frames", &film); film.Last > c.last[cup.Game] {
				c.ids[cup.Game], c.last[cup.Game] = m.ID, film.Last
			}
		}
	}
	for _, cup := range cups.Data {
		if cup.Game == "demol" {
			c.ids["round_robin"] = cup.ID
		}
	}
	var ladder struct {
		Data []struct {
			BotID string `json:"bot_id"`
		}
	}
	c.get("/v1/ladders/demol/entries?limit=1", &ladder)
	c.ids["bot"] = ladder.Data[0].BotID
	var film struct {
		Frames []struct {
			Step int
			HTML string
		}
	}
	c.get(fmt.Sprintf("/matches/%s/frames?from=%d", c.ids["demol"], c.last["demol"]*2/3), &film)
	for _, f := range film.Frames {
		if c.ids["vote"] == "" && strings.Contains(f.HTML, "vote") {
			c.ids["vote"] = strconv.Itoa(f.Step)
		}
	}
}

// announce makes a tournament that waits for entries.
func (c *camera) announce(db string) {
	c.T.Helper()
	at := func(d time.Duration) string { return time.Now().UTC().Add(d).Format(time.RFC3339) }
	c.ids["announced"], _ = announce(c.T, c.Base, organiser(c.T, db, "organiser"), fields{
		"name": "Friday evening cup", "game": "molemajority", "format": "double_elimination", "capacity": 8,
		"opens_at": at(-time.Hour), "closes_at": at(23 * time.Hour), "starts_at": at(24 * time.Hour),
	})
}

// goesOn starts a match of De Mol that stops in its middle until release.
func (c *camera) goesOn() (release func()) {
	c.T.Helper()
	held, inTheMiddle, asks := make(chan struct{}), make(chan struct{}), 0
	var once sync.Once
	var mu sync.Mutex
	release = func() { once.Do(func() { close(held) }) }
	greedy, _ := house.Find("greedy")
	card := greedy.Kit(3)
	decide := card.Games["demol"]
	card.Games = map[string]kit.Decide{"demol": func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		mu.Lock()
		asks++
		now := asks
		mu.Unlock()
		if now == 40 {
			close(inTheMiddle)
		}
		if now >= 40 {
			<-held
		}
		return decide(ctx, turn)
	}}
	server := bot(c.T, card)
	user := inside(api(c.T, 201, "", "POST", c.Base+"/v1/users", fields{"name": "evening-guest"}), "token", "token")
	var bots []string
	for _, name := range []string{"badger-1", "badger-2", "mole-cricket", "night-owl", "quiet-fox"} {
		bots = append(bots, inside(api(c.T, 201, user, "POST", c.Base+"/v1/bots", fields{"name": name, "url": server.URL + "/"}), "bot", "id"))
	}
	c.ids["live"] = inside(api(c.T, 201, user, "POST", c.Base+"/v1/challenges", fields{
		"game": "demol", "bots": bots, "clock": fields{"limit_ms": 10_000, "bank_ms": 60_000, "increment_ms": 0, "network_allowance_ms": 150},
	}), "id")
	select {
	case <-inTheMiddle:
	case <-time.After(2 * time.Minute):
		c.T.Fatal("the match did not come to its middle")
	}
	return release
}

// set changes the size and colours of the screen.
func (c *camera) set(s screen) {
	c.T.Helper()
	c.MovingScreen(s.width, s.height, s.light)
	c.Scripts(!s.noScript)
}

func (c *camera) open(path string) {
	c.T.Helper()
	for word, id := range c.ids {
		path = strings.ReplaceAll(path, "{"+word+"}", id)
	}
	c.Open(path)
}

// shows waits until the script of a match's page has marked its step everywhere.
func (c *camera) shows() {
	c.T.Helper()
	c.Until(`(document.getElementById("viewer")?.dataset ?? { shown: "none" }).shown !== undefined`)
}

// look takes a page on a screen, and audits it as the test of the pages does.
func (c *camera) look(p photo, s screen) {
	c.T.Helper()
	c.set(s)
	c.open(p.path)
	if !s.noScript {
		for _, w := range c.OwnAudit() {
			c.T.Errorf("%s%s: %s", p.name, s.suffix, w)
		}
		c.open(p.path) // the audit has moved the focus
		c.shows()
	}
	c.save(p.name+s.suffix, func(to *[]byte) chromedp.Action {
		if s.whole {
			return chromedp.FullScreenshot(to, 100)
		}
		return chromedp.CaptureScreenshot(to)
	})
}

func (c *camera) save(name string, action func(*[]byte) chromedp.Action) {
	c.T.Helper()
	var png []byte
	c.Run(action(&png))
	must.OK(c.T, os.WriteFile(filepath.Join(*photos, name+".png"), png, 0o644))
}

// longestFlick returns the step of Mole's match whose coins move longest.
func (c *camera) longestFlick() (step int) {
	c.T.Helper()
	longest := 0.0
	for from := 0; from <= c.last["mole"]; from += 16 {
		var film struct {
			Frames []struct {
				Step  int
				Flick struct{ MS float64 }
			}
		}
		c.get(fmt.Sprintf("/matches/%s/frames?from=%d", c.ids["mole"], from), &film)
		for _, f := range film.Frames {
			if f.Flick.MS > longest {
				longest, step = f.Flick.MS, f.Step
			}
		}
	}
	return step
}

// moments takes what [moments] names.
func (c *camera) moments() {
	c.T.Helper()
	shot := func(to *[]byte) chromedp.Action { return chromedp.CaptureScreenshot(to) }
	c.set(screen{width: 1100, height: 940, light: "dark"})
	c.open("/matches/{demol}#step={vote}&seat=1")
	c.Run(chromedp.Poll(`document.getElementById("viewer").dataset.shown === "`+c.ids["vote"]+`/1"`, nil),
		chromedp.Evaluate(`document.getElementById("viewer").scrollIntoView()`, nil))
	c.save("replay", shot)
	c.set(screen{width: 1100, height: 940, light: "light"})
	c.open("/matches/{mole}")
	c.Run(chromedp.Evaluate(fmt.Sprintf(`document.getElementById("viewer").scrollIntoView(); document.getElementById("speed").value = "0.5";
		const s = document.getElementById("slider"); s.value = %d; s.dispatchEvent(new Event("input")); document.getElementById("play").click()`, c.longestFlick()-1), nil),
		chromedp.Poll(`[...document.getElementById("drawing").shadowRoot.querySelectorAll("[data-piece=mole]")].some((g) => (window.tracked ||= g.getAttribute("transform")) !== g.getAttribute("transform"))`, nil))
	c.save("flick", shot)
	c.set(square)
	for game, last := range c.last {
		for i, step := range []int{0, last / 2, last} {
			c.open(fmt.Sprintf("/matches/{%s}?seat=0&step=%d", game, step))
			c.shows()
			c.save(fmt.Sprintf("board-%s-%d", game, i+1), func(to *[]byte) chromedp.Action { return chromedp.Screenshot("#drawing", to) })
		}
	}
}
