package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/tournament"
)

func cardDTO(c tournament.Card) wire.UploadedCard {
	out := wire.UploadedCard{Hash: c.Hash, State: string(c.State), Reason: c.Reason, UploadedAt: c.UploadedAt, EndedAt: c.EndedAt}
	if c.State == tournament.CardChecked {
		out.Card, out.Decisions = json.RawMessage(c.Card), c.Decisions
	}
	return out
}

func (s *Server) uploadCard(ctx context.Context, in wire.CardUpload) (wire.UploadedCard, error) {
	none := wire.UploadedCard{}
	if err := gate.Unbound(ctx); err != nil {
		return none, err
	}
	c, err := card.Read(in.Card)
	if err != nil {
		return none, &tournament.FieldError{Pointer: "/card", Reason: err.Error()}
	}
	raw, err := base64.StdEncoding.DecodeString(in.Decisions)
	if err == nil {
		_, err = gzip.NewReader(bytes.NewReader(raw))
	}
	if err != nil {
		return none, &tournament.FieldError{Pointer: "/decisions", Reason: "want " + card.DecisionsFile + " in base64: " + err.Error()}
	}
	text, err := c.JSON()
	if err != nil {
		return none, err
	}
	hash, err := c.Hash()
	if err != nil {
		return none, err
	}
	gate.SetAuditSubject(ctx, hash)
	if err := s.gate.UploadCard(ctx); err != nil {
		return none, err
	}
	up, err := s.Store.UploadCard(ctx, tournament.Card{Hash: hash, OwnerID: gate.UserID(ctx), Card: string(text), Decisions: in.Decisions}, s.Limits.Cards, s.Limits.CardsWaiting)
	switch {
	case errors.Is(err, tournament.ErrFull):
		err = fmt.Errorf("%w: %d cards wait already", &httpx.WaitError{Wait: reviewWait}, s.Limits.CardsWaiting)
	case errors.Is(err, tournament.ErrState):
		err = fmt.Errorf("%w: somebody else has uploaded this card, and it is not checked yet: upload yours again then", &httpx.WaitError{Wait: reviewWait})
	}
	return cardDTO(up), err
}

func (s *Server) listCards(ctx context.Context, _ op.Paging, p httpx.PageQuery) ([]wire.ListedCard, string, error) {
	rows, next, err := s.Store.CheckedCards(ctx, pageOf(p, ""))
	return each(rows, func(c tournament.Card) wire.ListedCard {
		return wire.ListedCard{Hash: c.Hash, CheckedAt: *c.EndedAt, Summary: c.Summary}
	}), next, err
}

// visibleCard returns a card that was checked, or that is the caller's.
func (s *Server) visibleCard(ctx context.Context, hash string) (tournament.Card, error) {
	c, err := s.Store.Card(ctx, hash)
	if err == nil && c.State != tournament.CardChecked && !gate.Owns(ctx, c.OwnerID) {
		return tournament.Card{}, fmt.Errorf("%w: there is no card %q", tournament.ErrNotFound, hash)
	}
	return c, err
}

func (s *Server) getCard(ctx context.Context, in wire.CardOf) (wire.UploadedCard, error) {
	c, err := s.visibleCard(ctx, in.Hash)
	return cardDTO(c), err
}

func (s *Server) deleteCard(ctx context.Context, in wire.CardOf) (op.None, error) {
	c, err := s.visibleCard(ctx, in.Hash)
	if err == nil && !gate.Owns(ctx, c.OwnerID) {
		err = gate.NotYours(ctx, c.OwnerID)
	}
	if err == nil {
		err = s.Store.DeleteCard(ctx, in.Hash)
	}
	return op.None{}, err
}
