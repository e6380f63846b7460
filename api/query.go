package api

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/tournament"
)

// maxQueryValue bounds a query parameter, in bytes.
const maxQueryValue = 512

// badQuery refuses a query parameter.
func badQuery(name, reason string) error {
	return fmt.Errorf("%w: %w", errQuery, &strict.Error{Pointer: "?" + name, Reason: reason})
}

// query reads the query parameters of a route; any but those named is refused, and so is one given twice.
func query(c *gin.Context, names ...string) (map[string]string, error) {
	values, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return nil, fmt.Errorf("%w: the query string is malformed", errQuery)
	}
	out := map[string]string{}
	for name, list := range values {
		switch {
		case !slices.Contains(names, name):
			if len(names) == 0 {
				return nil, badQuery(clip(name), "is unknown; this route takes no query parameters")
			}
			return nil, badQuery(clip(name), "is unknown; this route knows "+strings.Join(names, ", "))
		case len(list) > 1:
			return nil, badQuery(name, "is given twice")
		case len(list[0]) > maxQueryValue:
			return nil, badQuery(name, fmt.Sprintf("is longer than %d bytes", maxQueryValue))
		}
		out[name] = list[0]
	}
	return out, nil
}

func clip(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return strings.ToValidUTF8(s, "")
}

// number reads a whole number low..high; absent means without.
func number(q map[string]string, name string, without, low, high int) (int, error) {
	text, given := q[name]
	if !given {
		return without, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high || strconv.Itoa(n) != text {
		return 0, badQuery(name, fmt.Sprintf("wants a whole number %d to %d", low, high))
	}
	return n, nil
}

// oneOf checks a closed set of words; absent is "".
func oneOf(q map[string]string, name string, words ...string) (string, error) {
	text, given := q[name]
	if given && !slices.Contains(words, text) {
		return "", badQuery(name, "wants one of "+strings.Join(words, ", "))
	}
	return text, nil
}

// pathUUID reads an id in the path. Anything but a canonical UUID names nothing.
func pathUUID(c *gin.Context, name string) (string, error) {
	text := c.Param(name)
	if id, err := uuid.Parse(text); err != nil || id.String() != text {
		return "", tournament.ErrNotFound
	}
	return text, nil
}

// named is what the id in the path names.
func named[T any](c *gin.Context, get func(context.Context, string) (T, error)) (T, error) {
	id, err := pathUUID(c, "id")
	if err != nil {
		return *new(T), err
	}
	return get(c.Request.Context(), id)
}
