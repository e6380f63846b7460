package api

import (
	"reflect"
	"strings"
	"time"

	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
)

// What tournaments and schedules share is written here alone, there and back.

// templateDTO returns what is asked for with a tournament, and what its full field plays; everything is filled in.
func templateDTO(t tournament.Tournament) (wire.TournamentTemplate, int) {
	expected, err := matchesAtCapacity(t)
	if err != nil {
		expected = 0
	}
	out := wire.TournamentTemplate{
		Name:       t.Name,
		Game:       t.Game,
		Config:     t.Config,
		Table:      t.Table,
		Format:     string(t.Format),
		Cycles:     t.Cycles,
		Duplicate:  t.Duplicate,
		Rated:      &t.Rated,
		Capacity:   t.Capacity,
		PerOwner:   t.OwnerEntries,
		Waiting:    t.WaitingList,
		Beliefs:    t.Beliefs,
		CheckInMS:  t.CheckIn.Milliseconds(),
		Clock:      new(live.ClockOf(t.Clock)),
		Faults:     new(wire.FaultLimits(t.Limits)),
		InviteOnly: t.Invite.Needed(),
		Unlisted:   t.Unlisted,
		Texts:      t.Texts,
	}
	if !t.Options.IsZero() {
		out.Options = &t.Options
	}
	return out, expected
}

// templateOf returns the tournament that a request describes, with the usual clock, limits and length of an arena where it names none. The
// configuration, and whether it is rated, hang on the game ([Server.draft]).
func templateOf(in wire.TournamentTemplate) tournament.Tournament {
	t := tournament.Tournament{
		Name:         in.Name,
		Game:         in.Game,
		Format:       tournament.Format(in.Format),
		Table:        in.Table,
		Cycles:       in.Cycles,
		Duplicate:    in.Duplicate,
		Rated:        in.Rated != nil && *in.Rated,
		Capacity:     in.Capacity,
		OwnerEntries: in.PerOwner,
		WaitingList:  in.Waiting,
		Beliefs:      in.Beliefs,
		CheckIn:      milliseconds(in.CheckInMS),
		Unlisted:     in.Unlisted,
		Texts:        textsOf(in.Texts),
	}
	if in.Options != nil {
		t.Options = *in.Options
	}
	if t.Format == tournament.Arena && t.Options.LastsMS == 0 {
		t.Options.LastsMS = time.Hour.Milliseconds()
	}
	t.Clock, t.Limits = controlOf(in.Clock, in.Faults)
	return t
}

// controlOf returns the clock and the fault limits of a request, the usual ones where it names none.
func controlOf(c *wire.Clock, f *wire.FaultLimits) (tournament.Clock, tournament.FaultLimits) {
	clock, limits := tournament.DefaultClock(), tournament.DefaultFaultLimits()
	if c != nil {
		clock = tournament.Clock{
			Limit:     milliseconds(c.LimitMS),
			Bank:      milliseconds(c.BankMS),
			Increment: milliseconds(c.IncrementMS),
			Allowance: milliseconds(c.NetworkAllowanceMS),
		}
	}
	if f != nil {
		limits = tournament.FaultLimits(*f)
	}
	return clock, limits
}

// milliseconds returns a duration; numbers far out of bounds are kept in bounds of arithmetic, so that a check refuses them.
func milliseconds(n int64) time.Duration {
	return time.Duration(min(max(n, -1<<40), 1<<40)) * time.Millisecond
}

// textsOf returns the texts of a request, their lines ended as everywhere: files of some systems end them in two characters.
func textsOf(in tournament.Texts) tournament.Texts {
	lines := func(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
	return tournament.Texts{
		Description: lines(in.Description),
		Rules:       lines(in.Rules),
		Prizes:      lines(in.Prizes),
	}
}

// keysIn returns the keys that a patch changes.
func keysIn(patch any) []string {
	var keys []string
	v := reflect.ValueOf(patch)
	for _, f := range reflect.VisibleFields(v.Type()) {
		if !f.Anonymous && !v.FieldByIndex(f.Index).IsNil() {
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			keys = append(keys, key)
		}
	}
	return keys
}

// applyPatch writes onto a value what a patch says: each field by its name. What the patch leaves out stays.
func applyPatch(to, patch any) {
	from, onto := reflect.ValueOf(patch), reflect.ValueOf(to).Elem()
	for _, f := range reflect.VisibleFields(from.Type()) {
		v := from.FieldByIndex(f.Index)
		if f.Anonymous || v.IsNil() {
			continue
		}
		field := onto.FieldByName(f.Name)
		if v.Kind() == reflect.Pointer && field.Kind() != reflect.Pointer {
			v = v.Elem()
		}
		field.Set(v.Convert(field.Type()))
	}
}
