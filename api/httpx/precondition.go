package httpx

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"
)

// ETagOf is the ETag that the caller's GET of the same path, without a query, would have now.
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

// Matches reports whether an If-Match names a strong entity tag; a weak one never matches.
func Matches(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.TrimSpace(one); one == "*" || one == tag {
			return true
		}
	}
	return false
}
