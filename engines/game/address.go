package game

import (
	"regexp"
	"strconv"
	"strings"
)

// A sentence of a game speaks of seats in the third person. What changes when a seat reads of itself is marked by braces: a word
// that agrees with the seat named last before it, outside of braces ("Seat 2 {leads}", "seat 2 {shows} {its} card"), and a thing of a
// seat's own ("{the card of seat 2}"). In the words of an action, what is marked before any seat is named agrees with the seat that acts.

// marked finds what was said in quotes, which stays as it is; what is marked; and the seats that are named.
var marked = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\{[^{}]*\}|\b[Ss]eats \d+(?:, \d+)* and \d+|\b(?:[Ss]eat|[Ll]eader) \d+`)

// owned is a marked thing of a seat's own.
var owned = regexp.MustCompile(`^([Tt]he|[Aa]) (.+) of (?:seat|leader) (\d+)$`)

var unmark = strings.NewReplacer("{", "", "}", "")

var seatNumber = regexp.MustCompile(`\d+`)

// ReadBy returns a sentence as a seat reads it, itself as "you"; to [Spectator], in the third person. By is the seat that acts where
// the sentence names none: [Spectator] for an event.
func ReadBy(sentence string, to, by Seat) string {
	if to == Spectator && !strings.Contains(sentence, `"`) { // nearly always, and much sooner than by the pattern
		return unmark.Replace(sentence)
	}
	return marked.ReplaceAllStringFunc(sentence, func(found string) string {
		switch found[0] {
		case '"':
			return found
		case '{':
			return agree(unmark.Replace(found), to, by)
		}
		var others []string
		numbers := seatNumber.FindAllString(found, -1)
		for _, number := range numbers {
			if number != strconv.Itoa(int(to)) {
				others = append(others, "seat "+number)
			}
		}
		if by = Spectator; len(others) == len(numbers) {
			return found
		}
		if len(others) == 0 {
			by = to
		}
		return matchCase(JoinWords(append(others, "you")...), found)
	})
}

// agree returns marked words as to reads them, after by was named.
func agree(words string, to, by Seat) string {
	if m := owned.FindStringSubmatch(words); m != nil {
		switch {
		case m[3] != strconv.Itoa(int(to)):
			return words
		case strings.EqualFold(m[1], "a"):
			return matchCase(m[1]+" "+m[2]+" of yours", words)
		}
		return matchCase("your "+m[2], words)
	}
	if to == Spectator || by != to {
		return words
	}
	if form, ok := irregular[words]; ok {
		return form
	}
	return strings.TrimSuffix(words, "s")
}

// irregular are the words after "you" that are not those of the third person without its s.
var irregular = map[string]string{"is": "are", "was": "were", "has": "have", "passes": "pass", "its": "your"}

// matchCase returns words that begin as a sentence does if others do.
func matchCase(words, others string) string {
	if others[0] >= 'A' && others[0] <= 'Z' {
		return Capitalize(words)
	}
	return words
}
