package pages_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament/runner"
)

// inParts hands over steps, so many at a time, and then ends with err; *end is what the last call of each returned.
func inParts(steps []runner.Step, size int, err error, end *error) func(func([]runner.Step) error) error {
	return func(each func([]runner.Step) error) error {
		for part := range slices.Chunk(steps, size) {
			if *end = each(part); *end != nil {
				return *end
			}
		}
		return err
	}
}

func TestAFilmOfARecordThatIsReadMeanwhileIsTheSame(t *testing.T) {
	spec, _ := played(t, "cia", 3, 60)
	want, err := pages.NewFilm(spec)
	if err != nil {
		t.Fatal(err)
	}
	steps := spec.Recorded
	spec.Recorded = nil
	for _, size := range []int{1, 7, len(steps)} {
		var end error
		got, err := pages.FilmAsRead(spec, len(steps), inParts(steps, size, nil, &end))
		if err != nil {
			t.Fatalf("%d steps at a time: %v", size, err)
		}
		if !reflect.DeepEqual(got.Moves(0, len(steps)+1, true, nil), want.Moves(0, len(steps)+1, true, nil)) || got.Last() != want.Last() {
			t.Errorf("%d steps at a time: got another film of %d steps, want that of the whole record, %d", size, got.Last(), want.Last())
		}
	}
}

func TestAFilmOfARecordThatCannotBeReadIsNone(t *testing.T) {
	spec, _ := played(t, "cia", 3, 60)
	steps := spec.Recorded
	spec.Recorded = nil
	away := errors.New("the database is away")
	var end error
	if f, err := pages.FilmAsRead(spec, len(steps), inParts(steps[:20], 4, away, &end)); f != nil || !errors.Is(err, away) {
		t.Errorf("a record that breaks off: got a film: %t, and %v; want none and %v", f != nil, err, away)
	}
	steps[2].Hash[0] ^= 1
	_, err := pages.FilmAsRead(spec, len(steps), inParts(steps, 1, nil, &end))
	if err == nil || !strings.Contains(err.Error(), "step 3 does not fit its hash") {
		t.Errorf("another hash: got %v, want a refusal that names step 3", err)
	}
	if end == nil {
		t.Error("all was read after the refusal, want an early end")
	}
}

func TestTheReaderOfAFilmEndsWhateverBecomesOfThePlayer(t *testing.T) {
	spec, _ := played(t, "cia", 3, 60)
	steps := spec.Recorded
	spec.Recorded = nil
	ended := make(chan struct{}, 1)
	film := func(spec runner.Spec) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v", p)
			}
		}()
		var end error
		read := inParts(steps, 1, nil, &end)
		_, err = pages.FilmAsRead(spec, len(steps), func(each func([]runner.Step) error) error {
			defer func() { ended <- struct{}{} }()
			return read(each)
		})
		return err
	}
	seatless := spec
	seatless.Header.Seats = nil
	if err := film(seatless); err == nil || !strings.HasPrefix(err.Error(), "pages: ") {
		t.Errorf("without seats: got %v, want a refusal", err)
	}
	<-ended
	spec.Engine = nil
	if err := film(spec); err == nil || !strings.HasPrefix(err.Error(), "panic: ") {
		t.Errorf("without rules: got %v, want a panic", err)
	}
	<-ended
}
