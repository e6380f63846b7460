package wire

import "time"

// Webhook is an address of yours that receives events. Nobody else sees it.
type Webhook struct {
	ID           string     `json:"id"`
	URL          string     `json:"url"`
	Events       []string   `json:"events"` // that are sent
	Enabled      bool       `json:"enabled"`
	Reason       string     `json:"reason,omitempty"` // why it is not enabled
	FailingSince *time.Time `json:"failing_since,omitempty" format:"date-time"`
	CreatedAt    time.Time  `json:"created_at" format:"date-time"`
} // @name Webhook

// WebhookCreate registers a webhook.
type WebhookCreate struct {
	URL    string   `json:"url" example:"https://example.org/molerun"`
	Secret string   `json:"secret,omitempty" example:"whsec_…"`                                                                                                                                                                                                       // whsec_ and 24 to 64 bytes in base64; generated if left out
	Events []string `json:"events,omitempty" enums:"match.finished,match.void,match.given_up,bot.paused,bot.resumed,tournament.check_in,tournament.started,tournament.finished,tournament.cancelled,entry.admitted,entry.left_out,version.redeployed,account.linked"` // all of them if left out
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
