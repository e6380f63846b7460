package settings

import (
	"cmp"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"strings"

	"github.com/molerun/molerun/engines/game/text"
)

// Secret returns what messages to bots are signed with: what a flag says or, if that is empty, MOLERUN_SECRET; "" signs nothing. Where neither
// says anything, a variable with nearly that name is a usage error.
func Secret(flag string) (string, error) {
	if s := text.Word(cmp.Or(flag, os.Getenv(secretVariable))); s != "" {
		return s, nil
	}
	return "", together(mistyped(secretVariable)...)
}

const secretVariable = "MOLERUN_SECRET"

// leastBare is from how many bytes on a password is hidden wherever it stands: a short one is part of too much else.
const leastBare = 8

// password finds passwords: of a URL, also of one that cannot be read as such, and of a list of keys and values.
var password = regexp.MustCompile(`://([^\s:@/]*):(\S*)@|^\w+:/?([^\s:@/]+):(\S*)@|(?i:password)=('[^']*'|[^\s&]+)`)

// Secrets returns the texts that no command may print: the values of secret variables and flags, and passwords in any variable of ours or
// argument. Each is a text that an error might quote.
func Secrets(args []string) []string {
	var out []string
	whole := func(value string) {
		if len(value) >= leastBare { // what is shorter is no secret, and part of too much else
			out = append(out, value)
		}
	}
	for _, name := range secretVariables() {
		whole(os.Getenv(name))
	}
	for i, arg := range args {
		if value, is := strings.CutPrefix(arg, "--secret="); is {
			whole(value)
		}
		if i > 0 && args[i-1] == "--secret" {
			whole(arg)
		}
		out = append(out, passwords(arg)...)
	}
	for _, pair := range os.Environ() {
		if name, value, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "MOLERUN_") {
			out = append(out, passwords(value)...)
		}
	}
	return out
}

// secretVariables returns the variables that are secret as a whole: fields of [Settings] with the tag, and those that others read.
func secretVariables() []string {
	out := []string{secretVariable, "PGPASSWORD"}
	for f := range reflect.TypeFor[Settings]().Fields() {
		if f.Tag.Get("secret") == "whole" {
			out = append(out, f.Tag.Get("env"))
		}
	}
	return out
}

// passwords returns the passwords in a value, each in the contexts in which it is known to be one, and alone if it is long and no
// other part of the value, as a user's name is.
func passwords(value string) []string {
	var out []string
	for _, m := range password.FindAllStringSubmatch(value, -1) {
		word := m[2] + m[4] + strings.Trim(m[5], "'")
		if word == "" {
			continue
		}
		out = append(out, ":"+word+"@", "password="+word)
		plain, err := url.PathUnescape(word)
		if err != nil {
			plain = word
		}
		for _, bare := range []string{word, plain} {
			if len(bare) >= leastBare && strings.Count(value, bare) < 2 {
				out = append(out, bare)
			}
		}
	}
	return out
}
