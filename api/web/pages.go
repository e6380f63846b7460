package web

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/web/guides"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/api/web/pictures"
	"github.com/molerun/molerun/api/web/shared"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// Files holds what pages read of the program's own files. It does not change, and servers share it.
type Files struct {
	Site       *pages.Site
	Guides     *guides.Library
	Operations []pages.OperationGroup // of the API, as its page lists them
}

// ReadFiles parses the guides, which are NAME.md, the rules, rules/GAME.md, and the templates of the pages, which call games by their names in
// games.
func ReadFiles(docs fs.FS, games live.Engines, operations []pages.OperationGroup) (Files, error) {
	site, err := pages.NewSite(games.NameOf)
	if err != nil {
		return Files{}, err
	}
	library, err := guides.New(docs)
	return Files{Site: site, Guides: library, Operations: operations}, err
}

// Config is what the pages are made of. Every field is needed.
type Config struct {
	Store    *store.Store
	Director *director.Director
	Live     *live.Matches
	Engines  live.Engines
	Files    *Files
	Cursors  httpx.Cursors
	Now      func() time.Time
	Logger   *slog.Logger

	Rand     io.Reader       // the secrets of guests
	Public   string          // where browsers reach the platform; "": as each caller does
	Guests   int             // people without an account who may play at once; 0: nobody may
	Wait     time.Duration   // how long the page of a seat waits for news
	Stopping <-chan struct{} // closed when nobody is to wait any longer
}

// Pages are the pages for people, filled from the store.
type Pages struct {
	Config
	guides     *guides.Library
	site       *pages.Site
	replays    *live.FollowerCache[*pages.Recorder]
	shared     *shared.Things[pageKey, cachedPage]
	pictures   *live.ReplayCache[pictures.Card, []byte] // in the places of replays
	samples    map[string]func() []byte                 // by game; see [sample]
	winners    *lru.Cache[string, string]               // who won a tournament that is over, in a sentence, by its id
	guestQuota *guestQuota
}

// New returns the pages of a server.
func New(cfg Config) (Pages, error) {
	samples := map[string]func() []byte{}
	for _, e := range cfg.Engines {
		samples[e.Info().ID] = sync.OnceValue(func() []byte { return sample(e) })
	}
	winners, err := lru.New[string, string](maxWinners)
	if err != nil {
		return Pages{}, err
	}
	return Pages{
		Config: cfg,
		guides: cfg.Files.Guides,
		site:   cfg.Files.Site,
		replays: live.NewFollowerCache(cfg.Live, func(_ tournament.Match, spec runner.Spec) (*pages.Recorder, error) {
			return pages.NewRecorder(spec)
		}),
		shared:     shared.New[pageKey, cachedPage](cfg.Live.Replays().Cache()),
		pictures:   live.NewReplayCache[pictures.Card, []byte](cfg.Live.Replays()),
		samples:    samples,
		winners:    winners,
		guestQuota: &guestQuota{matches: map[string][]string{}},
	}, nil
}

// pageKey holds what a page may differ by: where it is, and what is known when. A page says the second that it is of.
type pageKey struct {
	base, path, query string
	changes           int64
	second            int64
}

// cachedPage is a page as it was made.
type cachedPage struct {
	body  []byte
	match string // a match that runs, whose steps it shows; "": none
	step  int    // the last one
}

// cached returns a page that many follow, made once for all who ask in a second in which nothing has changed. What another process
// changes without an event shows in the next second.
func (s *Pages) cached(c *gin.Context, build func() (cachedPage, error)) ([]byte, error) {
	at := pageKey{
		base:    s.baseOf(c),
		path:    c.Request.URL.Path,
		query:   c.Request.URL.RawQuery,
		changes: s.Store.Changes(),
		second:  s.Now().Unix(),
	}
	p, err := s.shared.Get(at, func(p cachedPage) (bool, error) {
		if p.match == "" {
			return true, nil
		}
		step, err := s.Store.LastStep(c.Request.Context(), p.match)
		return step == p.step, err
	}, func() (cachedPage, int, error) {
		p, err := build()
		return p, len(p.body), err
	})
	return p.body, err
}

// Send answers with a page; err is that of making it, which is returned.
func Send(c *gin.Context, status int, body []byte, err error) error {
	if err != nil {
		return err
	}
	c.Header("Content-Security-Policy", pages.Policy)
	c.Writer.Header().Add("Vary", "Accept")
	return httpx.SendBytes(c, status, "text/html; charset=utf-8", body)
}

// Problem answers with the page of an error.
func (s *Pages) Problem(c *gin.Context, k httpx.Kind, detail string) error {
	p := pages.Problem{
		Page:    pages.Page{Title: k.Title},
		Detail:  detail,
		Lost:    k.Status == http.StatusNotFound && !strings.HasPrefix(c.FullPath(), "/seat"),
		Request: c.Writer.Header().Get("X-Request-Id"),
	}
	if errors.Is(k.Err, httpx.ErrNoRoute) { // a route is a programmer's word
		p.Title, p.Detail = "Not found", "nothing is at this address"
	}
	switch {
	case p.Lost:
		p.Nearest = s.nearest(c.Request.URL.Path)
	case k.Status >= http.StatusInternalServerError || k.Status == http.StatusTooManyRequests:
		p.Again = c.Request.Method == http.MethodGet
	}
	body, err := s.site.Page("problem", p)
	return Send(c, k.Status, body, err)
}

// Asset answers with a file that pages load. While the processes are replaced one after another, a page comes from one release and asks
// another for its files: what that has is better than nothing, and is not kept.
func (s *Pages) Asset(c *gin.Context) error {
	a, same, ok := s.site.Asset(c.Param("name"))
	if !ok {
		return tournament.ErrNotFound
	}
	keep := "no-store"
	if same {
		keep = "public, max-age=31536000, immutable"
	}
	c.Header("Cache-Control", keep)
	return httpx.SendBytes(c, http.StatusOK, a.Type, a.Body)
}

// rulesPath returns where the rules of a game can be read; "" where they are not written down.
func (s *Pages) rulesPath(id string) string {
	path := "/rules/" + id
	if _, written := s.guides.At(path); !written {
		return ""
	}
	return path
}

// Named returns what the id in the path names. Anything but a canonical UUID names nothing.
func Named[T any](c *gin.Context, get func(context.Context, string) (T, error)) (T, error) {
	if !httpx.IsUUID(c.Param("id")) {
		return *new(T), tournament.ErrNotFound
	}
	return get(c.Request.Context(), c.Param("id"))
}
