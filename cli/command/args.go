package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/shlex"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Any is no upper limit of [Args].
const Any = -1

// Args accepts from least to most arguments, none of them empty, as a variable of a shell that is not set; the words of the command's Use name them.
// Anything else is an [ErrUsage].
func Args(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		_, rest, _ := strings.Cut(cmd.Use, " ")
		words := strings.Fields(rest)
		switch {
		case len(args) < least && len(args) < len(words):
			return fmt.Errorf("%w: %s is missing: %s", ErrUsage, strings.TrimSuffix(words[len(args)], "..."), cmd.UseLine())
		case len(args) < least:
			return fmt.Errorf("%w: %d of %d arguments are missing: %s", ErrUsage, least-len(args), least, cmd.UseLine())
		case most == Any || len(args) <= most:
			if i := slices.Index(args, ""); i >= 0 {
				return fmt.Errorf("%w: %s is empty: %s", ErrUsage, strings.Trim(words[min(i, len(words)-1)], "[.]"), cmd.UseLine())
			}
			return nil
		case cmd.HasSubCommands() && (most == 0 || len(like(cmd, args[0])) > 0):
			return fmt.Errorf("%w: there is no command %q in %s%s", ErrUsage, args[0], cmd.CommandPath(), Meant(like(cmd, args[0])))
		}
		return fmt.Errorf("%w: %q is one argument too many: %s", ErrUsage, args[most], cmd.UseLine())
	}
}

// argsOf returns the [Args] that a command's Use names: NAME, [NAME] and, as the last, NAME... for one or more. Flags end it.
func argsOf(use string) cobra.PositionalArgs {
	least, most := 0, 0
	for _, word := range strings.Fields(use)[1:] {
		switch {
		case strings.HasPrefix(word, "--"):
			return Args(least, most)
		case strings.HasSuffix(word, "..."):
			return Args(least+1, Any)
		case !strings.HasPrefix(word, "["):
			least++
		}
		most++
	}
	return Args(least, most)
}

// Given refuses flags that were given nothing, as by a variable of a shell that is not set, where that is not meant as leaving them
// out: [ErrUsage].
func Given(cmd *cobra.Command, flags ...string) error {
	for _, name := range flags {
		f := cmd.Flags().Lookup(name)
		_, list := f.Value.(pflag.SliceValue)
		if text := f.Value.String(); f.Changed && (text == "" || list && text == "[]") {
			return fmt.Errorf("%w: --%s is empty: give it a value, or leave it out", ErrUsage, name)
		}
	}
	return nil
}

// Nonzero makes a command refuse flags that are given as 0 where leaving them out means something else: [ErrUsage].
func Nonzero(cmd *cobra.Command, flags ...string) *cobra.Command {
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		for _, name := range flags {
			text := cmd.Flags().Lookup(name).Value.String()
			span, err := time.ParseDuration(text) // of 0 too; what is shorter than a millisecond is sent as 0
			if cmd.Flags().Changed(name) && err == nil && span.Milliseconds() == 0 {
				return fmt.Errorf("%w: --%s: %s is too little: give more, or leave it out", ErrUsage, name, text)
			}
		}
		if before == nil {
			return nil
		}
		return before(cmd, args)
	}
	return cmd
}

// Exclusive refuses two of some flags given together, of which one would be ignored: [ErrUsage]. A flag given as false is not given.
func Exclusive(cmd *cobra.Command, flags ...string) error {
	var given []string
	for _, name := range flags {
		if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() != "false" {
			given = append(given, "--"+name)
		}
	}
	if len(given) > 1 {
		return fmt.Errorf("%w: %s do not go together: give one of them", ErrUsage, strings.Join(given, " and "))
	}
	return nil
}

