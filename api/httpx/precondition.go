package httpx

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"
)

// ETagOf returns the ETag that the caller's GET of the same path, without a query, would have now.
func ETagOf(c *gin.Context, get func(*gin.Context) error) (string, error) {
	asked := c.Request
	defer func() { c.Request = asked }()
	r := asked.Clone(asked.Context())
	r.Method, r.Body = http.MethodGet, http.NoBody
	r.URL = &url.URL{Path: asked.URL.Path}
	r.Header.Del("If-None-Match")
	c.Request = r
	rec, err := Record(c, func() error { return get(c) })
	if err != nil {
		return "", err
	}
	return rec.head.Get("ETag"), nil
}

// Matches reports whether an If-Match names a tag of ours. A proxy that compresses an answer makes its tag weak (W/"x", as nginx
// does) or adds how it is coded ("x-gzip", as Apache does), and callers who send back what they got must not be asked to read it again for
// ever. Our tags are hashes of what an answer says, which stays the same however it is coded: nobody overwrites what they have not
// seen.
func Matches(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		one = strings.TrimPrefix(strings.TrimSpace(one), "W/")
		if one == "*" || one == tag || strings.HasPrefix(one, strings.TrimSuffix(tag, `"`)+"-") {
			return true
		}
	}
	return false
}
