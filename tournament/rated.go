package tournament

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// DecideRated sets whether results enter a ladder, as asked, or with nil wherever they may, and which: that of the matches'
// configuration and class of clocks. It returns the id of the nearest of the ladders, and in what the matches differ from those
// there; asking for a rated tournament of such is a [*FieldError] at /rated. The configuration must be canonical already. The base
// ladder of the game counts as there.
//
// A rating tells how well a bot plays the matches that its ladder gives. Whoever plays those well must not lose that elsewhere: by
// other rules, by less time, or for fewer faults. More time within the class and more faults are fine.
func (t *Tournament) DecideRated(engine game.Engine, ladders []Ladder, asked *bool) (nearest string, differs []string, err error) {
	l, differs, err := t.nearestLadder(engine, ladders)
	if err != nil {
		return "", nil, err
	}
	info := engine.Info()
	switch {
	case asked == nil:
		t.Rated = len(differs) == 0 && t.Format != SPRT && !t.Unlisted && (!info.Teams || t.OwnerEntries <= 1)
	case *asked && len(differs) > 0:
		t.Rated = true
		err = &FieldError{"/rated", fmt.Sprintf("is true, but the matches are not those of ladder %s: %s. Change that, or send false", l.ID, strings.Join(differs, "; "))}
	default:
		t.Rated = *asked
	}
	if t.LadderID = ""; t.Rated {
		t.LadderID = l.ID
	}
	return l.ID, differs, err
}

// nearestLadder returns the ladder from whose matches these differ in the fewest things, and in what. Of several from which they
// do not differ it is the narrowest: for this table alone, asking for beliefs.
func (t *Tournament) nearestLadder(engine game.Engine, ladders []Ladder) (nearest Ladder, differs []string, err error) {
	nearest = BaseLadder(t.Game)
	if differs, err = t.offLadder(engine, nearest); err != nil {
		return nearest, nil, err
	}
	for _, l := range ladders {
		if l.Game != t.Game {
			continue
		}
		off, err := t.offLadder(engine, l)
		if err != nil {
			return l, nil, err
		}
		if len(off) < len(differs) || len(off)+len(differs) == 0 && l.narrowness() > nearest.narrowness() {
			nearest, differs = l, off
		}
	}
	return nearest, differs, nil
}

// narrowness orders the ladders whose matches one tournament has. No two of them are alike, so none are equal.
func (l Ladder) narrowness() int {
	n := 0
	if l.Table != 0 {
		n += 2
	}
	if l.Beliefs {
		n++
	}
	return n
}

// offLadder names everything in which the matches differ from a ladder's to somebody's disadvantage.
func (t *Tournament) offLadder(engine game.Engine, l Ladder) ([]string, error) {
	var differs []string
	if least := cmp.Or(t.Options.MinTable, t.Table); l.Table != 0 && (t.Table != l.Table || least != l.Table) {
		differs = append(differs, fmt.Sprintf("table_size is %d to %d, there %d", least, t.Table, l.Table))
	}
	config, err := engine.Configure(l.Config, t.Table)
	switch {
	case err == nil:
	case l.Table == 0: // it was checked for every table
		return nil, err
	default:
		return append(differs, "config is none for this table"), nil
	}
	keys, err := differences(t.Config, config)
	if err != nil {
		return nil, err
	}
	differs = append(differs, keys...)
	if l.Beliefs && !t.Beliefs {
		differs = append(differs, "beliefs is false, there true")
	}
	if class := t.Clock.Class(); class != l.ClockClass && class == ClockSlow {
		differs = append(differs, fmt.Sprintf("clock.limit_ms is %d, that of the class slow, there %s", t.Clock.Limit.Milliseconds(), l.ClockClass))
	}
	clock, faults := l.ClockClass.Clock(), DefaultFaultLimits() // those of ladder matches
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
	if err := errors.Join(json.Unmarshal(config, &got), json.Unmarshal(ladder, &want)); err != nil {
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
