package local

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game"
)

// expectationEvent is an expectation of a folder as a JSON line.
type expectationEvent struct {
	Event string `json:"event"`
	matches.Expectation
	Now    json.RawMessage `json:"now"` // null at a fault
	Met    bool            `json:"met"`
	Fault  string          `json:"fault,omitempty"`
	Reason string          `json:"reason,omitempty"`
}

type suiteSummary struct {
	Event    string `json:"event"`
	Records  int    `json:"records"`
	Expected int    `json:"expected"`
	Unmet    int    `json:"unmet"`
	Faults   int    `json:"faults"` // also at turns of which nothing is expected
}

// runSuite asks a bot all turns of which a folder expects something, and lists where it decides otherwise.
func runSuite(cmd *cobra.Command, c command.Console, o redriveOptions, dir, url string) error {
	suite, err := matches.ReadSuite(dir)
	if err != nil {
		return err
	}
	room, err := o.open()
	if err != nil {
		return err
	}
	defer room.Close()
	t, sum := printer.New(c, o.json), suiteSummary{Event: "summary"}
	asked := t.Counter("asked again", "turns", 1)
	defer asked.End()
	asked.Add(0)
	seen := map[string]bool{}
	for _, d := range suite {
		bot, err := room.Bot(cmd.Context(), url, d.Record.Header.Game)
		if err != nil {
			return err
		}
		seen[d.File] = true
		err = room.Redrive(cmd.Context(), d.Record, d.Seat, bot, o.clock(), func(a matches.Again) error {
			asked.Add(1)
			expected := false
			if a.Fault != "" {
				sum.Faults++
			}
			for _, e := range d.Expected {
				if e.Step != a.Step {
					continue
				}
				expected = true
				sum.Expected++
				met := e.Met(a.Now)
				t.Event(expectationEvent{Event: "expectation", Expectation: e, Now: a.Now, Met: met, Fault: string(a.Fault), Reason: a.Reason})
				if !met {
					sum.Unmet++
					asked.End()
					differs(t, d, a, e.String(), e.Note)
				}
			}
			if a.Fault != "" && !expected {
				asked.End()
				differs(t, d, a, "nothing is expected", "")
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	asked.End()
	sum.Records = len(seen)
	t.Event(sum)
	if !t.JSON() {
		fmt.Fprintf(c.Out, "%d of %s met, in %s\n", sum.Expected-sum.Unmet, game.Plural(sum.Expected, "expectation"), game.Plural(sum.Records, "record"))
	}
	var failed []string
	if sum.Unmet > 0 {
		failed = append(failed, fmt.Sprintf("%d of %d expectations are not met", sum.Unmet, sum.Expected))
	}
	if sum.Faults > 0 {
		failed = append(failed, fmt.Sprintf("%s; next: molerun check %s", game.Plural(sum.Faults, "fault"), command.QuotedBot(url)))
	}
	if failed == nil {
		return nil
	}
	return errors.New(strings.Join(failed, ", "))
}

// differs prints a turn at which a bot does not do what is expected.
func differs(t *printer.Printer, d matches.Drive, a matches.Again, expected, note string) {
	if t.JSON() {
		return
	}
	now := string(a.Now)
	if a.Fault != "" {
		now = "FAULT " + string(a.Fault) + ": " + a.Reason
	}
	line := fmt.Sprintf("%s seat %d step %d  %s  now %s", d.File, d.Seat, a.Step, expected, now)
	if note != "" {
		line += "  (" + note + ")"
	}
	fmt.Fprintln(t.Out, line)
}

// writeSuite writes what the bot of --seat decided itself in the records of a folder, as what it must do again.
func (o redriveOptions) writeSuite(c command.Console, dir string) error {
	var files []string
	for _, suffix := range []string{"*.jsonl.gz", "*.jsonl"} {
		list, err := filepath.Glob(filepath.Join(dir, suffix))
		if err != nil {
			return err
		}
		files = append(files, list...)
	}
	slices.SortFunc(files, func(x, y string) int { // a match before what was forked from it
		return strings.Compare(stem(x), stem(y))
	})
	var b bytes.Buffer
	var bad []error
	records, turns, whose := 0, 0, ""
	for _, file := range files {
		name := filepath.Base(file)
		if name == matches.SuiteFile {
			continue
		}
		rec, err := matches.Read(file)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		if whose == "" { // bots change seats: a number names whoever had it in the first record
			whose = o.seat
			if n, err := strconv.Atoi(o.seat); err == nil && n >= 0 && n < len(rec.Header.Seats) {
				whose = rec.Header.Seats[n].Bot
			}
		}
		var seats []game.Seat
		for i, s := range rec.Header.Seats {
			if s.Bot == whose {
				seats = append(seats, game.Seat(i))
			}
		}
		list := matches.Expect(name, rec, seats)
		if len(list) > 0 {
			records++
		}
		for _, e := range list {
			line, err := json.Marshal(e)
			if err != nil {
				return err
			}
			b.Write(append(line, '\n'))
			turns++
		}
	}
	if turns == 0 && bad == nil {
		bad = append(bad, fmt.Errorf("%w: --seat: nobody called %q decided anything in the %d records of %s; molerun replay show FILE lists the seats",
			command.ErrUsage, o.seat, len(files), dir))
	}
	if bad != nil {
		return errors.Join(bad...)
	}
	to := filepath.Join(dir, matches.SuiteFile)
	if err := command.WriteNew(to, b.Bytes(), o.force); err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "%s of %s in %s\n%s\n", game.Plural(turns, "decision"), printer.Printable(whose), game.Plural(records, "record"), to)
	return nil
}

// stem returns the path of a record without what ends its name.
func stem(file string) string { return strings.TrimSuffix(strings.TrimSuffix(file, ".gz"), ".jsonl") }

// suite runs redrive on a folder.
func (o redriveOptions) suite(cmd *cobra.Command, c command.Console, args []string) error {
	seat := cmd.Flags().Changed("seat")
	var bad []error
	refuse := func(text string) { bad = append(bad, fmt.Errorf("%w: %s", command.ErrUsage, text)) }
	switch {
	case o.write && !seat:
		refuse("--write: --seat says whose decisions are written: the name of a bot or a number")
	case !o.write && seat:
		refuse("--seat: the lines of " + matches.SuiteFile + " name the seats; leave it out")
	}
	switch {
	case o.write && len(args) > 1:
		refuse("--write takes the decisions from the records: leave " + args[1] + " out")
	case !o.write && len(args) < 2:
		refuse("the URL of the bot that is asked is missing")
	}
	if o.exact {
		refuse("--exact is for one record: in a folder what is not as expected is a failure anyway")
	}
	if bad != nil {
		return errors.Join(bad...)
	}
	if o.write {
		return o.writeSuite(c, args[0])
	}
	return runSuite(cmd, c, o, args[0], args[1])
}

// isFolder reports whether a path is a folder.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
