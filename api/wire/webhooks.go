package wire

import (
	"time"

	"github.com/molerun/molerun/api/op"
)

// The operations on webhooks.
var (
	// @Summary	My webhooks
	ListWebhooks = op.Get[op.Paging, Page[Webhook]]("/v1/webhooks", "account")

	// @Summary	Register a webhook
	// @Description	Events about your bots and your tournaments are sent there as Standard Webhooks, signed with the secret, until a 2xx
	// @Description	answer. The address must be listening: it gets a signed webhook.challenge and must answer {"challenge":
	// @Description	data.challenge}. Before that it gets nothing else. A webhook of Discord (format discord) gets a message in its
	// @Description	channel instead; with the format mail, a message has subject, text and link in place of data.
	CreateWebhook = op.Create[WebhookCreate, WebhookCreated]("/v1/webhooks", "account")

	// @Summary	One webhook
	GetWebhook = op.Get[op.One, Webhook]("/v1/webhooks/{id}", "account")

	// @Summary	Change a webhook
	// @Description	Sets which events it gets, and whether it gets any. A webhook without a success for three days is disabled with the
	// @Description	reason; enable it here. Its address cannot change: register another webhook.
	UpdateWebhook = op.Patch[op.WithID[WebhookChange], Webhook]("/v1/webhooks/{id}", "account")

	// @Summary	Rotate a webhook's secret
	// @Description	For a day, messages are signed with both the new secret and the previous one, space-separated in one header as
	// @Description	Standard Webhooks says. Rotating again drops the older at once: rotate twice to end a leaked secret.
	RotateWebhookSecret = op.Post[op.One, WebhookRotated]("/v1/webhooks/{id}/rotate-secret", "account")

	// @Summary	Delete a webhook
	// @Description	Deletes its deliveries too; pending ones are no longer sent.
	DeleteWebhook = op.Delete[op.One]("/v1/webhooks/{id}", "account")

	// @Summary	What was sent to a webhook
	// @Description	The newest first, each with its outcome. A failed delivery is tried eight times in about nineteen hours.
	ListDeliveries = op.Get[op.ListOf, Page[Delivery]]("/v1/webhooks/{id}/deliveries", "account")

	// @Summary	Send an event again
	// @Description	Sends the same bytes with the same webhook-id, whether delivered or not, with as many attempts as a new one.
	Redeliver = op.Post[DeliveryOf, Delivery]("/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver", "account")
)

// DeliveryOf names a delivery of a webhook.
type DeliveryOf struct {
	op.One
	DeliveryID string `uri:"delivery_id" format:"uuid" json:"-"`
}

// Webhook is an address of yours that receives events. Nobody else sees it.
type Webhook struct {
	ID           string     `json:"id"`
	URL          string     `json:"url"`
	Format       string     `json:"format" enums:"standard,discord,mail"`
	Events       []string   `json:"events"` // that are sent
	Enabled      bool       `json:"enabled"`
	Reason       string     `json:"reason,omitempty"` // why it is not enabled
	FailingSince *time.Time `json:"failing_since,omitempty" format:"date-time"`
	CreatedAt    time.Time  `json:"created_at" format:"date-time"`
} // @name Webhook

// WebhookCreate registers a webhook.
type WebhookCreate struct {
	URL    string   `json:"url" example:"https://example.org/molerun"`
	Format string   `json:"format,omitempty" enums:"standard,discord,mail"`                                                                                                                                                                                                                                                // standard if left out
	Secret string   `json:"secret,omitempty" example:"whsec_…"`                                                                                                                                                                                                                                                            // whsec_ and 24 to 64 bytes in base64; generated if left out
	Events []string `json:"events,omitempty" enums:"match.finished,match.void,match.given_up,bot.paused,bot.resumed,tournament.changed,tournament.check_in,tournament.started,tournament.finished,tournament.cancelled,entry.admitted,entry.left_out,entry.substituted,entry.withdrawn,version.redeployed,account.linked"` // all of them if left out
} // @name WebhookCreate

// WebhookCreated is a new webhook with its secret.
type WebhookCreated struct {
	Webhook Webhook `json:"webhook"`
	Secret  string  `json:"secret"` // shown only now: it signs the messages
} // @name WebhookCreated

// WebhookChange changes a webhook; what is left out stays as it is.
type WebhookChange struct {
	Events  *[]string `json:"events,omitempty"`  // an empty list means all
	Enabled *bool     `json:"enabled,omitempty"` // true sends the address a new challenge to echo
} // @name WebhookChange

// Delivery is an event on its way to a webhook.
type Delivery struct {
	ID          string     `json:"id"` // the message's webhook-id, the same every time it is sent
	Event       string     `json:"event"`
	Status      string     `json:"status" enums:"pending,delivered,failed"`
	Attempts    int        `json:"attempts"`
	HTTPStatus  int        `json:"http_status,omitempty"` // of the last answer
	Reason      string     `json:"reason,omitempty"`      // why the last attempt failed
	TookMS      int64      `json:"took_ms"`               // the last attempt
	Payload     string     `json:"payload"`               // the exact body
	CreatedAt   time.Time  `json:"created_at" format:"date-time"`
	AttemptedAt *time.Time `json:"attempted_at,omitempty" format:"date-time"`
	NextAt      *time.Time `json:"next_at,omitempty" format:"date-time"` // when it is tried next, while it is pending
} // @name Delivery

// WebhookRotated is the new secret of a webhook.
type WebhookRotated struct {
	Secret   string    `json:"secret"`                       // shown only now
	OldUntil time.Time `json:"old_until" format:"date-time"` // until then the previous secret signs messages too
} // @name WebhookRotated
