package agent

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/molerun/molerun/bots/agent"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// patience is how long the model may take for a decision: as long as it likes.
const patience = 365 * 24 * time.Hour

// match plays one match in a goroutine of its own.
type match struct {
	id     string
	engine game.Engine
	seat   game.Seat
	names  []string // by seat; the model's is "you"
	spec   runner.Spec
	nonce  [16]byte
	record *replay.Player // follows the match: the runner's own table is out of reach

	done chan struct{} // closed when the match has ended; then news or err is set
	news string
	err  error
}

// over reports whether the match has ended.
func (m *match) over() bool {
	select {
	case <-m.done:
		return true
	default:
		return false
	}
}

// play plays the match to its end, or until ctx ends, and writes its record into a folder.
func (m *match) play(ctx context.Context, players []runner.Player, folder string) {
	defer close(m.done)
	outcome, err := runner.Play(ctx, m.spec, players, m)
	if err == nil {
		var record string
		record, err = m.write(folder)
		m.news = fmt.Sprintf("The match %s is over (%s): %s. Look at its record with: molerun replay show %s",
			m.id, outcome.Result.Why, agent.Ending(int(m.seat), outcome.Rank, outcome.Result.Team), command.Quoted(record))
	}
	m.err = err
}

// Append keeps a step for the record.
func (m *match) Append(_ context.Context, s runner.Step) error {
	m.spec.Recorded = append(m.spec.Recorded, s)
	return s.Again(m.record)
}

// write writes the record, and returns where it is: beside one of another server's match of this name.
func (m *match) write(folder string) (string, error) {
	var b bytes.Buffer
	if err := runner.Write(&b, m.spec, m.nonce); err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil { // records are for everybody
		return "", err
	}
	name := filepath.Join(folder, m.id)
	file, err := os.OpenFile(name+".jsonl.gz", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	for n := 2; errors.Is(err, fs.ErrExist); n++ {
		file, err = os.OpenFile(fmt.Sprintf("%s-%d.jsonl.gz", name, n), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	}
	if err != nil {
		return "", err
	}
	_, err = file.Write(b.Bytes())
	if err = errors.Join(err, file.Close()); err != nil {
		err = errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), err
}

// deal makes what the runner plays. All of it follows from the seed.
func (m *match) deal(config []byte, seed game.Seed, program string) error {
	luck := game.Stream(seed, 0, "nonce")
	for i := range m.nonce {
		m.nonce[i] = byte(luck.IntN(256))
	}
	commitment := seed.Commit(m.nonce)
	info := m.engine.Info()
	dealt := tournament.Match{
		ID: "local-" + hex.EncodeToString(commitment[:6]), Game: info.ID, RulesVersion: info.Version, Engine: program, Config: config,
		Seed: seed, Nonce: m.nonce, Clock: tournament.Clock{Limit: patience}, Limits: tournament.DefaultFaultLimits(),
	}
	for seat, name := range m.names {
		dealt.Seats = append(dealt.Seats, tournament.MatchSeat{Alias: fmt.Sprintf("seat-%d", seat), BotName: name})
	}
	m.spec = runner.SpecOf(dealt, m.engine, nil)
	var err error
	m.record, err = m.spec.Deal()
	return err
}
