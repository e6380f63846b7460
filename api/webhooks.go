package api

import (
	"cmp"
	"context"
	"errors"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func webhookDTO(w tournament.Webhook) wire.Webhook {
	kinds := w.Kinds
	if len(kinds) == 0 {
		kinds = tournament.WebhookKinds()
	}
	return wire.Webhook{
		ID:           w.ID,
		URL:          w.URL,
		Format:       string(w.Format),
		Events:       each(kinds, func(k tournament.EventKind) string { return string(k) }),
		Enabled:      w.Enabled,
		Reason:       w.Reason,
		FailingSince: w.FailingSince,
		CreatedAt:    w.CreatedAt,
	}
}

func deliveryDTO(d tournament.Delivery) wire.Delivery {
	return wire.Delivery{
		ID:          d.ID,
		Event:       string(d.Kind),
		Status:      string(d.Status),
		Attempts:    d.Attempts,
		HTTPStatus:  d.HTTPStatus,
		Reason:      d.Reason,
		TookMS:      d.TookMS,
		Payload:     string(d.Payload),
		CreatedAt:   d.CreatedAt,
		AttemptedAt: d.AttemptedAt,
		NextAt:      d.NextAt,
	}
}

// kindsOf reads the kinds of events of a request.
func kindsOf(list []string) ([]tournament.EventKind, error) {
	kinds := each(list, func(k string) tournament.EventKind { return tournament.EventKind(k) })
	return kinds, tournament.CheckKinds("/events", kinds)
}

func (s *Server) listWebhooks(ctx context.Context, _ op.Paging, p httpx.PageQuery) ([]wire.Webhook, string, error) {
	rows, next, err := s.Store.Webhooks(ctx, gate.UserID(ctx), pageOf(p, store.Newest))
	return each(rows, webhookDTO), next, err
}

func (s *Server) createWebhook(ctx context.Context, in wire.WebhookCreate) (wire.WebhookCreated, error) {
	kinds, err := kindsOf(in.Events)
	format := cmp.Or(tournament.WebhookFormat(in.Format), tournament.FormatStandard)
	if err := errors.Join(err, s.checkURL(in.URL), s.fillSecret(&in.Secret), format.CheckAddress(in.URL)); err != nil {
		return wire.WebhookCreated{}, err
	}
	w := tournament.Webhook{UserID: gate.UserID(ctx), URL: in.URL, Format: format, Secret: in.Secret, Kinds: kinds}
	if err := s.proved(ctx, w); err != nil {
		return wire.WebhookCreated{}, err
	}
	w, err = s.Store.CreateWebhook(ctx, w, s.Limits.Webhooks)
	return wire.WebhookCreated{Webhook: webhookDTO(w), Secret: in.Secret}, err
}

// proved makes sure that an address wants our messages.
func (s *Server) proved(ctx context.Context, w tournament.Webhook) error {
	leave, err := s.gate.HoldCall(ctx)
	if err != nil {
		return err
	}
	defer leave()
	err = s.Prove(ctx, w)
	if errors.Is(err, tournament.ErrBot) {
		return &tournament.FieldError{Pointer: "/url", Reason: gate.Detail(gate.KindOf(tournament.ErrBot), err)}
	}
	return callError(err)
}

func (s *Server) getWebhook(ctx context.Context, in op.One) (wire.Webhook, error) {
	w, err := s.myWebhook(ctx, in.ID)
	return webhookDTO(w), err
}

func (s *Server) updateWebhook(ctx context.Context, in op.WithID[wire.WebhookChange]) (wire.Webhook, error) {
	w, err := s.myWebhook(ctx, in.ID)
	if err != nil {
		return wire.Webhook{}, err
	}
	var kinds []tournament.EventKind
	if in.Body.Events != nil {
		if kinds, err = kindsOf(*in.Body.Events); err != nil {
			return wire.Webhook{}, err
		}
	}
	if in.Body.Enabled != nil && *in.Body.Enabled {
		if err := s.proved(ctx, w); err != nil {
			return wire.Webhook{}, err
		}
	}
	w, err = s.Store.ChangeWebhook(ctx, w.ID, func(w *tournament.Webhook) error {
		if in.Body.Events != nil {
			w.Kinds = kinds
		}
		if in.Body.Enabled != nil {
			w.Enabled, w.Reason, w.FailingSince = *in.Body.Enabled, "", nil
			if !w.Enabled {
				w.Reason = "disabled by its owner"
			}
		}
		return nil
	})
	return webhookDTO(w), err
}

func (s *Server) rotateWebhookSecret(ctx context.Context, in op.One) (wire.WebhookRotated, error) {
	w, err := s.myWebhook(ctx, in.ID)
	if err != nil {
		return wire.WebhookRotated{}, err
	}
	secret, err := protocol.NewSecret(s.Rand)
	if err != nil {
		return wire.WebhookRotated{}, err
	}
	w, err = s.Store.ChangeWebhook(ctx, w.ID, func(w *tournament.Webhook) error {
		*w = w.Rotated(secret, s.Now())
		return nil
	})
	return wire.WebhookRotated{Secret: secret, OldUntil: w.OldUntil}, err
}

func (s *Server) deleteWebhook(ctx context.Context, in op.One) (op.None, error) {
	w, err := s.myWebhook(ctx, in.ID)
	if err != nil {
		return op.None{}, err
	}
	return op.None{}, s.Store.DeleteWebhook(ctx, w.ID)
}

func (s *Server) listDeliveries(ctx context.Context, in op.ListOf, p httpx.PageQuery) ([]wire.Delivery, string, error) {
	w, err := s.myWebhook(ctx, in.ID)
	if err != nil {
		return nil, "", err
	}
	rows, next, err := s.Store.Deliveries(ctx, w.ID, pageOf(p, store.Newest))
	return each(rows, deliveryDTO), next, err
}

func (s *Server) redeliver(ctx context.Context, in wire.DeliveryOf) (wire.Delivery, error) {
	w, err := s.myWebhook(ctx, in.ID)
	if err != nil {
		return wire.Delivery{}, err
	}
	d, err := s.Store.Redeliver(ctx, w.ID, in.DeliveryID)
	return deliveryDTO(d), err
}

// myWebhook returns the caller's webhook with an id; another user's is not there, except for administrators.
func (s *Server) myWebhook(ctx context.Context, id string) (tournament.Webhook, error) {
	w, err := s.Store.Webhook(ctx, id)
	if err == nil && !gate.Owns(ctx, w.UserID) {
		return tournament.Webhook{}, tournament.ErrNotFound
	}
	return w, err
}
