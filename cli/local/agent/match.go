package agent

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/molerun/molerun/bots/agent"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/inprocess"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// patience is how long the model may take for a decision: as long as it likes.
const patience = 365 * 24 * time.Hour

// match is one match: it is played in a goroutine of its own, which waits wherever the model is due.
type match struct {
	id     string
	engine game.Engine
	seat   game.Seat
	names  []string // by seat; the model's is "you"
	spec   runner.Spec
	nonce  [16]byte
	record *replay.Player // follows the match: the runner's own table is out of reach

	asks    chan *protocol.Turn
	answers chan protocol.Answer
	done    chan struct{} // closed when the match has ended; then news or err is set
	news    string
	err     error

	mu   sync.Mutex     // one call at a time
	turn *protocol.Turn // what waits for an answer; nil while the others play, and at the end
}

// reader is a player that reads its turns in words.
type reader struct{ runner.Player }

// WantsText is true.
func (reader) WantsText() bool { return true }

// play plays the match to its end, or until ctx ends, and writes its record into a folder.
func (m *match) play(ctx context.Context, players []runner.Player, folder string) {
	defer close(m.done)
	players[m.seat] = reader{inprocess.Player(m.decide)}
	outcome, err := runner.Play(ctx, m.spec, players, m)
	if err == nil {
		var record string
		record, err = m.write(folder)
		m.news = fmt.Sprintf("The match %s is over: %s. Places by seat: %v; you had seat %d. Look at its record with: molerun replay show %s",
			m.id, outcome.Result.Why, outcome.Rank, m.seat, record)
	}
	m.err = err
}

// Append keeps a step for the record.
func (m *match) Append(_ context.Context, s runner.Step) error {
	m.spec.Recorded = append(m.spec.Recorded, s)
	return s.Again(m.record)
}

// write writes the record, and returns where it is.
func (m *match) write(folder string) (string, error) {
	var b bytes.Buffer
	if err := runner.Write(&b, m.spec, m.nonce); err != nil {
		return "", err
	}
	name := filepath.Join(folder, m.id+".jsonl.gz")
	return name, errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(name, b.Bytes(), 0o644)) // records are for everybody
}

// decide hands a turn over and waits for the model.
func (m *match) decide(ctx context.Context, t *protocol.Turn) (protocol.Answer, error) {
	t.Match, t.Decision = m.id, fmt.Sprintf("%s.%d", m.id, t.Step) // the runner's names follow from the seed: two matches may share them
	select {
	case m.asks <- t:
	case <-ctx.Done():
		return protocol.Answer{}, ctx.Err()
	}
	select {
	case a := <-m.answers:
		return a, nil
	case <-ctx.Done():
		return protocol.Answer{}, ctx.Err()
	}
}

// wait returns when the model is due or the match is over. A call that is cancelled loses nothing: the next one waits on.
func (m *match) wait(ctx context.Context) error {
	if m.turn != nil {
		return nil
	}
	select {
	case m.turn = <-m.asks:
		return nil
	case <-m.done:
		return m.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// open returns what the model is asked; nil if that is nothing.
func (m *match) open() *agent.Turn {
	if m.turn == nil {
		return nil
	}
	return &agent.Turn{Turn: *m.turn, Engine: m.engine}
}

// answer plays a decision of the model.
func (m *match) answer(d agent.Decision) error {
	if err := m.record.Table().Check(d.Turn); err != nil {
		return fmt.Errorf("%w: %w", agent.ErrRefused, err)
	}
	body, err := d.Answer(m.turn.Decision)
	if err != nil {
		return err
	}
	answer, _, err := protocol.ParseAnswer(body) // as a platform reads it
	if err != nil {
		return fmt.Errorf("%w: %w", agent.ErrRefused, err)
	}
	select {
	case m.answers <- answer:
		m.turn = nil
		return nil
	case <-m.done:
		return m.err
	}
}

// deal makes what the runner plays. All of it follows from the seed.
func (m *match) deal(config []byte, seed game.Seed, program string) error {
	luck := game.Stream(seed, 0, "nonce")
	for i := range m.nonce {
		m.nonce[i] = byte(luck.IntN(256))
	}
	commitment := seed.Commit(m.nonce)
	info := m.engine.Info()
	h := replay.Header{
		Format: replay.Format, Match: "local-" + hex.EncodeToString(commitment[:6]), Game: info.ID, RulesVersion: info.Version, Engine: program,
		Config: config, Commitment: hex.EncodeToString(commitment[:]),
	}
	for seat, name := range m.names {
		h.Seats = append(h.Seats, replay.Seat{Alias: fmt.Sprintf("seat-%d", seat), Bot: name})
	}
	m.spec = runner.Spec{Header: h, Engine: m.engine, Seed: seed, Clock: tournament.Clock{Limit: patience}, Limits: tournament.DefaultFaultLimits()}
	var err error
	m.record, err = m.spec.Deal()
	return err
}
