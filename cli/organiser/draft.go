package organiser

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/tournament"
)

// draft is what a tournament or a schedule is to be, in the words of whoever makes it.
type draft struct {
	wire.TournamentTemplate
	options tournament.FormatOptions
	clock   wire.Clock
	faults  wire.FaultLimits
	variant string

	starts string
	every  string
	zone   string
	opens  int64 // ms before the start; of a single tournament 0 is now
	closes int64 // ms before the start
}

// newDraft has the defaults that depend on nothing.
func newDraft() *draft {
	clock, limits := tournament.DefaultClock(), tournament.DefaultFaultLimits()
	d := &draft{
		clock: wire.Clock{
			LimitMS:            clock.Limit.Milliseconds(),
			BankMS:             clock.Bank.Milliseconds(),
			IncrementMS:        clock.Increment.Milliseconds(),
			NetworkAllowanceMS: clock.Allowance.Milliseconds(),
		},
		faults: wire.FaultLimits{InRow: limits.InRow, Total: limits.Total},
		zone:   localZone(),
	}
	d.Format, d.Cycles, d.Capacity = string(tournament.Swiss), 1, 16
	return d
}

// field is one thing that may be said of a tournament: a key of a file and, if it is said daily, a flag of that name with - for _.
type field struct {
	key  string
	kind string // as help shows it; "" for a switch
	help string
	put  func(d *draft, text string) error
}

// daily returns the keys that are flags too: what people type for a single tournament. What is said seldom belongs in a file.
func daily() []string {
	return []string{
		"name", "format", "table_size", "cycles", "rounds", "group_size", "lasts", "rated", "capacity", "invite_only", "limit", "bank",
		"variant", "zone", "starts", "every",
	}
}

// flag returns the field's flag; "" if it has none.
func (f field) flag() string { return flagOf(f.key) }

func flagOf(key string) string {
	if slices.Contains(daily(), key) {
		return strings.ReplaceAll(key, "_", "-")
	}
	return ""
}

// placeOf returns where people say a key: at a flag, or in a file.
func placeOf(key string) string {
	if flag := flagOf(key); flag != "" {
		return "--" + flag
	}
	return key
}

// fields returns all that may be said: what the request says of itself by its help tags, and four things that only commands know.
func fields() []field {
	var out []field
	for i, part := range (&draft{}).parts() {
		for _, f := range reflect.VisibleFields(part.Type()) {
			if help := f.Tag.Get("help"); help != "" {
				out = append(out, tagged(i, f, help))
			}
		}
	}
	return append(out,
		field{"variant", "word", "the configuration of this name; molerun rules GAME lists them (default base)", said(func(d *draft) any { return &d.variant })},
		field{"zone", "zone", "IANA zone of the times (default: that of TZ or /etc/localtime, else UTC)", said(func(d *draft) any { return &d.zone })},
		field{"opens_before", "time", "registration opens that long before a start (default: at once; of a schedule 24h)", said(func(d *draft) any { return &d.opens })},
		field{"closes_before", "time", "and closes that long before it (default 0s)", said(func(d *draft) any { return &d.closes })},
	)
}

// parts returns what the request of a draft consists of: itself, and the objects in it, whose keys a file has beside its own.
func (d *draft) parts() []reflect.Value {
	return []reflect.Value{
		reflect.ValueOf(&d.TournamentTemplate).Elem(),
		reflect.ValueOf(&d.options).Elem(),
		reflect.ValueOf(&d.clock).Elem(),
		reflect.ValueOf(&d.faults).Elem(),
	}
}

// tagged returns the field that a part of the request declares. Its name is its key in the API; milliseconds are said as a time.
func tagged(part int, f reflect.StructField, help string) field {
	key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	key, isSpan := strings.CutSuffix(key, "_ms")
	kind, has := f.Tag.Lookup("kind")
	if !has {
		kind = kindOf(f.Type, isSpan)
	}
	help = strings.ReplaceAll(help, "{enums}", command.Listed(strings.Split(f.Tag.Get("enums"), ",")))
	return field{key, kind, help, said(func(d *draft) any { return d.parts()[part].FieldByIndex(f.Index).Addr().Interface() })}
}

