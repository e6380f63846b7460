package faults_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/molerun/molerun/tournament"
)

// Law is what no fault may break.
type Law string

// The laws.
const (
	OneResult  Law = "every match has exactly one result"
	AskedAgain Law = "what is recorded is not asked again"
	Thawed     Law = "what is recorded is not asked again by a worker that was frozen" // the same, told apart
	AsSaid     Law = "the record is what the bots said"
	SameBytes  Law = "who is asked again gets the same bytes"
	NotCharged Law = "no fault and no bank for what was ours"
	Fold       Law = "the ratings are the fold of the results, each once"
	Once       Law = "rounds and matches are made once"
	Told       Law = "webhooks are told at least once, under one id"
	Streamed   Law = "streams have no gaps"
	Moving     Law = "after the last fault everything moves"
	Verified   Law = "every record replays"
	Swept      Law = "nothing of the dead is left in the queue"
	Lives      Law = "a process ends when it is told to"
)

// Break is a law that did not hold.
type Break struct {
	Law  Law
	What string
}

// Match is a match as the platform has it.
type Match struct {
	ID, Tournament       string
	Round, Block, Number int
	Status, Reason       string
	Seats                int
	Rated                bool
	Ratings              int // rows of rating events that name it
}

// Decision is a decision as the platform has recorded it.
type Decision struct {
	Match       string
	Step, Seat  int
	ID          string // as the bot was asked
	Action      string
	By, Fault   string
	At          time.Time     // recorded, by the clock of the database
	Charged     time.Duration // to the bot
	Limit       time.Duration // free; the rest is the bank's
	AskedNobody bool          // the seat was retired before
}

// Ask is one time that the platform asked for a decision, seen before any fault of the link.
type Ask struct {
	Decision string
	Body     [32]byte
	At       time.Time
}

// Answer is what a bot has answered, from its own log.
type Answer struct {
	Decision string
	Action   string
}

// Window is the time of a fault.
type Window struct{ From, To time.Time }

// Delivery is one message that a webhook got.
type Delivery struct {
	ID    string // of the message
	About string // kind and match
}

// Tournament is what a tournament owes.
type Tournament struct {
	ID     string
	Status tournament.Status // or why it could not be read
}

// Evidence is all that a campaign leaves behind.
type Evidence struct {
	Tournaments []Tournament
	Matches     []Match
	Decisions   []Decision
	Asks        []Ask
	Answers     []Answer
	Bots        []Window // faults of the bots, or of the way to them
	Frozen      []Window // of workers
	Deliveries  []Delivery
	Wanted      []string       // what the webhook must be told, as in About
	Stream      []int64        // numbers of the public stream, as they came
	LastNumber  int64          // of it, when all was over
	LaterNumber int64          // of it, when its reader was stopped
	Unfolded    []string       // ladders whose ratings are not the fold, with why
	Unverified  []string       // records that do not replay, with why
	Left        int            // jobs that are running though nothing is left to do
	Keyed       map[string]int // tournaments made under each idempotency key that somebody was answered under
	Ended       []string       // processes that ended though nobody ended them
	Still       time.Duration
	MostStill   time.Duration // Still: since the last fault until all moved
}

// What the judge allows for.
const (
	late      = 250 * time.Millisecond // between an ask and when it is seen, and between clocks of one machine
	thawing   = 5 * time.Second        // how long after a freeze an ask may still come of it
	aftermath = time.Second            // of a fault of the bots' side
)

// Judge returns what broke, ordered by law.
func Judge(e Evidence) []Break {
	j := judge{Evidence: e, asks: map[string][]Ask{}, answers: map[string][]string{}}
	for _, a := range e.Asks {
		j.asks[a.Decision] = append(j.asks[a.Decision], a)
	}
	for _, a := range e.Answers {
		j.answers[a.Decision] = append(j.answers[a.Decision], Canonical(a.Action))
	}
	j.matches()
	for _, d := range e.Decisions {
		j.asked(d)
		j.said(d)
		j.charged(d)
	}
	j.repeats()
	j.tournaments()
	j.told()
	j.streamed()
	j.rest()
	slices.SortStableFunc(j.breaks, func(a, b Break) int { return cmp.Compare(a.Law, b.Law) })
	return j.breaks
}

type judge struct {
	Evidence
	asks    map[string][]Ask
	answers map[string][]string
	breaks  []Break
}

func (j *judge) broken(l Law, format string, args ...any) {
	j.breaks = append(j.breaks, Break{Law: l, What: fmt.Sprintf(format, args...)})
}

func (j *judge) matches() {
	seen := map[string]bool{}
	for _, m := range j.Matches {
		if m.Status != "done" || seen[m.ID] {
			j.broken(OneResult, "match %s is %s (%s), seen before: %v", m.ID, m.Status, m.Reason, seen[m.ID])
		}
		seen[m.ID] = true
		if want := m.Seats; m.Rated && m.Status == "done" && m.Ratings != want {
			j.broken(Fold, "match %s of %d seats changed %d ratings", m.ID, want, m.Ratings)
		}
	}
}

