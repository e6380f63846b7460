package organiser

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/command"
)

// writeFile writes what a tournament was made of as a file for create: all except its start, and a name with the day that create gives.
func writeFile(w io.Writer, t wire.Tournament) error {
	keys, err := keysOf(t)
	if err != nil {
		return err
	}
	return toml.NewEncoder(w).Encode(keys)
}

// templateOf returns what of a tournament a request may say: the answer has some of it beside the template.
func templateOf(t wire.Tournament) wire.TournamentTemplate {
	out := t.TournamentTemplate
	out.Config, out.Rated, out.Clock, out.Faults, out.InviteOnly = t.Config, &t.Rated, &t.Clock, &t.Faults, t.InviteOnly
	return out
}

// keysOf returns the keys of such a file: those of the request, with the keys of the objects in it beside its own, and times
// as a flag has them.
func keysOf(t wire.Tournament) (map[string]any, error) {
	raw, err := json.Marshal(templateOf(t))
	if err != nil {
		return nil, err
	}
	keys := map[string]any{}
	if err := json.Unmarshal(raw, &keys); err != nil {
		return nil, err
	}
	wholeIn(keys)
	for _, part := range []string{"clock", "fault_limits", "format_options"} {
		if inner, ok := keys[part].(map[string]any); ok {
			maps.Copy(keys, inner)
		}
		delete(keys, part)
	}
	for _, key := range slices.Collect(maps.Keys(keys)) {
		name, isSpan := strings.CutSuffix(key, "_ms")
		if ms, ok := keys[key].(int64); isSpan && ok {
			delete(keys, key)
			keys[name] = length(ms)
		}
	}
	if e, err := command.Game(t.Game); err == nil {
		day, byDefault := strings.CutPrefix(t.Name, nameWithout(e.Info().Name, t.Format))
		if _, err := time.Parse(time.DateOnly, day); byDefault && err == nil {
			delete(keys, "name")
		}
	}
	keys["opens_before"] = length(t.StartsAt.Sub(t.OpensAt).Round(time.Minute).Milliseconds())
	keys["closes_before"] = length(t.StartsAt.Sub(t.ClosesAt).Milliseconds())
	return keys, nil
}

// wholeIn makes the numbers in a value whole where they are, as TOML has them and JSON has not.
func wholeIn(value any) any {
	switch x := value.(type) {
	case float64:
		if n := int64(x); float64(n) == x {
			return n
		}
	case map[string]any:
		for key, inner := range x {
			x[key] = wholeIn(inner)
		}
	case []any:
		for i, inner := range x {
			x[i] = wholeIn(inner)
		}
	}
	return value
}

// length writes milliseconds as a flag has them.
func length(ms int64) string { return (time.Duration(ms) * time.Millisecond).String() }
