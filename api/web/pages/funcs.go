package pages

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/tournament"
)

// funcs returns what templates format values with.
func (s *Site) funcs() template.FuncMap {
	return template.FuncMap{
		"time":       Time,
		"day":        Time,
		"left":       Left,
		"when":       when,
		"capital":    Capital,
		"list":       func(n int) []int { return make([]int, n) },
		"add":        func(a, b int) int { return a + b },
		"join":       strings.Join,
		"back":       func(step int) int { return max(0, step-1) },
		"on":         func(step, last int) int { return min(step+1, last) },
		"goto":       Match.stepPath,
		"view":       Match.viewPath,
		"spoilers":   Match.spoilersPath,
		"moves":      Match.moves,
		"gameName":   func(id string) string { return s.games(id) },
		"unrated":    s.unrated,
		"spaced":     tournament.Spaced,
		"plural":     plural,
		"has":        slices.Contains[[]string],
		"trim":       Trim,
		"elo":        Elo,
		"rating":     func(r tournament.Rating) string { return Elo(r.Milli + r.OffsetMilli) },
		"each":       func(n, of int) string { return fmt.Sprintf("%.2f", float64(n)/float64(max(1, of))) },
		"percent":    func(share float64) float64 { return 100 * share },
		"interval":   func(verb string, m tournament.Mean) string { return tournament.Interval(verb, m.Value, m.Low, m.High) },
		"latency":    Latency,
		"ms":         card.MS,
		"said":       claim.Said[int64],
		"saidCost":   claim.Said[float64],
		"form":       form,
		"openReason": openReason,
		"after":      after,
	}
}

// plural names a number of things, of any type of whole numbers.
func plural(n any, thing string) (string, error) {
	whole, err := strconv.Atoi(fmt.Sprint(n))
	return game.Plural(whole, thing), err
}

// Day formats a time for people where a page cannot turn it into theirs.
func Day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// Time returns a moment in UTC, which a script turns into the reader's own time and says how far away it is.
func Time(t time.Time) template.HTML { return moment(t, "", Day(t)) }

// Left returns the time left until a moment, which a script counts down.
func Left(now, at time.Time) template.HTML { return moment(at, ` class="left"`, until(now, at)) }

// moment returns the element of a time with what it says.
func moment(t time.Time, class, text string) template.HTML {
	utc := t.UTC()
	return template.HTML(fmt.Sprintf(`<time%s datetime="%s" title="%s">%s</time>`, class, utc.Format(time.RFC3339), utc.Format("2006-01-02 15:04:05 UTC"), text)) // figures and our words
}

// Capital returns words with a capital first letter, as at the beginning of a line.
func Capital(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// Trim formats a number with at most three decimals.
func Trim(x float64) string { return strconv.FormatFloat(math.Round(x*1000)/1000, 'f', -1, 64) }

// Elo formats a rating.
func Elo(milli int64) string {
	return strconv.FormatFloat(math.Round(tournament.Elo(milli)*10)/10, 'f', 1, 64)
}

// Latency formats a time in ms; "–" if it is unknown.
func Latency(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}

// until returns the time left until a moment, in words.
func until(now, at time.Time) string {
	d := at.Sub(now)
	switch {
	case d <= 0:
		return "now"
	case d >= 48*time.Hour:
		return fmt.Sprintf("in %d days", int(d.Hours()/24))
	case d >= time.Hour:
		return fmt.Sprintf("in %d h %d min", int(d.Hours()), int(d.Minutes())%60)
	case d >= time.Minute:
		return fmt.Sprintf("in %d min", int(d.Minutes()))
	}
	return fmt.Sprintf("in %d s", int(d.Seconds()))
}

// when says when a tournament starts, or since when it is in its state.
func when(t tournament.Tournament) template.HTML {
	switch {
	case t.EndedAt != nil:
		return "ended " + Time(*t.EndedAt)
	case t.PausedAt != nil:
		return "paused since " + Time(*t.PausedAt)
	case t.StartedAt != nil:
		return "since " + Time(*t.StartedAt)
	}
	return "starts " + Time(t.StartsAt)
}

// unrated returns the names of the games that a bot plays without a rating. The id of a base ladder is its game's.
func (s *Site) unrated(games []string, ratings []tournament.Rating) []string {
	rated := map[string]bool{}
	for _, r := range ratings {
		rated[r.LadderID] = true
	}
	var out []string
	for _, id := range games {
		if !rated[id] {
			out = append(out, s.games(id))
		}
	}
	return out
}

// form returns the last results of a line of a ladder, W, D or L, with their words.
func form(letters string) []Mark {
	words := map[rune]string{'W': "win", 'D': "draw", 'L': "loss"}
	var out []Mark
	for _, letter := range letters {
		out = append(out, Mark{Letter: string(letter), Word: words[letter]})
	}
	return out
}

// openReason returns why the bot of a line of a ladder gets no matches; "" while it does.
func openReason(r tournament.LadderRow) string {
	return tournament.Bot{Status: r.Status, Reason: r.Reason, BannedAt: r.BannedAt}.OpenReason()
}

// after returns a reason as it follows the status on a page, which it may begin with: "by its owner" after "paused".
func after(status any, reason string) string {
	return strings.TrimPrefix(reason, fmt.Sprint(status)+" ")
}