func (j *judge) asked(d Decision) {
	for _, a := range j.asks[d.ID] {
		if !a.At.After(d.At.Add(late)) {
			continue
		}
		law := AskedAgain
		if slices.ContainsFunc(j.Frozen, func(w Window) bool { return !a.At.Before(w.To) && a.At.Before(w.To.Add(thawing)) }) {
			law = Thawed
		}
		j.broken(law, "match %s step %d seat %d: recorded %s, asked %s", d.Match, d.Step, d.Seat, d.At.Format(clock), a.At.Format(clock))
	}
}

const clock = "15:04:05.000"

func (j *judge) said(d Decision) {
	if d.By != "bot" {
		return // charged looks at those
	}
	if !slices.Contains(j.answers[d.ID], Canonical(d.Action)) {
		j.broken(AsSaid, "match %s step %d seat %d: recorded %s, the bot said %q", d.Match, d.Step, d.Seat, d.Action, j.answers[d.ID])
	}
}

func (j *judge) charged(d Decision) {
	if d.AskedNobody || (d.By == "bot" && d.Fault == "" && d.Charged <= d.Limit) || j.excused(d) {
		return
	}
	j.broken(NotCharged, "match %s step %d seat %d: by %s, %s, charged %v of %v, recorded %s; the bot answered %d times",
		d.Match, d.Step, d.Seat, d.By, cmp.Or(d.Fault, "no fault"), d.Charged, d.Limit, d.At.Format(clock), len(j.answers[d.ID]))
}

// excused reports whether the bot, or the way to it, was at fault between the ask that counted and the record.
func (j *judge) excused(d Decision) bool {
	var from time.Time
	for _, a := range j.asks[d.ID] {
		if a.At.After(from) && a.At.Before(d.At.Add(late)) {
			from = a.At
		}
	}
	if from.IsZero() && d.Fault == "connect" { // the link was cut before it had read the question, so nobody saw that
		from = d.At.Add(-d.Charged - late)
	}
	return !from.IsZero() && slices.ContainsFunc(j.Bots, func(w Window) bool {
		return w.From.Before(d.At.Add(late)) && from.Before(w.To.Add(aftermath))
	})
}

func (j *judge) repeats() {
	for id, list := range j.asks {
		for _, a := range list[1:] {
			if a.Body != list[0].Body {
				j.broken(SameBytes, "decision %s: %x, then %x", id, list[0].Body[:4], a.Body[:4])
			}
		}
	}
}

func (j *judge) tournaments() {
	type place struct {
		tournament           string
		round, block, number int
	}
	made := map[place]int{}
	for _, m := range j.Matches {
		made[place{tournament: m.Tournament, round: m.Round, block: m.Block, number: m.Number}]++
	}
	for p, n := range made {
		if n != 1 {
			j.broken(Once, "%d matches at %+v", n, p)
		}
	}
	for _, t := range j.Tournaments {
		if t.Status != tournament.Finished {
			j.broken(Once, "tournament %s is %s", t.ID, cmp.Or(t.Status, "not looked at"))
		}
	}
}

func (j *judge) told() {
	ids := map[string]map[string]bool{}
	for _, d := range j.Deliveries {
		if ids[d.About] == nil {
			ids[d.About] = map[string]bool{}
		}
		ids[d.About][d.ID] = true
	}
	for _, about := range j.Wanted {
		if n := len(ids[about]); n != 1 {
			j.broken(Told, "%s was told under %d ids", about, n)
		}
	}
}

func (j *judge) streamed() {
	for i, n := range j.Stream {
		if i > 0 && n != j.Stream[i-1]+1 {
			j.broken(Streamed, "after %d comes %d", j.Stream[i-1], n)
		}
	}
	if n := len(j.Stream); n > 0 && (j.Stream[n-1] < j.LastNumber || j.Stream[n-1] > j.LaterNumber) {
		j.broken(Streamed, "the reader stands at %d, the stream stood at %d, and is at %d", j.Stream[n-1], j.LastNumber, j.LaterNumber)
	}
}

func (j *judge) rest() {
	for _, s := range j.Unfolded {
		j.broken(Fold, "%s", s)
	}
	for _, s := range j.Unverified {
		j.broken(Verified, "%s", s)
	}
	for key, n := range j.Keyed {
		if n != 1 {
			j.broken(Once, "key %s made %d tournaments", key, n)
		}
	}
	for _, s := range j.Ended {
		j.broken(Lives, "%s", s)
	}
	if j.Left > 0 {
		j.broken(Swept, "%d jobs are running", j.Left)
	}
	if j.Still > j.MostStill {
		j.broken(Moving, "after %v, within %v wanted", j.Still, j.MostStill)
	}
}

// Canonical is a JSON text in one form for all that mean the same; a text that is none stays as it is.
func Canonical(text string) string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	b, err := json.Marshal(v)
	if err != nil {
		return text
	}
	return string(b)
}
