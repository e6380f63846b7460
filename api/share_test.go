package api_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/tournament"
)

func TestAMatchCanBeFramedAndNothingElse(t *testing.T) {
	onBoth(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		at := "/matches/" + list[0].ID
		if got := w.get(anon, "/embed"+at).want(200, "").header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors *") || strings.Contains(got, "unsafe") {
			t.Errorf("the frame has the policy %q, want anybody to frame it, and nothing inline", got)
		}
		for _, path := range []string{at, "/", at + "/frames"} {
			if got := w.get(anon, path).want(200, "").header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors 'none'") {
				t.Errorf("%s has the policy %q, want nobody to frame it", path, got)
			}
		}
	})
}

func TestOEmbedKnowsTheMatchesOfThisHostAlone(t *testing.T) {
	onBoth(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		ask := func(address, more string) answer { return w.get(anon, "/oembed?url="+url.QueryEscape(address)+more) }
		good := "https://example.com/matches/" + list[0].ID
		got := into[web.OEmbed](ask(good+"?step=3", "&maxwidth=300&format=json").want(200, ""))
		if want := `<iframe src="https://example.com/embed/matches/` + list[0].ID + `" width="300" height="640" `; !strings.HasPrefix(got.HTML, want) {
			t.Errorf("got %s, want it to begin with %s", got.HTML, want)
		}
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
