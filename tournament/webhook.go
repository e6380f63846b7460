package tournament

import (
	"fmt"
	"regexp"
	"slices"
	"time"
)

// WebhookFormat is how a webhook's messages say what happened.
type WebhookFormat string

// The formats of messages.
const (
	FormatStandard WebhookFormat = "standard" // a Standard Webhook, for programs
	FormatDiscord  WebhookFormat = "discord"  // a message in a channel of Discord
	FormatMail     WebhookFormat = "mail"     // subject, text and link, for whatever sends e-mail
)

// CheckAddress refuses an address that cannot take messages in the format, and a format that is none. A webhook of Discord echoes no
// challenge: the token in its address shows that its owner gave it.
func (f WebhookFormat) CheckAddress(address string) error {
	switch f {
	case FormatStandard, FormatMail:
		return nil
	case FormatDiscord:
		if !regexp.MustCompile(`^https://((ptb|canary)\.)?discord(app)?\.com/api/(v[0-9]+/)?webhooks/[0-9]+/[A-Za-z0-9_-]+$`).MatchString(address) {
			return &FieldError{"/url", "is no webhook of Discord: copy it in a channel's settings, under Integrations; it begins with https://discord.com/api/webhooks/"}
		}
		return nil
	default:
		return &FieldError{"/format", fmt.Sprintf("%.40q is no format; the formats are %s, %s and %s", f, FormatStandard, FormatDiscord, FormatMail)}
	}
}

// Webhook is a user's address that receives events.
type Webhook struct {
	ID           string
	UserID       string
	URL          string // private
	Format       WebhookFormat
	Secret       string      // whsec_…, signs the messages
	OldSecret    string      // signs too until OldUntil; "" if there is none
	OldUntil     time.Time   `gorm:"serializer:null"`
	Kinds        []EventKind `gorm:"-"` // kinds to send; none means all of [WebhookKinds]
	Enabled      bool
	Reason       string     // why it is not enabled
	FailingSince *time.Time // the first failure since the last success
	CreatedAt    time.Time
}

// Wants reports whether the webhook receives a kind.
func (w Webhook) Wants(k EventKind) bool {
	return w.Enabled && slices.Contains(WebhookKinds(), k) && (len(w.Kinds) == 0 || slices.Contains(w.Kinds, k))
}

// KeepOldSecret is how long the previous secret signs beside the new one after a rotation.
const KeepOldSecret = 24 * time.Hour

// Rotated returns the webhook with a new secret. The present one stays valid for [KeepOldSecret]; any older one is dropped.
func (w Webhook) Rotated(secret string, now time.Time) Webhook {
	w.Secret, w.OldSecret, w.OldUntil = secret, w.Secret, now.Add(KeepOldSecret)
	return w
}

// Secrets returns the secrets that sign messages at a time, the newest first.
func (w Webhook) Secrets(now time.Time) []string {
	if w.OldSecret != "" && now.Before(w.OldUntil) {
		return []string{w.Secret, w.OldSecret}
	}
	return []string{w.Secret}
}

// CheckKinds refuses kinds that cannot be sent, and duplicates. pointer is the place of the list in the request.
func CheckKinds(pointer string, kinds []EventKind) error {
	for i, k := range kinds {
		if !slices.Contains(WebhookKinds(), k) {
			return &FieldError{fmt.Sprintf("%s/%d", pointer, i), fmt.Sprintf("%.40q is no kind of event; the kinds are %s", k, Listed(WebhookKinds()))}
		}
		if slices.Contains(kinds[:i], k) {
			return &FieldError{fmt.Sprintf("%s/%d", pointer, i), "is there twice"}
		}
	}
	return nil
}

// WebhookPatience is how long every delivery to a webhook may fail before it is disabled.
const WebhookPatience = 3 * 24 * time.Hour

// Failed returns the webhook after a delivery failed: disabled when nothing has got through for [WebhookPatience], or at once when
// the receiver says that it is permanently gone.
func (w Webhook) Failed(now time.Time, reason string, gone bool) Webhook {
	if w.FailingSince == nil {
		w.FailingSince = &now
	}
	switch since := now.Sub(*w.FailingSince); {
	case !w.Enabled:
	case gone:
		w.Enabled, w.Reason = false, "the receiver answered 410: it wants no more"
	case since >= WebhookPatience:
		w.Enabled, w.Reason = false, fmt.Sprintf("nothing has got through for %d days; the last time: %s", int(since.Hours()/24), reason)
	}
	return w
}

// LongRest is longer than a delivery waits between two tries: what passes beside it is a time in which the platform was away, or had nothing to send.
const LongRest = 12 * time.Hour

// Untried returns the webhook after a time in which nothing was sent to it, or little. Where that is a [LongRest] it does not count as failing.
func (w Webhook) Untried(rest time.Duration) Webhook {
	if w.FailingSince != nil && rest > LongRest {
		w.FailingSince = new(w.FailingSince.Add(rest))
	}
	return w
}

// DeliveryStatus is the state of a delivery.
type DeliveryStatus string

// The states of a delivery.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryFailed    DeliveryStatus = "failed" // given up; it can be requested again
)

// Delivery is one event on its way to one webhook.
type Delivery struct {
	ID          string // also the message's webhook-id, the same every time it is sent
	WebhookID   string
	EventID     string
	Kind        EventKind
	Payload     []byte `gorm:"serializer:db"` // the exact bytes that are signed and sent
	Status      DeliveryStatus
	Attempts    int // made so far
	Tries       int // made since it was last requested: these are limited
	HTTPStatus  int `gorm:"column:http_status"` // of the last answer; 0 if there was none
	Reason      string
	TookMS      int64 `gorm:"column:took_ms"` // the last attempt
	CreatedAt   time.Time
	AttemptedAt *time.Time
	NextAt      *time.Time // when it is tried next, while it is pending
}

// Attempt is the outcome of one try to deliver.
type Attempt struct {
	HTTPStatus int    // 0 without an answer
	Reason     string // "" if it got through
	Took       time.Duration
}

// Gone reports whether the receiver wants no further message.
func (a Attempt) Gone() bool { return a.HTTPStatus == 410 }

// RetryAfter returns how long a delivery waits after a number of failed tries (1, 2, …), and whether there is another try: eight
// in about nineteen hours.
func RetryAfter(tries int) (time.Duration, bool) {
	waits := [...]time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour, 10 * time.Hour}
	if tries < 1 || tries > len(waits) {
		return 0, false
	}
	return waits[tries-1], true
}
