package organiser

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/game/text"
)

// refusals are all that is wrong with what was said, each at its place in the words of the command line.
type refusals struct{ places []wire.Place }

// add refuses what stands at a place; one reason a place is enough.
func (r *refusals) add(place, reason string) {
	if !slices.ContainsFunc(r.places, func(p wire.Place) bool { return p.Pointer == place }) {
		r.places = append(r.places, wire.Place{Pointer: place, Detail: reason})
	}
}

// answered returns everything that is wrong after the platform has answered with err: what it refuses is added where place says that a key
// of the request is said.
func (r *refusals) answered(err error, place func(key string) string) error {
	no, is := errors.AsType[*client.Refusal](err)
	if !is || len(no.Problem.Errors) == 0 {
		return errors.Join(r.err(), err)
	}
	for _, p := range no.Problem.Errors {
		r.add(pointed(p.Pointer, place), p.Detail)
	}
	return r.err()
}

// err returns everything that is wrong, a line each, as a wrong command line; nil if nothing is.
func (r *refusals) err() error {
	if len(r.places) == 0 {
		return nil
	}
	var text strings.Builder
	for _, p := range r.places {
		fmt.Fprintf(&text, "\n  %s: %s", p.Pointer, p.Detail)
	}
	return fmt.Errorf("%w: nothing was done:%s", command.ErrUsage, text.String())
}

// pointed returns where people say what a JSON Pointer of the API points at.
func pointed(pointer string, place func(key string) string) string {
	for _, inner := range []string{"/format_options", "/clock", "/fault_limits"} {
		if rest, ok := strings.CutPrefix(pointer, inner+"/"); ok {
			pointer = "/" + rest
		}
	}
	key, rest, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if rest != "" {
		return place(key) + " at " + rest
	}
	return place(key)
}

// flagOnly returns the places of a request that is all said by one flag.
func flagOnly(flag string) func(key string) string { return func(string) string { return flag } }

// placeInDraft returns where people say a key of the request for a tournament.
func placeInDraft(key string) string {
	place := map[string]string{
		"game":      "GAME",
		"cron":      "--every",
		"starts_at": "--starts",
		"opens_at":  "opens_before",
		"closes_at": "closes_before",
	}[key]
	return cmp.Or(place, placeOf(strings.TrimSuffix(key, "_ms")))
}

// lateFlag is a flag whose text is looked at later, with all others.
type lateFlag struct {
	text string
	kind string
}

func (s *lateFlag) String() string        { return s.text }
func (s *lateFlag) Set(text string) error { s.text = text; return nil }
func (s *lateFlag) Type() string          { return s.kind }

// sayable gives a command the flags of fields, and --file for all of them in a file.
func sayable(cmd *cobra.Command, list []field) {
	cmd.Flags().String("file", "", "a TOML file with what no flag says; tournament export NAME --as-file writes one")
	_ = cmd.MarkFlagFilename("file", "toml")
	for _, f := range list {
		if f.flag() == "" {
			continue
		}
		cmd.Flags().Var(&lateFlag{kind: f.kind}, f.flag(), f.help)
		if f.kind == "" {
			cmd.Flags().Lookup(f.flag()).NoOptDefVal = "true"
		}
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if unknown, is := errors.AsType[*pflag.NotExistError](err); is {
			name := unknown.GetSpecifiedName()
			if i := slices.IndexFunc(list, func(f field) bool { return f.key == strings.ReplaceAll(name, "-", "_") }); i >= 0 {
				return fmt.Errorf("%w: --%s is a key of a file: write %s = … into FILE, and give --file FILE", command.ErrUsage, name, list[i].key)
			}
		}
		return command.FlagError(cmd, err)
	})
}

// words returns what a command line and its file say, by key; the command line goes first.
func words(cmd *cobra.Command, list []field, wrong *refusals) (map[string]string, error) {
	out := map[string]string{}
	if file, _ := cmd.Flags().GetString("file"); file != "" {
		if err := fileWords(file, list, out, wrong); err != nil {
			return nil, err
		}
	}
	for _, f := range list {
		if flag := cmd.Flags().Lookup(f.flag()); flag != nil && flag.Changed {
			out[f.key] = flag.Value.String()
		}
	}
	return out, nil
}

// fileWords adds what a file says to out.
func fileWords(file string, list []field, out map[string]string, wrong *refusals) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var keys map[string]any
	if err := toml.Unmarshal([]byte(text.Typed(raw)), &keys); err != nil {
		if at, is := errors.AsType[*toml.DecodeError](err); is {
			line, _ := at.Position()
			return fmt.Errorf("%w: %s: line %d: %w", command.ErrUsage, file, line, err)
		}
		return fmt.Errorf("%w: %s: %w", command.ErrUsage, file, err)
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		known := key == "game" || slices.ContainsFunc(list, func(f field) bool { return f.key == key })
		text, err := fileText(keys[key])
		switch {
		case !known && key == "every":
			wrong.add(file+": "+key, "is for a schedule: molerun schedule create --file "+file)
		case !known:
			wrong.add(file+": "+key, "means nothing here")
		case err != nil:
			wrong.add(file+": "+key, err.Error())
		default:
			out[key] = text
		}
	}
	return nil
}

// fileText returns the value of a key as a flag would have it.
func fileText(value any) (string, error) {
	switch x := value.(type) {
	case map[string]any:
		b, err := json.Marshal(x)
		return string(b), err
	case []any:
		var words []string
		for _, one := range x {
			word, ok := one.(string)
			if !ok {
				return "", errors.New("is a list of other things than words")
			}
			words = append(words, word)
		}
		return strings.Join(words, ","), nil
	case time.Time:
		return x.Format(time.RFC3339), nil
	default: // text, numbers, true and false, dates without a zone
		return fmt.Sprint(x), nil
	}
}

// read puts what was said into a draft.
func (d *draft) read(list []field, words map[string]string, wrong *refusals) {
	for _, f := range list {
		text, ok := words[f.key]
		if !ok {
			continue
		}
		if err := f.put(d, text); err != nil {
			wrong.add(placeOf(f.key), err.Error())
		}
	}
}
