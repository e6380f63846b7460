package organiser

import (
	"encoding/json"
	"io"
	"maps"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/molerun/molerun/api/wire"
)

// writeFile writes what a tournament was made of as a file for create: all but its name's day and its start.
func writeFile(w io.Writer, t wire.Tournament) error {
	keys, err := keysOf(t)
	if err != nil {
		return err
	}
	return toml.NewEncoder(w).Encode(keys)
}

// keysOf are the keys of such a file.
func keysOf(t wire.Tournament) (map[string]any, error) {
	keys := map[string]any{
		"name":              t.Name,
		"game":              t.Game,
		"format":            t.Format,
		"table_size":        t.Table,
		"capacity":          t.Capacity,
		"rated":             t.Rated,
		"duplicate":         t.Duplicate,
		"cycles":            t.Cycles,
		"limit":             length(t.Clock.LimitMS),
		"bank":              length(t.Clock.BankMS),
		"increment":         length(t.Clock.IncrementMS),
		"network_allowance": length(t.Clock.NetworkAllowanceMS),
		"max_faults_in_row": t.Faults.InRow,
		"max_faults":        t.Faults.Total,
		"opens_before":      length(t.StartsAt.Sub(t.OpensAt).Round(time.Minute).Milliseconds()),
		"closes_before":     length(t.StartsAt.Sub(t.ClosesAt).Milliseconds()),
	}
	if t.PerOwner != 0 {
		keys["entries_per_owner"] = t.PerOwner
	}
	if t.Waiting {
		keys["waiting_list"] = true
	}
	if t.CheckInMS != 0 {
		keys["check_in"] = length(t.CheckInMS)
	}
	if t.InviteOnly {
		keys["invite_only"] = true
	}
	for key, text := range map[string]string{"description": t.Description, "rules": t.Rules, "prizes": t.Prizes} {
		if text != "" {
			keys[key] = text
		}
	}
	options, err := optionKeys(t.Options)
	if err != nil {
		return nil, err
	}
	maps.Copy(keys, options)
	keys["config"], err = tableOf(t.Config)
	return keys, err
}

// optionKeys are those of the format: what the API calls lasts_ms is lasts.
func optionKeys(o *wire.FormatOptions) (map[string]any, error) {
	if o == nil {
		return nil, nil
	}
	raw, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	keys, err := tableOf(raw)
	if err != nil {
		return nil, err
	}
	if o.LastsMS != 0 {
		delete(keys, "lasts_ms")
		keys["lasts"] = length(o.LastsMS)
	}
	return keys, nil
}

// tableOf is a JSON object as TOML has it: with whole numbers, which JSON has not.
func tableOf(raw []byte) (map[string]any, error) {
	keys := map[string]any{}
	if err := json.Unmarshal(raw, &keys); err != nil {
		return nil, err
	}
	for key, value := range keys {
		keys[key] = wholeIn(value)
	}
	return keys, nil
}

// wholeIn makes the numbers in a value whole where they are.
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