// FlagError puts what is wrong with a flag into words; it is an [ErrUsage].
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var bare *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		return fmt.Errorf("%w: there is no flag --%s%s", ErrUsage, unknown.GetSpecifiedName(), Meant(likeFlag(cmd, unknown.GetSpecifiedName())))
	case errors.As(err, &unknown):
		return fmt.Errorf("%w: there is no flag -%s", ErrUsage, unknown.GetSpecifiedName())
	case errors.As(err, &bare):
		return fmt.Errorf("%w: --%s needs a value: %s", ErrUsage, bare.GetSpecifiedName(), bare.GetFlag().Usage)
	case errors.As(err, &invalid):
		return fmt.Errorf("%w: --%s: %q %s", ErrUsage, invalid.GetFlag().Name, invalid.GetValue(), wanted(invalid))
	}
	return fmt.Errorf("%w: %w", ErrUsage, err)
}

// SpanFlags binds the flags --since and --until: each takes the beginning of a day of UTC, or a time as RFC 3339 writes it.
func SpanFlags(flags *pflag.FlagSet, what string, since, until *time.Time) {
	formats := []string{time.DateOnly, time.RFC3339}
	flags.TimeVar(since, "since", time.Time{}, formats, what+" at this time or later: a day of UTC, or RFC 3339")
	flags.TimeVar(until, "until", time.Time{}, formats, what+" before this time, as --since")
}

// CheckSpan refuses times of [SpanFlags] that nothing can lie between: [ErrUsage].
func CheckSpan(since, until time.Time) error {
	if !until.IsZero() && !since.Before(until) {
		return fmt.Errorf("%w: --until: nothing can be as late as --since and before this: give a later time", ErrUsage)
	}
	return nil
}

// wanted returns what a flag's value should have been.
func wanted(e *pflag.InvalidValueError) string {
	if errors.Is(e, strconv.ErrRange) {
		return "is out of range"
	}
	switch e.GetFlag().Value.Type() {
	case "int", "int64", "intSlice":
		return "is not a whole number"
	case "uint", "uint64":
		return "is not a whole number from 0 on"
	case "float64", "float64Slice":
		return "is not a number"
	case "bool":
		return "is neither true nor false"
	case "duration":
		return "is not a time such as " + (1500 * time.Millisecond).String() + " or 2m"
	case "time":
		return "is neither a day like 2026-11-22 nor a time like 2026-11-22T18:00:00Z"
	}
	return "does not fit: " + e.Unwrap().Error()
}

// Nearest returns the names that begin like one, or differ from it by two letters at most. Cobra compares names of commands, so they become
// some.
func Nearest(names []string, name string) []string {
	guess := &cobra.Command{}
	for _, n := range names {
		guess.AddCommand(&cobra.Command{Use: n, Run: func(*cobra.Command, []string) {}})
	}
	return like(guess, name)
}

// likeFlag returns the flags of a command whose names are like one.
func likeFlag(cmd *cobra.Command, name string) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	list := Nearest(names, name)
	for i := range list {
		list[i] = "--" + list[i]
	}
	return list
}

// like returns the commands below one whose names begin like one, or differ by two letters at most.
func like(cmd *cobra.Command, name string) []string {
	cmd.SuggestionsMinimumDistance = 2
	return cmd.SuggestionsFor(name)
}

// Meant returns a question after some names, for the end of an error; "" after none.
func Meant(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(names, " or ") + "?"
}

// Words splits the command that a flag gives as a shell does: at blanks, but for those in quotes or behind a backslash. On Windows
// a backslash is a part of a path instead. Nothing else of a shell is known. The error is [ErrUsage].
func Words(flag, line string) ([]string, error) {
	typed := line
	if filepath.Separator == '\\' {
		typed = strings.ReplaceAll(line, `\`, `\\`)
	}
	words, err := shlex.Split(typed)
	if err != nil {
		return nil, fmt.Errorf("%w: --%s: in %q a quote is not closed, or a backslash has nothing behind it: quote as in a shell", ErrUsage, flag, line)
	}
	if len(words) == 0 || words[0] == "" {
		return nil, fmt.Errorf("%w: --%s: %q names no program: begin with one, as in \"python3 bot.py\"", ErrUsage, flag, line)
	}
	return words, nil
}

// Line returns words as a command to type: [Words] gives them again.
func Line(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quoted(word)
	}
	return strings.Join(quoted, " ")
}

// plainWord needs no quotes in a shell.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=@%+,-]+$`)

// Quoted returns a word of a command to type, such as a path or an address, as a shell takes it.
func Quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
