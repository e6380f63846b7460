package httpx

import (
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// Compressed answers with gzip where the caller takes it and the answer is longer than a packet. Only what is read is
// compressed: the answers that tell a secret are those of writes. The ETag stays that of the content, so that If-Match and
// If-None-Match hold with compression and without.
func Compressed(next http.Handler) (http.Handler, error) {
	squeezed := []string{ // no streams: an event must not wait for the next
		"text/html", "text/css", "text/javascript", "text/markdown", "text/csv", "text/calendar", "image/svg+xml",
		"application/json", "application/problem+json", "application/schema+json", "application/x-ndjson", "application/atom+xml",
	}
	wrap, err := gzhttp.NewWrapper(gzhttp.ContentTypes(squeezed), gzhttp.EnableZstd(false))
	if err != nil {
		return nil, err
	}
	small := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
			next.ServeHTTP(w, r)
			return
		}
		small.ServeHTTP(w, r)
	}), nil
}
