package tournament

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// DecideRated sets whether results enter the ladder: as asked, or with nil wherever they may. It returns in what the matches
// differ from the ladder's; asking for a rated tournament of such is a [*FieldError] at /rated. The configuration must be
// canonical already.
//
// There is one ladder a game, and a rating tells how well a bot plays the matches that the ladder gives. Whoever plays those
// well must not lose that elsewhere: by other rules, by less time, or for fewer faults. More time and more faults are fine.
func (t *Tournament) DecideRated(engine game.Engine, asked *bool) (differs []string, err error) {
	if differs, err = t.offLadder(engine); err != nil {
		return nil, err
	}
	info := engine.Info()
	switch {
	case asked == nil:
		t.Rated = len(differs) == 0 && t.Format != SPRT && !t.Unlisted && (!info.Teams || t.OwnerEntries <= 1)
	case *asked && len(differs) > 0:
		t.Rated = true
		return differs, &FieldError{"/rated", "is true, but the matches are not the ladder's: " + strings.Join(differs, "; ") + ". Change that, or send false"}
	default:
		t.Rated = *asked
	}
	return differs, nil
}

// offLadder names everything in which the matches differ from the ladder's to somebody's disadvantage.
func (t *Tournament) offLadder(engine game.Engine) ([]string, error) {
	ladder, err := engine.Configure(nil, t.Table)
	if err != nil {
		return nil, err
	}
	differs, err := differences(t.Config, ladder)
	if err != nil {
		return nil, err
	}
	clock, faults := DefaultClock(), DefaultFaultLimits() // those of ladder matches
	for _, x := range []struct {
		key        string
		got, least int64
	}{
		{"clock.limit_ms", t.Clock.Limit.Milliseconds(), clock.Limit.Milliseconds()},
		{"clock.bank_ms", t.Clock.Bank.Milliseconds(), clock.Bank.Milliseconds()},
		{"clock.network_allowance_ms", t.Clock.Allowance.Milliseconds(), clock.Allowance.Milliseconds()},
		{"fault_limits.max_faults_in_row", int64(t.Limits.InRow), int64(faults.InRow)},
		{"fault_limits.max_faults", int64(t.Limits.Total), int64(faults.Total)},
	} {
		if x.got < x.least {
			differs = append(differs, fmt.Sprintf("%s is %d, there %d", x.key, x.got, x.least))
		}
	}
	return differs, nil
}

// differences names the keys in which two canonical configurations of a game differ.
func differences(config, ladder json.RawMessage) ([]string, error) {
	var got, want map[string]json.RawMessage
	if err := json.Unmarshal(config, &got); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(ladder, &want); err != nil {
		return nil, err
	}
	const most = 60 // bytes of a value that are shown
	var list []string
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if !bytes.Equal(got[key], want[key]) {
			list = append(list, fmt.Sprintf("config.%s is %.*s, there %.*s", key, most, got[key], most, want[key]))
		}
	}
	return list, nil
}
