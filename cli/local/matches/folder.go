package matches

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/runner"
)

// seriesFile holds the series in its folder, beside the records of its matches.
const seriesFile = "series.json"

// Folder keeps a series and the records of its matches: what is there has been played.
type Folder struct{ Path string }

// Create makes the folder of a new series. One that holds a series is errFolder.
func Create(path string, s Series) (Folder, error) {
	f := Folder{path}
	if err := os.MkdirAll(path, 0o755); err != nil { // records are for everybody
		return f, err
	}
	if _, err := os.Stat(filepath.Join(path, seriesFile)); err == nil {
		return f, fmt.Errorf("%w: %s holds a series already: go on with it by --resume %s, or choose another folder", errFolder, path, command.Quoted(path))
	}
	return f, f.Keep(s)
}

// Keep writes the series.
func (f Folder) Keep(s Series) error {
	return keep(filepath.Join(f.Path, seriesFile), s)
}

// Load reads the series of a folder. Without one it is [ErrNone]; errFolder, if it cannot be gone on with.
func Load(path string) (Folder, Series, error) {
	f, s := Folder{path}, Series{}
	b, err := os.ReadFile(filepath.Join(path, seriesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return f, s, fmt.Errorf("%w: %s holds no %s, so there is nothing to resume; begin a series with --out %s", ErrNone, path, seriesFile, command.Quoted(path))
	}
	if err != nil {
		return f, s, err
	}
	if err := strict.Decode(b, &s); err != nil {
		return f, s, fmt.Errorf("%w: %s: %w; put it back as it was, or choose another folder", errFolder, filepath.Join(path, seriesFile), err)
	}
	if s.Format != seriesFormat {
		return f, s, fmt.Errorf("%w: %s: format %q, this program reads %q", errFolder, path, s.Format, seriesFormat)
	}
	return f, s, s.find(path)
}

// find looks up the game of a series that was read from path, and refuses one that was changed to what no series is.
func (s *Series) find(path string) error {
	e, ok := catalog.Find(s.Game)
	if !ok || e.Info().Version != s.RulesVersion {
		return fmt.Errorf("%w: %s: rules %d of %s are not those of this program", errFolder, path, s.RulesVersion, s.Game)
	}
	settled := *s
	if err := settled.Settle(e); err != nil {
		return fmt.Errorf("%w: %s: %w", errFolder, path, err)
	}
	settled.Run = s.Run // it was drawn once
	d, err := Differ(s, settled)
	if d != nil {
		err = fmt.Errorf("%w: %s: %s is %s where this series has %s: it was changed by hand; put it back, or begin another series", errFolder, path, d.At, d.X, d.Y)
	}
	s.engine = e
	return err
}

func (f Folder) record(s *Series, number int) string {
	return filepath.Join(f.Path, s.recordName(number))
}

// keep writes a value as the JSON of a file.
func keep(name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return Replace(name, append(b, '\n'))
}

// Replace writes a file for everybody, whole or not at all.
func Replace(name string, b []byte) error {
	half := name + ".part"
	if err := os.WriteFile(half, b, 0o644); err != nil { // records are for everybody
		_ = os.Remove(half) // on a full disk it would only take room
		return err
	}
	return os.Rename(half, name)
}

// load reads what a match came to from its record; false if it has none. The record is played again, and must be that of
// this very match; whose it is, [Folder.Fits] has looked at.
func (f Folder) load(s *Series, x fixture, spec runner.Spec) (Played, bool, error) {
	name := f.record(s, x.number)
	if _, err := os.Stat(name); f == (Folder{}) || errors.Is(err, fs.ErrNotExist) {
		return Played{}, false, nil
	}
	rec, err := Read(name)
	if err != nil {
		return Played{}, false, broken(err)
	}
	if rec.Header.Match != spec.Header.Match || rec.Seed != spec.Seed {
		return Played{}, false, fmt.Errorf("%w: %s is the record of %s, want %s: take it out of the folder", errFolder, name, rec.Header.Match, spec.Header.Match)
	}
	p := playedOf(x, rec)
	p.File, p.Kept = name, true
	if !s.Luckless {
		if p.Luck, err = luckOf(spec.Engine, rec); err != nil {
			return Played{}, false, err
		}
	}
	return p, true, nil
}

// Fits refuses a folder with a record of another match, or of other bots than the field, so that nothing is played into it: errFolder.
func (f Folder) Fits(s *Series, field []Bot) error {
	for number := range s.Games {
		name := f.record(s, number)
		was, err := headerOf(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return broken(fmt.Errorf("%s: %w", name, err))
		}
		x, err := s.fixture(number)
		if err != nil {
			return err
		}
		now := s.spec(x, "", field).Header
		if was.Match != now.Match || len(was.Seats) != len(now.Seats) {
			return fmt.Errorf("%w: %s is the record of %s, want %s: take it out of the folder", errFolder, name, was.Match, now.Match)
		}
		if d, err := Differ(was.Config, now.Config); d != nil || err != nil {
			return errors.Join(err, fmt.Errorf("%w: %s was played by another config than %s has now: put it back as it was, or choose another folder", errFolder, name, filepath.Join(f.Path, seriesFile)))
		}
		for seat, who := range now.Seats {
			if is, want := whoIs(was.Seats[seat]), whoIs(who); is != want {
				return fmt.Errorf("%w: %s holds matches of %s, and now %s plays: choose another folder", errFolder, f.Path, is, want)
			}
		}
	}
	return nil
}

// broken says what to do about a record of a series that is no whole one.
func broken(err error) error {
	return fmt.Errorf("%w: %w: take it out of the folder, and the match is played again", errFolder, err)
}

// whoIs names a bot with its build.
func whoIs(s replay.Seat) string {
	if s.Build == "" {
		return printer.Printable(s.Bot)
	}
	return printer.Printable(s.Bot + " (build " + s.Build + ")")
}

// headerOf reads the header of a record, and no more of it.
func headerOf(name string) (h replay.Header, err error) {
	file, err := os.Open(name)
	if err != nil {
		return h, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	z, err := gzip.NewReader(file)
	if err == nil {
		err = json.NewDecoder(z).Decode(&h)
	}
	return h, err
}

// playedOf returns what a match came to by its record, without its luck.
func playedOf(x fixture, rec *replay.Record) Played {
	p := Played{Number: x.number + 1, Match: rec.Header.Match, Players: x.players, Result: rec.Result, Retired: rec.Retired, Steps: len(rec.Steps) - 1}
	p.Rank = rating.Placing(rec.Result, rec.Retired)
	for i, step := range rec.Steps {
		for _, t := range step.Turns {
			if Faulty(t) {
				p.Faults = append(p.Faults, Fault{Step: i, Seat: t.Seat, Kind: t.Why})
			}
		}
	}
	return p
}

// Read reads and verifies a record.
func Read(name string) (*replay.Record, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if about, err := file.Stat(); err == nil && about.IsDir() {
		return nil, errors.Join(fmt.Errorf("%s is a folder: name records in it, like %s", name, filepath.Join(name, "*.jsonl.gz")), file.Close())
	}
	rec, err := replay.Verify(file, catalog.Find)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rec, nil
}
