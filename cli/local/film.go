package local

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
)

// The bounds of a film: steps, seconds a step, px.
const (
	filmMost     = 1000
	filmShortest = .02
	filmLongest  = 60
	filmNarrow   = 100
	filmWide     = 1440
)

// filmOptions say what of a record is filmed, and where it goes.
type filmOptions struct {
	force          bool
	seat, from, to int
	seconds        float64
	width          int
	dark           bool
	out            string
}

func filmCommand(c command.Console) *cobra.Command {
	o := filmOptions{seat: int(game.Spectator), to: -1, seconds: .7, width: 480}
	cmd := &cobra.Command{
		Use:   "film FILE",
		Short: "Draw a record as an animated picture",
		Long: "Verifies a record in the format replay/1 and draws its board after every step into an animated GIF, beside the record unless --out says\n" +
			"where. Key moments are shown three times as long, the last step five times. A spectator sees it, or with --seat S that seat.\n" +
			"At most 1000 steps fit into a film: --from and --to choose them.",
		Example: "  molerun replay film match.jsonl.gz\n  molerun replay film match.jsonl.gz --seat 0 --from 20 --to 60 --seconds 0.4 --out middle.gif",
		Args:    command.Args(1, 1),
		RunE:    func(_ *cobra.Command, files []string) error { return runFilm(c, o, files[0]) },
	}
	f := cmd.Flags()
	f.IntVar(&o.seat, "seat", o.seat, "as this seat saw it; -1: a spectator")
	f.IntVar(&o.from, "from", 0, "the first step; 0 is the deal")
	f.IntVar(&o.to, "to", o.to, "the last step; -1: that of the match")
	f.Float64Var(&o.seconds, "seconds", o.seconds, "how long a step is shown, 0.02 to 60")
	f.IntVar(&o.width, "width", o.width, "how wide the picture is, 100 to 1440 px")
	f.BoolVar(&o.dark, "dark", false, "in dark colours")
	f.BoolVar(&o.force, "force", false, "overwrite a file that is there already")
	f.StringVar(&o.out, "out", "", "the file; - is stdout (default: the record's name, ending in .gif)")
	return cmd
}

func runFilm(c command.Console, o filmOptions, file string) error {
	rec, err := matches.Read(file)
	if err != nil {
		return err
	}
	if o.to == -1 {
		o.to = len(rec.Steps) - 1
	}
	if err := o.check(rec); err != nil {
		return err
	}
	p := printer.New(c, false)
	bars := p.Bars("film")
	bars.Set(0, 0, o.to-o.from+1)
	film, err := matches.Film(rec, matches.FilmOptions{
		Seat:  game.Seat(o.seat), // a seat of the record
		From:  o.from,
		To:    o.to,
		Hold:  int(math.Round(o.seconds * 100)),
		Width: o.width,
		Dark:  o.dark,
	}, func(done, of int) { bars.Set(0, done, of) })
	bars.End()
	if err != nil {
		return err
	}
	if o.out == "-" {
		return film.Write(command.Raw(c.Out))
	}
	if o.out == "" {
		o.out = strings.TrimSuffix(strings.TrimSuffix(file, ".gz"), ".jsonl") + ".gif"
	}
	size, err := save(o.out, o.force, film.Write)
	if err != nil {
		return err
	}
	p.Progress("%s: %d pictures, %.0f s, %d kB", o.out, film.Len(), film.Seconds(), (size+999)/1000)
	return nil
}

// check names everything that does not fit the record.
func (o filmOptions) check(rec *replay.Record) error {
	seats, last := len(rec.Header.Seats), len(rec.Steps)-1
	var wrong []string
	if o.seat < int(game.Spectator) || o.seat >= seats {
		wrong = append(wrong, fmt.Sprintf("--seat %d: the table has the seats 0 to %d, and -1 is a spectator", o.seat, seats-1))
	}
	if o.from < 0 || o.to > last || o.from > o.to {
		wrong = append(wrong, fmt.Sprintf("--from %d --to %d: the record has the steps 0 to %d", o.from, o.to, last))
	} else if n := o.to - o.from + 1; n > filmMost {
		wrong = append(wrong, fmt.Sprintf("a film of %d steps: choose at most %d with --from and --to", n, filmMost))
	}
	if !(o.seconds >= filmShortest && o.seconds <= filmLongest) {
		wrong = append(wrong, fmt.Sprintf("--seconds %g: 0.02 to 60 are possible", o.seconds))
	}
	if o.width < filmNarrow || o.width > filmWide {
		wrong = append(wrong, fmt.Sprintf("--width %d: 100 to 1440 px are possible", o.width))
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%w: %s", command.ErrUsage, strings.Join(wrong, "; "))
	}
	return nil
}

// save writes a file for everybody and returns how many bytes it has.
func save(name string, force bool, write func(io.Writer) error) (int64, error) {
	f, err := command.Create(name, force)
	if err != nil {
		return 0, err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return 0, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
