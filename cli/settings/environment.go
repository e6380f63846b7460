package settings

import (
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/caarlos0/env/v11"

	"github.com/molerun/molerun/cli/command"
)

// elsewhere are variables that are no settings of a process: of commands for authors, of the compose file, of the tests.
var elsewhere = []string{secretVariable, "MOLERUN_DB_PASSWORD", "MOLERUN_NIGHTLY", "MOLERUN_CHEATS", "MOLERUN_HOSTILE", "MOLERUN_MUTATE"}

// ofTests begin the names of other variables of the tests.
var ofTests = []string{"MOLERUN_TEST_", "MOLERUN_FAULTS_"}

// known returns the names of all settings.
func known() []string {
	var out []string
	for f := range reflect.TypeFor[Settings]().Fields() {
		out = append(out, f.Tag.Get("env"))
	}
	return out
}

// Unknown returns the variables of the environment that are called as settings are and are none, in order. What looks like a slip is an error of
// [New]; the rest may be for another release, or of a cluster that names its services there.
func Unknown() []string {
	var out []string
	for _, line := range os.Environ() {
		name, _, _ := strings.Cut(line, "=")
		ofATest := slices.ContainsFunc(ofTests, func(begin string) bool { return strings.HasPrefix(name, begin) })
		if strings.HasPrefix(strings.ToUpper(name), "MOLERUN_") && !ofATest && !slices.Contains(elsewhere, name) && !slices.Contains(known(), name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// misread returns the errors of the reader, which names our fields, by the names of the variables. None repeats a
// value: it may be a secret in the wrong place.
func misread(err error) []error {
	all, is := errors.AsType[env.AggregateError](err)
	if !is {
		return []error{err}
	}
	var out []error
	for _, err := range all.Errors {
		if one, is := errors.AsType[env.ParseError](err); is {
			field, _ := reflect.TypeFor[Settings]().FieldByName(one.Name)
			err = fmt.Errorf("%s is not a whole number", field.Tag.Get("env")) // texts and lists of them fit always
			if errors.Is(one.Err, strconv.ErrRange) {
				err = fmt.Errorf("%w within ±%d", err, math.MaxInt32)
			}
		}
		out = append(out, err)
	}
	return out
}

// Faults returns what several errors say; nothing if all are nil.
func Faults(list ...error) []string {
	var out []string
	for _, err := range list {
		if err != nil {
			out = append(out, strings.Split(command.Text(err), "\n")...)
		}
	}
	return out
}

// together returns one usage error for several, each on a line of its own; nil if all are nil.
func together(list ...error) error {
	lines := Faults(list...)
	if len(lines) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", command.ErrUsage, strings.Join(lines, "\n"))
}
