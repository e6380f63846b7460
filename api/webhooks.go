package api

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
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
	out := wire.Webhook{
		ID:           w.ID,
		URL:          w.URL,
		Enabled:      w.Enabled,
		Reason:       w.Reason,
		FailingSince: w.FailingSince,
		CreatedAt:    w.CreatedAt,
	}
	for _, k := range kinds {
		out.Events = append(out.Events, string(k))
	}
	return out
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
	kinds := make([]tournament.EventKind, len(list))
	for i, k := range list {
		kinds[i] = tournament.EventKind(k)
	}
	return kinds, tournament.CheckKinds("/events", kinds)
}

// @Summary	My webhooks
// @Tags		webhooks
// @Security	Bearer
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the previous page"
// @Success	200		{object}	wire.Page[wire.Webhook]
// @Router		/v1/webhooks [get]
func (s *Server) listWebhooks(c *gin.Context) error {
	p, err := s.cursors.Page(c)
	if err != nil {
		return err
	}
	rows, next, err := s.store.Webhooks(c.Request.Context(), gate.UserID(c), pageOf(p, store.Newest))
	if err != nil {
		return err
	}
	return httpx.SendPage(c, p, rows, next, webhookDTO)
}

// @Summary	Register a webhook
// @Description	Events about your bots and your tournaments are sent there as Standard Webhooks, signed with the secret, until a 2xx
// @Description	answer. The address must be listening: it gets a signed webhook.challenge and must answer {"challenge":
// @Description	data.challenge}. Before that it gets nothing else.
// @Tags		webhooks
// @Security	Bearer
// @Accept		json
// @Param		body	body		wire.WebhookCreate	true	"the webhook"
// @Success	201		{object}	wire.WebhookCreated
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/webhooks [post]
func (s *Server) createWebhook(c *gin.Context) error {
	in, err := read[wire.WebhookCreate](c)
	if err != nil {
		return err
	}
	kinds, err := kindsOf(in.Events)
	if err != nil {
		return err
	}
	if err := s.checkAddress(in.URL, &in.Secret); err != nil {
		return err
	}
	if err := s.proved(c, in.URL, in.Secret); err != nil {
		return err
	}
	w, err := s.store.CreateWebhook(c.Request.Context(), tournament.Webhook{
		UserID: gate.UserID(c),
		URL:    in.URL,
		Secret: in.Secret,
		Kinds:  kinds,
	}, s.limits.Webhooks)
	if err != nil {
		return err
	}
	c.Header("Location", "/v1/webhooks/"+w.ID)
	return httpx.Send(c, http.StatusCreated, wire.WebhookCreated{Webhook: webhookDTO(w), Secret: in.Secret})
}

// checkAddress checks the form of an address and its secret, which is made if there is none.
func (s *Server) checkAddress(url string, secret *string) error {
	if url == "" || len(url) > maxURL {
		return &tournament.FieldError{Pointer: "/url", Reason: fmt.Sprintf("wants 1 to %d bytes", maxURL)}
	}
	if err := s.checkURL(url); err != nil {
		return &tournament.FieldError{Pointer: "/url", Reason: err.Error()}
	}
	if *secret == "" {
		made, err := protocol.NewSecret(s.rand)
		*secret = made
		return err
	}
	if _, err := protocol.ParseKeys(*secret); err != nil {
		return &tournament.FieldError{Pointer: "/secret", Reason: err.Error()}
	}
	return nil
}

// proved makes sure that an address wants our messages.
func (s *Server) proved(c *gin.Context, url, secret string) error {
	leave, err := s.gate.HoldCall(c)
	if err != nil {
		return err
	}
	defer leave()
	err = s.prove(c.Request.Context(), url, secret)
	if errors.Is(err, tournament.ErrBot) {
		return &tournament.FieldError{Pointer: "/url", Reason: gate.Detail(gate.KindOf(tournament.ErrBot), err)}
	}
	return err
}

// @Summary	One webhook
// @Tags		webhooks
// @Security	Bearer
// @Param		id	path		string	true	"id of the webhook"
// @Success	200	{object}	wire.Webhook
// @Failure	404	{object}	wire.Problem
// @Router		/v1/webhooks/{id} [get]
func (s *Server) getWebhook(c *gin.Context) error {
	return httpx.SendOne(c, s.webhookOf, webhookDTO)
}

