package queue

import (
	"context"
	"log/slog"
)

// behindOurs returns a logger of River's.
func behindOurs(l *slog.Logger) *slog.Logger { return slog.New(behind{l.Handler()}) }

// behind logs what River tells of its own running as debugging: it starts, stops and elects, which no operator acts on. Its
// warnings and errors stay what they are.
type behind struct{ slog.Handler }

func lowered(level slog.Level) slog.Level {
	if level == slog.LevelInfo {
		return slog.LevelDebug
	}
	return level
}

// Enabled reports whether a line of River's is written.
func (h behind) Enabled(ctx context.Context, level slog.Level) bool {
	return h.Handler.Enabled(ctx, lowered(level))
}

// Handle writes a line of River's.
func (h behind) Handle(ctx context.Context, r slog.Record) error {
	r.Level = lowered(r.Level)
	return h.Handler.Handle(ctx, r)
}

// WithAttrs returns the handler with what all lines of a part of River hold.
func (h behind) WithAttrs(attrs []slog.Attr) slog.Handler { return behind{h.Handler.WithAttrs(attrs)} }

// WithGroup returns the handler of a group of such.
func (h behind) WithGroup(name string) slog.Handler { return behind{h.Handler.WithGroup(name)} }
