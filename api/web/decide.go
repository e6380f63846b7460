package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/web/controls"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
)

// Decide takes the decision of a person.
func (s *Pages) Decide(c *gin.Context, refusal func(error) (int, string)) error {
	x, err := s.sitting(c)
	if err != nil {
		return err
	}
	in, err := ReadForm(c, "decision", "choose", "form", "say", controls.FieldPrefix)
	if err != nil {
		return err
	}
	c.Request.PostForm = in
	again := func(err error, filled *controls.Offer) error {
		status, why := refusal(err)
		if status == 0 || !wantsPage(c) {
			return err
		}
		body, err := s.seatPage(c, x, why, filled)
		return Send(c, status, body, err)
	}
	if x.turn == nil || in.Get("decision") != x.turn.Decision {
		return again(fmt.Errorf("%w: that decision is not asked any more: it was made already, or the time for it was over", tournament.ErrState), nil)
	}
	engine, ok := s.Engines.Find(x.match.Game)
	if !ok {
		return tournament.ErrState
	}
	offer, err := controls.Of(x.turn.Offer, x.words(engine))
	if err != nil {
		return err
	}
	action, err := offer.Chosen(in)
	if err != nil {
		return again(fmt.Errorf("%w: %w", tournament.ErrInvalid, err), &offer)
	}
	t := game.Turn{Seat: x.seat, Action: action, Say: in.Get("say")}
	err = s.Live.CheckTurn(c.Request.Context(), x.who, x.match, x.turn.Step, t)
	if err != nil {
		return again(err, &offer)
	}
	return s.decide(c, x, t)
}

// decide answers the person's messages with their turn, and leads back to their seat when others have had a moment to decide.
func (s *Pages) decide(c *gin.Context, x sitting, t game.Turn) error {
	ctx := c.Request.Context()
	body, err := json.Marshal(struct {
		Decision string          `json:"decision"`
		Action   json.RawMessage `json:"action"`
		Say      string          `json:"say,omitempty"`
	}{x.turn.Decision, t.Action, t.Say})
	if err != nil {
		return err
	}
	key, err := s.keyOf(ctx, x)
	if err != nil {
		return err
	}
	taken := false
	for _, id := range x.turn.messages {
		err := s.Store.Answer(ctx, x.guest.Box(), id, tournament.MessageAnswer{Status: http.StatusOK, Body: body})
		if err != nil && !errors.Is(err, tournament.ErrState) {
			return err
		}
		taken = taken || err == nil
	}
	if !taken {
		return fmt.Errorf("%w: the time for this decision was over", tournament.ErrState)
	}
	if err := s.news(ctx, &x, key, lookEvery); err != nil {
		return err
	}
	c.Redirect(http.StatusSeeOther, "/seat")
	return nil
}

// LeaveSeat gives a seat up.
func (s *Pages) LeaveSeat(c *gin.Context) error {
	g, m, err := s.sits(c)
	if err != nil {
		return err
	}
	if _, err := ReadForm(c); err != nil {
		return err
	}
	if err := s.Director.LeaveSeat(c.Request.Context(), g, m.ID, director.LeftReason); err != nil {
		return err
	}
	s.setSeatCookie(c, "")
	c.Redirect(http.StatusSeeOther, "/matches/"+m.ID)
	return nil
}