// @Summary	Change a webhook
// @Description	Sets which events it gets, and whether it gets any. A webhook without a success for three days is disabled with the
// @Description	reason; enable it here. Its address cannot change: register another webhook.
// @Tags		webhooks
// @Security	Bearer
// @Accept		json
// @Param		id		path		string			true	"id of the webhook"
// @Param		body	body		wire.WebhookChange	true	"what changes"
// @Success	200		{object}	wire.Webhook
// @Failure	404		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/webhooks/{id} [patch]
func (s *Server) updateWebhook(c *gin.Context) error {
	in, err := read[wire.WebhookChange](c)
	if err != nil {
		return err
	}
	w, err := s.webhookOf(c)
	if err != nil {
		return err
	}
	var kinds []tournament.EventKind
	if in.Events != nil {
		if kinds, err = kindsOf(*in.Events); err != nil {
			return err
		}
	}
	if in.Enabled != nil && *in.Enabled {
		if err := s.proved(c, w.URL, w.Secret); err != nil {
			return err
		}
	}
	w, err = s.store.ChangeWebhook(c.Request.Context(), w.ID, func(w *tournament.Webhook) error {
		if in.Events != nil {
			w.Kinds = kinds
		}
		if in.Enabled != nil {
			w.Enabled, w.Reason, w.FailingSince = *in.Enabled, "", nil
			if !w.Enabled {
				w.Reason = "disabled by its owner"
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, webhookDTO(w))
}

// @Summary	Rotate a webhook's secret
// @Description	For a day, messages are signed with both the new secret and the previous one, space-separated in one header as
// @Description	Standard Webhooks says. Rotating again drops the older at once: rotate twice to end a leaked secret.
// @Tags		webhooks
// @Security	Bearer
// @Param		id	path		string	true	"id of the webhook"
// @Success	200	{object}	wire.WebhookRotated
// @Failure	404	{object}	wire.Problem
// @Router		/v1/webhooks/{id}/rotate-secret [post]
func (s *Server) rotateWebhookSecret(c *gin.Context) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	w, err := s.webhookOf(c)
	if err != nil {
		return err
	}
	secret, err := protocol.NewSecret(s.rand)
	if err != nil {
		return err
	}
	w, err = s.store.ChangeWebhook(c.Request.Context(), w.ID, func(w *tournament.Webhook) error {
		*w = w.Rotated(secret, s.now())
		return nil
	})
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, wire.WebhookRotated{Secret: secret, OldUntil: w.OldUntil})
}

// @Summary	Delete a webhook
// @Description	Deletes its deliveries too; pending ones are no longer sent.
// @Tags		webhooks
// @Security	Bearer
// @Param		id	path	string	true	"id of the webhook"
// @Success	204
// @Failure	404	{object}	wire.Problem
// @Router		/v1/webhooks/{id} [delete]
func (s *Server) deleteWebhook(c *gin.Context) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	w, err := s.webhookOf(c)
	if err != nil {
		return err
	}
	if err := s.store.DeleteWebhook(c.Request.Context(), w.ID); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

// @Summary	What was sent to a webhook
// @Description	The newest first, each with its outcome. A failed delivery is tried eight times in about nineteen hours.
// @Tags		webhooks
// @Security	Bearer
// @Param		id		path		string	true	"id of the webhook"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the previous page"
// @Success	200		{object}	wire.Page[wire.Delivery]
// @Failure	404		{object}	wire.Problem
// @Router		/v1/webhooks/{id}/deliveries [get]
func (s *Server) listDeliveries(c *gin.Context) error {
	p, err := s.cursors.Page(c)
	if err != nil {
		return err
	}
	w, err := s.webhookOf(c)
	if err != nil {
		return err
	}
	rows, next, err := s.store.Deliveries(c.Request.Context(), w.ID, pageOf(p, store.Newest))
	if err != nil {
		return err
	}
	return httpx.SendPage(c, p, rows, next, deliveryDTO)
}

// @Summary	Send an event again
// @Description	Sends the same bytes with the same webhook-id, whether delivered or not, with as many attempts as a new one.
// @Tags		webhooks
// @Security	Bearer
// @Param		id			path		string	true	"id of the webhook"
// @Param		delivery_id	path		string	true	"id of the delivery"
// @Success	200			{object}	wire.Delivery
// @Failure	404			{object}	wire.Problem
// @Failure	409			{object}	wire.Problem
// @Router		/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver [post]
func (s *Server) redeliver(c *gin.Context) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	d, err := s.redeliverNow(c)
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, deliveryDTO(d))
}

// redeliverNow sends the delivery that the path names, of a webhook of the caller's, again.
func (s *Server) redeliverNow(c *gin.Context) (tournament.Delivery, error) {
	w, err := s.webhookOf(c)
	if err != nil {
		return tournament.Delivery{}, err
	}
	id, err := pathUUID(c, "delivery_id")
	if err != nil {
		return tournament.Delivery{}, err
	}
	return s.store.Redeliver(c.Request.Context(), w.ID, id)
}

// webhookOf is the caller's webhook that the path names; somebody else's is not there, but for administrators.
func (s *Server) webhookOf(c *gin.Context) (tournament.Webhook, error) {
	w, err := named(c, s.store.Webhook)
	if err == nil && !gate.Owns(c, w.UserID) {
		return tournament.Webhook{}, tournament.ErrNotFound
	}
	return w, err
}