// kindOf returns how help shows a value of a type; "" for a switch.
func kindOf(t reflect.Type, isSpan bool) string {
	switch {
	case isSpan:
		return "time"
	case t == reflect.TypeFor[json.RawMessage]():
		return "json"
	case t.Kind() == reflect.Slice:
		return "words"
	case t.Kind() == reflect.Int:
		return "n"
	case t.Kind() == reflect.Float64:
		return "number"
	case t.Kind() == reflect.String:
		return "word"
	}
	return ""
}

// setText sets a field of the request to what a command line or a file says. Whole numbers of 64 bits are milliseconds.
func setText(to any, text string) error {
	switch to := to.(type) {
	case *string:
		*to = text
	case *tournament.Format:
		*to = tournament.Format(text)
	case *[]string:
		*to = strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) // none of "", which is an empty list in a file
	case *int:
		n, err := strconv.ParseInt(text, 10, 32)
		if errors.Is(err, strconv.ErrRange) {
			return fmt.Errorf("%q: is out of range", text)
		}
		if err != nil {
			return fmt.Errorf("%q: wants a whole number", text)
		}
		*to = int(n)
	case *int64:
		x, err := time.ParseDuration(text)
		if err != nil || x%time.Millisecond != 0 {
			return fmt.Errorf("%q: wants a time such as 90s, 10m or 24h, in whole milliseconds", text)
		}
		*to = x.Milliseconds()
	case *float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || x-x != 0 {
			return fmt.Errorf("%q: wants a number", text)
		}
		*to = x
	case *bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%q: wants true or false", text)
		}
		*to = b
	case **bool:
		*to = new(bool)
		return setText(*to, text)
	case *json.RawMessage:
		var object map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &object) != nil || object == nil {
			return errors.New("wants a JSON object")
		}
		*to = json.RawMessage(text)
	default:
		return fmt.Errorf("%T cannot be said on a command line", to)
	}
	return nil
}

// startFields returns the fields that say when: of one tournament, or of a schedule.
func startFields(schedule bool) []field {
	starts := field{"starts", "time", `when it starts: "friday 20:00", "tomorrow 19:30", "2026-12-04 20:00", "in 2h"`, said(func(d *draft) any { return &d.starts })}
	every := field{"every", "times", `when they start: "friday 20:00", "day 20:00", "weekday 20:00" or a cron line`, said(func(d *draft) any { return &d.every })}
	if !schedule {
		return []field{starts}
	}
	return []field{every, starts}
}

// said returns what puts a text into a part of a draft.
func said(of func(*draft) any) func(*draft, string) error {
	return func(d *draft, text string) error { return setText(of(d), text) }
}

// fill gives what was not said the defaults that depend on the game, the format and the day.
func (d *draft) fill(said map[string]string, g wire.Game, day string) {
	isSaid := func(name string) bool { _, ok := said[name]; return ok }
	if !isSaid("table_size") {
		d.Table = cmp.Or(g.MinSeats, 2)
	}
	if !isSaid("duplicate") {
		d.Duplicate = d.Table == 2
	}
	if d.Format == string(tournament.SPRT) {
		if !isSaid("capacity") {
			d.Capacity = 2
		}
	}
	if !isSaid("name") {
		d.Name = nameWithout(cmp.Or(g.Name, d.Game, "tournament"), d.Format) + day
	}
	d.Options, d.Clock, d.Faults = &d.options, &d.clock, &d.faults
}

// nameWithout returns the name that a tournament has by default, without the day at its end.
func nameWithout(game, format string) string { return game + " " + tournament.Spaced(format) + " " }
