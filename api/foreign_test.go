package api_test

import (
	"strings"
	"testing"
)

// TestPagesOfOthersMayReadWhatIsPublic, and neither a page, nor with a token, nor write.
func TestPagesOfOthersMayReadWhatIsPublic(t *testing.T) {
	onSQLite(t, nothing, func(w *world) {
		from := []string{"Origin", "https://blog.example"}
		with := func(more ...string) []string { return append(from[:2:2], more...) }
		for _, c := range []struct {
			what    string
			method  string
			path    string
			headers []string
			status  int
			origin  string // that may read the answer
		}{
			{"a list", "GET", "/v1/games", from, 200, "*"},
			{"without a body", "HEAD", "/v1/games", from, 200, "*"},
			{"a problem", "GET", "/v1/games/nowhere", from, 404, "*"},
			{"with a token", "GET", "/v1/me", with("Authorization", "Bearer "+w.tokens[owner]), 200, ""},
			{"public, with a token", "GET", "/v1/games", with("Authorization", "Bearer "+w.tokens[owner]), 200, ""},
			{"a page", "GET", "/games", from, 200, ""},
			{"the home page", "GET", "/", from, 200, ""},
			{"the documents", "GET", "/guides/api", from, 200, ""},
			{"a new user", "POST", "/v1/users", with("Content-Type", "application/json"), 400, ""},
			{"asked beforehand", "OPTIONS", "/v1/games", with("Access-Control-Request-Method", "GET"), 204, "*"},
			{"asked to write", "OPTIONS", "/v1/users", with("Access-Control-Request-Method", "POST"), 405, ""},
			{"asked to delete", "OPTIONS", "/v1/bots/x", with("Access-Control-Request-Method", "DELETE"), 405, ""},
			{"asked to change", "OPTIONS", "/v1/bots/x", with("Access-Control-Request-Method", "PATCH"), 405, ""},
			{"asked for a page", "OPTIONS", "/games", with("Access-Control-Request-Method", "GET"), 405, ""},
			{"asked for nothing", "OPTIONS", "/v1/games", from, 405, ""},
		} {
			got := w.raw(c.method, c.path, c.headers...)
			same(t, c.what+": status", got.Code, c.status)
			same(t, c.what+": who may read it", got.Header().Get("Access-Control-Allow-Origin"), c.origin)
			same(t, c.what+": with credentials", got.Header().Get("Access-Control-Allow-Credentials"), "")
			allowed := strings.ToLower(got.Header().Get("Access-Control-Allow-Headers"))
			holds(t, c.what+": no token may come along", !strings.Contains(allowed, "authorization") && !strings.Contains(allowed, "*"))
			methods := got.Header().Get("Access-Control-Allow-Methods")
			holds(t, c.what+": allows reading alone", methods == "" || methods == "GET, HEAD")
			if exposed := got.Header().Get("Access-Control-Expose-Headers"); c.origin != "" && c.method == "GET" {
				holds(t, c.what+": shows the ETag and when to come back", strings.Contains(exposed, "ETag") && strings.Contains(exposed, "Retry-After"))
			}
		}
	})
}
