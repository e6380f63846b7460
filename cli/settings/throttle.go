package settings

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// throttleWindow is how long a failure that repeats is left out of the log after a line about it.
const throttleWindow = 5 * time.Second

// throttled returns a handler that passes on one failure of a kind in each [throttleWindow], with the number of those left out before it:
// a full disk or a lost database fails every request and every sweep in the same way. A failure is a warning or an error that carries an
// error; its kind is its message, on the route where it has one. All other lines pass.
func throttled(h slog.Handler) slog.Handler {
	return throttle{h, &failures{kinds: map[string]*failureKind{}}}
}

type throttle struct {
	slog.Handler
	failures *failures
}

// failures holds the kinds of failures so far. There are as many as messages and routes, which are in the code.
type failures struct {
	mu    sync.Mutex
	kinds map[string]*failureKind
}

type failureKind struct {
	until   time.Time // left out before that
	leftOut int
}

// Handle implements [slog.Handler].
func (t throttle) Handle(ctx context.Context, r slog.Record) error {
	kind, failed := failureOf(r)
	if !failed {
		return t.Handler.Handle(ctx, r)
	}
	leftOut, passes := t.failures.count(kind, r.Time)
	if !passes {
		return nil
	}
	if leftOut > 0 {
		r = r.Clone()
		r.AddAttrs(slog.Int("left_out", leftOut))
	}
	return t.Handler.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (t throttle) WithAttrs(attrs []slog.Attr) slog.Handler {
	return throttle{t.Handler.WithAttrs(attrs), t.failures}
}

// WithGroup implements [slog.Handler].
func (t throttle) WithGroup(name string) slog.Handler {
	return throttle{t.Handler.WithGroup(name), t.failures}
}

// failureOf returns the kind of a failure; false for any other line.
func failureOf(r slog.Record) (kind string, failed bool) {
	if r.Level < slog.LevelWarn {
		return "", false
	}
	kind = r.Message
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "err", "error":
			failed = true
		case "route":
			kind += " " + a.Value.String()
		}
		return true
	})
	return kind, failed
}

// count reports whether a failure passes, and how many of its kind were left out since the last one that did.
func (f *failures) count(kind string, at time.Time) (leftOut int, passes bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	k := f.kinds[kind]
	switch {
	case k == nil:
		f.kinds[kind] = &failureKind{until: at.Add(throttleWindow)}
		return 0, true
	case at.Before(k.until):
		k.leftOut++
		return 0, false
	}
	leftOut = k.leftOut
	*k = failureKind{until: at.Add(throttleWindow)}
	return leftOut, true
}
