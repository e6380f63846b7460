package httpx

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"github.com/molerun/molerun/engines/game/strict"
)

// MaxQueryValue is the longest query parameter, in bytes.
const MaxQueryValue = 512

// BadQuery refuses a query parameter.
func BadQuery(name, reason string) error {
	return fmt.Errorf("%w: %w", ErrQuery, &strict.Error{Pointer: "?" + name, Reason: reason})
}

// CheckSpan refuses the query parameters since and until where nothing can lie between them.
func CheckSpan(since, until time.Time) error {
	if !until.IsZero() && !since.Before(until) {
		return BadQuery("until", "is not later than since")
	}
	return nil
}

// Query reads a route's query parameters. It refuses any that is not named, and duplicates; with an error it returns those that are right.
func Query(c *gin.Context, names ...string) (map[string]string, error) {
	values, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return nil, fmt.Errorf("%w: the query string is malformed", ErrQuery)
	}
	out, wrong := map[string]string{}, []error(nil)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		list := values[name]
		switch {
		case len(wrong) == maxWrong:
		case len(names) == 0:
			wrong = append(wrong, BadQuery(clip(name), "is unknown; this route takes no query parameters"))
		case !slices.Contains(names, name):
			wrong = append(wrong, BadQuery(clip(name), "is unknown; this route knows "+strings.Join(names, ", ")))
		case len(list) > 1:
			wrong = append(wrong, BadQuery(name, "is given twice"))
		case len(list[0]) > MaxQueryValue:
			wrong = append(wrong, BadQuery(name, fmt.Sprintf("is longer than %d bytes", MaxQueryValue)))
		default:
			out[name] = list[0]
		}
	}
	return out, errors.Join(wrong...)
}

// maxWrong bounds how many parameters of a query are refused at once.
const maxWrong = 20

func clip(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return strings.ToValidUTF8(s, "")
}

// Number reads a whole number low..high; without is its default.
func Number(q map[string]string, name string, without, low, high int) (int, error) {
	text, given := q[name]
	if !given {
		return without, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high || strconv.Itoa(n) != text {
		return 0, BadQuery(name, fmt.Sprintf("wants a whole number %d to %d", low, high))
	}
	return n, nil
}

// OneOf reads one of a fixed set of words; "" if it is absent.
func OneOf(q map[string]string, name string, words ...string) (string, error) {
	text, given := q[name]
	if given && !slices.Contains(words, text) {
		return "", BadQuery(name, "wants one of "+strings.Join(words, ", "))
	}
	return text, nil
}

// IsUUID reports whether a text is a UUID in its canonical form.
func IsUUID(text string) bool {
	id, err := uuid.Parse(text)
	return err == nil && id.String() == text
}
