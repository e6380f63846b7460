package api_test

import (
	"bytes"
	"image/png"
	"net/url"
	"strings"
	"testing"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/web/pictures"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

func TestAMatchCanBeFramedAndNothingElse(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		at := "/matches/" + list[0].ID
		must.Say(t, w.get(anon, "/embed"+at).want(200, "").header.Get("Content-Security-Policy"), "frame-ancestors *", "not", "unsafe")
		for _, path := range []string{at, "/", at + "/frames"} {
			must.Say(t, w.get(anon, path).want(200, "").header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
		}

		_, list = w.started(func(*tournament.Tournament) {}, owner, other)
		ask := func(address, more string) answer { return w.get(anon, "/oembed?url="+url.QueryEscape(address)+more) }
		good := "https://example.com/matches/" + list[0].ID
		got := into[web.OEmbed](ask(good+"?step=3", "&maxwidth=300&format=json").want(200, ""))
		if want := `<iframe src="https://example.com/embed/matches/` + list[0].ID + `" width="300" height="640" `; !strings.HasPrefix(got.HTML, want) {
			t.Errorf("got %s, want it to begin with %s", got.HTML, want)
		}
		same(t, "the thumbnail", got.Thumbnail, "https://example.com/matches/"+list[0].ID+"/card.png")
		if got.Type != "rich" || got.Width != 300 {
			t.Errorf("got %+v, want a rich frame 300 px wide", got)
		}
		for _, bad := range []string{
			"", "https://elsewhere.example/matches/" + list[0].ID, "javascript://example.com/matches/" + list[0].ID, "https://example.com/bots/" + list[0].ID,
			"https://example.com/matches/nothing", good + `"><script>`, "https://example.com/matches/01930000-0000-7000-8000-000000000000", "%zz",
		} {
			ask(bad, "").want(404, "not_found")
		}
		ask(good, "&format=xml").want(404, "not_found")
		ask(good, "&maxwidth=1").want(400, "bad_query")
	})
}

func TestEveryPageNamesACardForLinksToIt(t *testing.T) {
	onSQLite(t, func(c *api.Config) { c.Engines = append(engines(), catalog.All()...) }, func(w *world) {
		e, _ := catalog.Find("molehill")
		config, err := e.Configure(nil, 2)
		must.OK(t, err)
		cup, list := w.started(func(c *tournament.Tournament) { c.Game, c.Config = "molehill", config }, owner, other)
		w.playOn(list[0], e, 4, dicer{})
		for _, path := range []string{"/", "/games/molehill", "/tournaments/" + cup.ID, "/matches/" + list[0].ID} {
			page := string(w.get(anon, path).want(200, "").body)
			card, ok := strings.CutPrefix(between(page, `<meta property="og:image" content="`, `"`), "http://example.com")
			if !ok || !strings.Contains(page, `content="summary_large_image"`) {
				t.Errorf("%s names no picture of this host for its links", path)
				continue
			}
			got := w.get(anon, card).want(200, "")
			same(t, card, got.header.Get("Content-Type"), "image/png")
			if got.header.Get("ETag") == "" {
				t.Errorf("%s has no ETag", card)
			}
			size, err := png.DecodeConfig(bytes.NewReader(got.body))
			if err != nil {
				t.Errorf("%s: %v", card, err)
			}
			if size.Width != pictures.CardWidth || size.Height != pictures.CardHeight {
				t.Errorf("%s is %d × %d, want %d × %d", card, size.Width, size.Height, pictures.CardWidth, pictures.CardHeight)
			}
		}
	})
}
