package docs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// sample is a match whose turns the rules of its game show. Its seed is one that reaches the phases soon, while views are short.
type sample struct {
	config string
	seats  int
	seed   byte
}

// samples are the matches by game, the simpler ones first: a phase is shown where it comes first.
var samples = map[string][]sample{
	"cia":          {{`{}`, 3, 176}, {`{"top_secret":true,"dossier":true}`, 4, 1}},
	"demol":        {{`{}`, 5, 239}, {`{"talk_rounds":1,"vote_talk_rounds":1}`, 5, 1}, {`{"plot_cards":true}`, 7, 15}},
	"mole":         {{`{}`, 2, 161}},
	"molehill":     {{`{}`, 2, 2}},
	"molemajority": {{`{}`, 3, 44}},
}

// example is a turn as a bot gets it, and an answer to it.
type example struct {
	phase, config string
	seats         int
	turn, answer  []byte
}

// exemplify plays a match with the actions of the house, until the examples have each phase, and adds the first turn of those they lack.
// What a platform would draw or measure, as aliases and times, is fixed.
func exemplify(t *testing.T, e game.Engine, m sample, phases []string, list []example) []example {
	t.Helper()
	config, err := e.Configure(json.RawMessage(m.config), m.seats)
	must.OK(t, err)
	table, events, err := e.New(config, m.seats, game.Seed{m.seed})
	must.OK(t, err)
	heard, asked := make([][]json.RawMessage, m.seats), game.Seats(0)
	for due := table.Due(); due != 0 && len(list) < len(phases); due = table.Due() {
		protocol.Hear(heard, events)
		var view struct{ Phase string }
		must.OK(t, json.Unmarshal(table.View(game.Spectator), &view))
		var turns []game.Turn
		for seat := range due.Each() {
			answer := protocol.Answer{Decision: fmt.Sprintf("dec_%032x", 16*table.Step()+int(seat)), Action: table.House(seat)}
			if strings.HasSuffix(view.Phase, "talk") {
				answer.Say = fmt.Sprintf("I do not trust seat %d.", (int(seat)+1)%m.seats)
			}
			if !slices.ContainsFunc(list, func(x example) bool { return x.phase == view.Phase }) {
				turn := protocol.Turn{
					Protocol: protocol.Version, Type: protocol.TypeTurn, Match: "01890a5d-ac96-774b-bcce-b302099a8057", Game: e.Info().ID, RulesVersion: e.Info().Version,
					Config: config, Seat: seat, Step: table.Step(), Decision: answer.Decision, Clock: protocol.Clock{LimitMS: 1000, BankMS: 10000},
					Events: heard[seat], View: table.View(seat), Offer: table.Offer(seat),
				}
				for other := range game.FirstSeats(m.seats).Without(seat).Each() {
					alias := []string{"amber-fox", "brisk-otter", "calm-heron", "dusty-lynx", "eager-wren", "frosty-hare", "gentle-ibis"}[other]
					turn.Opponents = append(turn.Opponents, protocol.Opponent{Seat: other, Alias: alias})
				}
				if asked.Has(seat) {
					turn.Previous = &protocol.Previous{Status: "ok", ElapsedMS: 3, ChargedMS: 3}
				}
				list = append(list, example{view.Phase, m.config, m.seats, turn.AppendJSON(nil), must.Get(json.Marshal(answer))(t)})
			}
			heard[seat], asked = nil, asked.With(seat)
			turns = append(turns, game.Turn{Seat: seat, Action: answer.Action, Say: answer.Say})
		}
		events, err = table.Apply(turns)
		must.OK(t, err)
	}
	return list
}

// mostWide is the length of a line of an example, in characters.
const mostWide = 110

// laid is JSON in lines, each with as much as fits.
func laid(t *testing.T, raw json.RawMessage, used int, indent string) string {
	t.Helper()
	if used+len(raw) <= mostWide || raw[0] != '{' && raw[0] != '[' {
		return string(raw)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	open := must.Get(d.Token())(t)
	out, line := fmt.Sprint(open), ""
	for deeper := indent + "  "; d.More(); {
		entry := ""
		if open == json.Delim('{') {
			entry = fmt.Sprintf("%q: ", must.Get(d.Token())(t))
		}
		var value json.RawMessage
		must.OK(t, d.Decode(&value))
		entry += laid(t, value, len(deeper)+len(entry)+1, deeper)
		if d.More() {
			entry += ","
		}
		if line != "" && len(line)+len(entry) < mostWide {
			line += " " + entry
			continue
		}
		if line != "" {
			out += "\n" + line
		}
		line = deeper + entry
	}
	return out + "\n" + line + "\n" + indent + fmt.Sprint(must.Get(d.Token())(t))
}

// examples is the part of a page of rules with a turn of each phase.
func examples(t *testing.T, e game.Engine) string {
	t.Helper()
	var view struct {
		Properties struct{ Phase struct{ Enum []string } }
	}
	must.OK(t, json.Unmarshal([]byte(e.Schemas()["view"]), &view))
	phases := slices.DeleteFunc(view.Properties.Phase.Enum, func(p string) bool { return p == "over" })
	var list []example
	for _, m := range samples[e.Info().ID] {
		list = exemplify(t, e, m, phases, list)
	}
	var b strings.Builder
	for _, phase := range phases {
		at := slices.IndexFunc(list, func(x example) bool { return x.phase == phase })
		if at < 0 {
			t.Errorf("%s: no sample comes to the phase %s: add one, or choose another seed", e.Info().ID, phase)
			continue
		}
		x := list[at]
		fmt.Fprintf(&b, "\n<details><summary>%s (%d seats, configuration %s)</summary>\n\n```json\n%s\n```\n\nAn answer:\n\n```json\n%s\n```\n\n</details>\n",
			phase, x.seats, x.config, laid(t, x.turn, 0, ""), laid(t, x.answer, 0, ""))
	}
	return b.String()
}

// TestTheRulesShowATurnOfEachPhase: whole, as the platform sends it. Models get the rules without this part: see [agent.Rules].
func TestTheRulesShowATurnOfEachPhase(t *testing.T) {
	const heading = "\n## Examples of turns\n"
	for _, e := range catalog.All() {
		page := filepath.Join("rules", e.Info().ID+".md")
		text, err := os.ReadFile(page)
		must.OK(t, err)
		rules, shown, _ := strings.Cut(string(text), heading)
		want := "\nOf each phase the first turn in a match, whole, as a bot gets it, and a legal answer. `go generate ./docs` writes them.\n" + examples(t, e)
		if *update {
			must.OK(t, os.WriteFile(page, []byte(rules+heading+want), 0o644))
		} else if shown != want {
			t.Errorf("%s: the part %q is not what the engine plays: go generate ./docs, and read it", page, heading)
		}
	}
}
