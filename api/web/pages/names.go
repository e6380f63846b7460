package pages

import (
	"regexp"
	"strconv"
	"strings"
)

// mentions finds what was said in quotes, which stays as it is, and seats as the games name them: "Seat 2", "leader 0",
// "seats 0, 1 and 4".
var mentions = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\b[Ss]eats \d+(?:, \d+)* and \d+|\b(?:[Ss]eat|[Ll]eader) \d+`)

var numbers = regexp.MustCompile(`\d+`)

// Named returns a sentence of a game with the seats in it called by their names.
func Named(sentence string, names []string) string {
	if !strings.Contains(sentence, "eat") && !strings.Contains(sentence, "eader") { // nearly all without a mention, much sooner than by the pattern
		return sentence
	}
	return mentions.ReplaceAllStringFunc(sentence, func(found string) string {
		if strings.HasPrefix(found, `"`) {
			return found
		}
		known := true
		list := numbers.ReplaceAllStringFunc(found, func(number string) string {
			seat, err := strconv.Atoi(number)
			if err != nil || seat >= len(names) {
				known = false
				return number
			}
			return names[seat]
		})
		if !known {
			return found
		}
		_, list, _ = strings.Cut(list, " ") // without the word seat
		return list
	})
}
