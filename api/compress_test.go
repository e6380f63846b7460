package api_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

// raw asks the API past the checks of the document, with these headers in pairs.
func (w *world) raw(method, path string, headers ...string) *httptest.ResponseRecorder {
	w.t.Helper()
	r := httptest.NewRequestWithContext(w.t.Context(), method, path, nil)
	for pair := range slices.Chunk(headers, 2) {
		r.Header.Set(pair[0], pair[1])
	}
	rec := httptest.NewRecorder()
	w.api.ServeHTTP(rec, r)
	return rec
}

func TestAnswersAreCompressedForWhoTakesIt(t *testing.T) {
	onSQLite(t, nothing, func(w *world) {
		for _, path := range []string{"/guides/start", "/openapi.json", "/livez"} {
			plain := w.raw("GET", path)
			same(t, path+": encoding for who takes none", plain.Header().Get("Content-Encoding"), "")
			small := w.raw("GET", path, "Accept-Encoding", "br, gzip")
			holds(t, path+": varies by encoding", strings.Contains(strings.Join(small.Header().Values("Vary"), ","), "Accept-Encoding"))
			same(t, path+": ETag", small.Header().Get("ETag"), plain.Header().Get("ETag"))
			same(t, path+": status", small.Code, plain.Code)
			if plain.Body.Len() < 2000 {
				same(t, path+": encoding of what is short", small.Header().Get("Content-Encoding"), "")
				continue
			}
			same(t, path+": encoding", small.Header().Get("Content-Encoding"), "gzip")
			holds(t, path+": is at most half as long", small.Body.Len() < plain.Body.Len()/2)
			unpacked, err := gzip.NewReader(small.Body)
			must.OK(t, err)
			if body, err := io.ReadAll(unpacked); err != nil || !bytes.Equal(body, plain.Body.Bytes()) {
				t.Errorf("%s: unpacked it is another (%v)", path, err)
			}
			again := w.raw("GET", path, "Accept-Encoding", "gzip", "If-None-Match", `"x", `+small.Header().Get("ETag"))
			same(t, path+": asked again", again.Code, 304)
			same(t, path+": body of what is unchanged", again.Body.Len(), 0)
			same(t, path+": asked with the ETag of another", w.raw("GET", path, "If-None-Match", `"x"`).Code, 200)
			head := w.raw("HEAD", path, "Accept-Encoding", "gzip")
			same(t, path+": HEAD", head.Code, 200)
			same(t, path+": HEAD has the ETag", head.Header().Get("ETag"), plain.Header().Get("ETag"))
			same(t, path+": who refuses gzip", w.raw("GET", path, "Accept-Encoding", "gzip;q=0").Header().Get("Content-Encoding"), "")
		}
	})
}

func TestWhatTellsASecretIsNotCompressed(t *testing.T) {
	onSQLite(t, nothing, func(w *world) {
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/v1/users", strings.NewReader(`{"name":"`+strings.Repeat("a", 40)+`"}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept-Encoding", "gzip")
		rec := httptest.NewRecorder()
		w.api.ServeHTTP(rec, r)
		same(t, "encoding of an answer with a token", rec.Header().Get("Content-Encoding"), "")
		holds(t, "varies by encoding", !strings.Contains(strings.Join(rec.Header().Values("Vary"), ","), "Accept-Encoding"))

		for typed, want := range map[string]string{
			"/guide/strat":                       "/guides/start",
			"/Guides/Organize":                   "/guides/organise",
			"/guides/organise/":                  "/guides/organise",
			"/rules/moles":                       "/rules/mole",
			"/ladder/masks":                      "/ladders/masks",
			"/guide":                             "/guides",
			"/wp-admin/setup.php":                "",
			"/guides/" + strings.Repeat("x", 99): "",
			"/guides/%3Cscript%3E":               "",
		} {
			page := w.raw("GET", typed, "Accept", "text/html")
			same(t, typed+": status", page.Code, 404)
			body := page.Body.String()
			same(t, typed+": got the guess", between(body, `Did you mean <a href="`, `"`), want)
			must.Say(t, body, "not", "<script>")
			holds(t, typed+": for programs it is a problem", strings.HasPrefix(w.raw("GET", typed).Header().Get("Content-Type"), "application/problem+json"))
		}
		same(t, "a write to nowhere", w.raw("POST", "/guides/strat", "Accept", "text/html").Header().Get("Content-Type"), "text/html; charset=utf-8")
	})
}
