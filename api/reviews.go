package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/review/report"
	"github.com/molerun/molerun/tournament"
)

// reviewWait is when a stranger may ask again while too many reviews wait.
const reviewWait = time.Minute

func reviewDTO(r tournament.MatchReview) (wire.MatchReview, error) {
	out := wire.MatchReview{
		MatchID: r.MatchID,
		State:   string(r.State),
		Reason:  r.Reason,
		AskedAt: r.AskedAt,
		EndedAt: r.EndedAt,
	}
	if len(r.Report) == 0 {
		return out, nil
	}
	if err := json.Unmarshal(r.Report, &out.Report); err != nil {
		return out, err
	}
	for i := range out.Report.Seats {
		if s := &out.Report.Seats[i]; s.Phases == nil { // of a seat that decided nothing
			s.Phases = []report.Accuracy{}
		}
	}
	return out, nil
}

// reviewable returns a match that may be reviewed: one that is over, as are all others on its seed.
func (s *Server) reviewable(ctx context.Context, id string) (tournament.Match, error) {
	m, sec, err := s.match(ctx, id)
	switch {
	case err != nil:
	case !sec.Open:
		err = fmt.Errorf("%w: a match is reviewed once it, and every match on its seed, is over", tournament.ErrState)
	case m.Status != tournament.MatchDone:
		err = fmt.Errorf("%w: the match is %s, and has no review", tournament.ErrState, m.Status)
	}
	return m, err
}

func (s *Server) askReview(ctx context.Context, in op.One) (wire.MatchReview, error) {
	none := wire.MatchReview{}
	m, err := s.reviewable(ctx, in.ID)
	if err != nil {
		return none, err
	}
	mine := slices.ContainsFunc(m.Seats, func(seat tournament.MatchSeat) bool { return gate.OwnsBot(ctx, seat.OwnerID, seat.BotID) })
	r, err := s.Store.Review(ctx, m.ID)
	if errors.Is(err, tournament.ErrNotFound) || r.State == tournament.ReviewFailed {
		if err = s.matches.CheckRules(m); err == nil {
			err = s.gate.AskReview(ctx)
		}
	}
	if err != nil {
		return none, err
	}
	r, err = s.Store.AskReview(ctx, m.ID, mine, s.Limits.Reviews)
	if errors.Is(err, tournament.ErrFull) {
		err = fmt.Errorf("%w: %d reviews wait already", &httpx.WaitError{Wait: reviewWait}, s.Limits.Reviews)
	}
	if err != nil {
		return none, err
	}
	return reviewDTO(r)
}

// askReviewHere takes the button of a match's page, for the user whom the browser is logged in as or, without one, for a stranger.
func (s *Server) askReviewHere(c *gin.Context) error {
	if _, err := web.ReadForm(c); err != nil {
		return err
	}
	if _, err := s.asUser(c, wire.AskReview.Spec, nil, nil); err != nil {
		return err
	}
	c.Redirect(http.StatusSeeOther, "/matches/"+c.Param("id")+"#review")
	return nil
}

func (s *Server) getReview(ctx context.Context, in op.One) (wire.MatchReview, error) {
	none := wire.MatchReview{}
	m, err := s.reviewable(ctx, in.ID)
	if err != nil {
		return none, err
	}
	r, err := s.Store.Review(ctx, m.ID)
	if errors.Is(err, tournament.ErrNotFound) {
		err = fmt.Errorf("%w: nobody has asked for a review of this match; ask with POST %s", tournament.ErrNotFound, wire.AskReview.Target(in))
	}
	if err != nil {
		return none, err
	}
	return reviewDTO(r)
}
