package queue

import (
	"context"
	"log/slog"
)

// quieted returns a logger for River, which writes its notes on itself as debugging.
func quieted(l *slog.Logger) *slog.Logger { return slog.New(quiet{l.Handler()}) }

// quiet lowers info to debug: River says there that it starts, stops and elects, on which no operator acts. Warnings and errors keep
// their level.
type quiet struct{ slog.Handler }

func lowered(level slog.Level) slog.Level {
	if level == slog.LevelInfo {
		return slog.LevelDebug
	}
	return level
}

// Enabled reports whether a line of River's is written.
func (h quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return h.Handler.Enabled(ctx, lowered(level))
}

// Handle writes a line of River's.
func (h quiet) Handle(ctx context.Context, r slog.Record) error {
	r.Level = lowered(r.Level)
	return h.Handler.Handle(ctx, r)
}

// WithAttrs returns the handler with what all lines of a part of River hold.
func (h quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{h.Handler.WithAttrs(attrs)} }

// WithGroup returns the handler of a group of such.
func (h quiet) WithGroup(name string) slog.Handler { return quiet{h.Handler.WithGroup(name)} }
