package web

import (
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// MatchFrames are steps of a match as a seat or a spectator sees them.
type MatchFrames struct {
	Last   int           `json:"last"` // the last step there is
	Open   bool          `json:"open"` // every seat's view is open
	Frames []pages.Frame `json:"frames" swaggertype:"array,object"`
} // @name MatchFrames

// maxFrames is the most frames of one answer.
const maxFrames = 16

// watchedOf returns a match with what of it is open.
func (s *Pages) watchedOf(c *gin.Context) (store.Watched, live.Secrecy, error) {
	w, err := Named(c, s.Store.Watch)
	return w, s.Engines.SecrecyOf(w), err
}

// replay returns a match that may be watched, played again; nil if it may not.
func (s *Pages) replay(c *gin.Context, m tournament.Match, sec live.Secrecy) (replay *pages.Replay, err error) {
	engine, ok := s.Engines.Find(m.Game)
	if !sec.Watch || !ok || engine.Info().Version != m.RulesVersion {
		return nil, nil // a match without a replay is no error
	}
	err = s.replays.Get(c.Request.Context(), httpx.CallerOf(c), m, func(f *pages.Recorder) error {
		replay = f.Replay()
		return nil
	})
	return replay, err
}

// TableOf returns the table of a match that may be watched after a step, and that step: the last if q names none.
func (s *Pages) TableOf(c *gin.Context, m tournament.Match, sec live.Secrecy, q map[string]string) (game.Table, int, error) {
	f, err := s.replay(c, m, sec)
	if err == nil && f == nil {
		err = s.Live.CheckRules(m)
	}
	if err != nil {
		return nil, 0, err
	}
	step, err := httpx.Number(q, "step", f.Last(), 0, f.Last())
	if err != nil {
		return nil, 0, err
	}
	table, err := f.At(step)
	return table, step, err
}

// look reads which seat and step are asked for; a seat's view, and everything, are refused before the end.
func look(q map[string]string, f *pages.Replay, m tournament.Match, sec live.Secrecy, key string, without int) (seat, step int, err error) {
	least := game.Spectator
	if f.Hides() {
		least = game.Everything
	}
	if seat, err = httpx.Number(q, "seat", int(game.Spectator), int(least), len(m.Seats)-1); err != nil {
		return 0, 0, err
	}
	if seat != int(game.Spectator) && !sec.Open {
		return 0, 0, fmt.Errorf("%w: the match is %s; what a seat sees, and everything, opens when it is over; without seat you get the spectator's view now", tournament.ErrState, m.Status)
	}
	step, err = httpx.Number(q, key, without, 0, f.Last())
	return seat, step, err
}

// replayOf returns the replay of the match that the path names.
func (s *Pages) replayOf(c *gin.Context) (*pages.Replay, store.Watched, live.Secrecy, error) {
	w, sec, err := s.watchedOf(c)
	if err != nil {
		return nil, w, sec, err
	}
	f, err := s.replay(c, w.Match, sec)
	switch {
	case err != nil:
		return nil, w, sec, err
	case f == nil && sec.SharedSeed:
		return nil, w, sec, fmt.Errorf("%w: %s", tournament.ErrState, sec.Why())
	case f == nil:
		return nil, w, sec, fmt.Errorf("%w: the match is %s; there is nothing to see", tournament.ErrState, w.Match.Status)
	}
	return f, w, sec, nil
}

// Board answers with the drawing of a match that is asked for.
func (s *Pages) Board(c *gin.Context) error {
	q, err := httpx.Query(c, "seat", "step")
	if err != nil {
		return err
	}
	f, w, sec, err := s.replayOf(c)
	if err != nil {
		return err
	}
	seat, step, err := look(q, f, w.Match, sec, "step", f.Last())
	if err != nil {
		return err
	}
	table, err := f.At(step)
	if err != nil {
		return err
	}
	svg, err := table.Draw(game.Seat(seat), seatNames(w.Match, sec)) // a seat of the match
	if err != nil {
		return fmt.Errorf("%w: %w", tournament.ErrNotFound, err)
	}
	c.Header("Content-Security-Policy", pages.BoardPolicy)
	return httpx.SendBytes(c, http.StatusOK, "image/svg+xml", svg)
}

// Frames answers with steps of a match.
func (s *Pages) Frames(c *gin.Context) error {
	q, err := httpx.Query(c, "from", "seat")
	if err != nil {
		return err
	}
	f, w, sec, err := s.replayOf(c)
	if err != nil {
		return err
	}
	seat, from, err := look(q, f, w.Match, sec, "from", 0)
	if err != nil {
		return err
	}
	out := MatchFrames{Last: f.Last(), Open: sec.Open}
	who := pages.Look{Seat: seat, Open: sec.Open, Names: seatNames(w.Match, sec)}
	if out.Frames, err = s.site.Frames(f, who, from, maxFrames); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, out)
}

// seatNames returns what to call the seats of a match: the bots once they are named.
func seatNames(m tournament.Match, sec live.Secrecy) []string {
	out := make([]string, len(m.Seats))
	for i, seat := range m.Seats {
		if out[i] = seat.Alias; sec.Names {
			out[i] = seat.BotName
		}
	}
	return out
}

// MatchMoves are lines of the list of moves.
type MatchMoves struct {
	Last  int          `json:"last"` // the last step there is
	Moves []pages.Move `json:"moves"`
} // @name MatchMoves

// maxMoves is the most moves of one answer, and of a page.
const maxMoves = 100

// Moves answers with lines of the list of moves.
func (s *Pages) Moves(c *gin.Context) error {
	q, err := httpx.Query(c, "from")
	if err != nil {
		return err
	}
	f, w, sec, err := s.replayOf(c)
	if err != nil {
		return err
	}
	from, err := httpx.Number(q, "from", 0, 0, f.Last())
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, MatchMoves{Last: f.Last(), Moves: f.Moves(from, maxMoves, sec.Open, seatNames(w.Match, sec))})
}
