package api_test

import (
	"encoding/xml"
	"net/url"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// Every page of the sitemap is there, none is what robots are to leave alone, and a platform's age makes it no longer than its bound.
func TestTheSitemapListsPagesThatAreThere(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		cup := w.cup(func(*tournament.Tournament) {})
		robots := string(w.get(anon, "/robots.txt").want(200, "").body)
		holds(t, "robots are shown the sitemap", strings.Contains(robots, "Sitemap: http://example.com/sitemap.xml\n"))
		read := func() []string {
			var out struct {
				URL []struct {
					Loc string `xml:"loc"`
				} `xml:"url"`
			}
			must.OK(t, xml.Unmarshal(w.get(anon, "/sitemap.xml").want(200, "").body, &out))
			var paths []string
			for _, x := range out.URL {
				at, err := url.Parse(x.Loc)
				if err != nil || at.Host != "example.com" {
					t.Errorf("%q: is no address of this host (%v)", x.Loc, err)
				}
				paths = append(paths, at.Path)
			}
			return paths
		}
		paths := read()
		for _, want := range []string{"/", "/tournaments/" + cup.ID, "/bots/" + list[0].Seats[0].BotID, "/guides/start", "/games/toy", "/ladders"} {
			holds(t, want+" is in the sitemap", strings.Contains(strings.Join(paths, " ")+" ", want+" "))
		}
		for _, path := range paths {
			w.get(anon, path).want(200, "")
			for _, line := range strings.Split(robots, "\n") {
				if no, is := strings.CutPrefix(line, "Disallow: "); is && strings.HasPrefix(path, no) {
					t.Errorf("%s is in the sitemap, and robots are to leave %s alone", path, no)
				}
			}
		}
		for range 120 {
			w.cup(func(*tournament.Tournament) {})
		}
		same(t, "with 120 tournaments more, tournaments in the sitemap", strings.Count(strings.Join(read(), " "), "/tournaments/"), 100)
	})
}
