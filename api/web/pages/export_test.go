package pages

import "github.com/molerun/molerun/tournament/runner"

// NewReplay plays a match again as far as it is recorded; every step must fit its hash.
func NewReplay(spec runner.Spec) (*Replay, error) {
	s, err := NewRecorder(spec)
	if err == nil {
		err = s.Play(spec.Recorded)
	}
	if err != nil {
		return nil, err
	}
	return s.Replay(), nil
}
