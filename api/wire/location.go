package wire

// Location returns the path of what was made, for the header of that name.
func (s Series) Location() string { return "/v1/series/" + s.ID }

// Location returns the path of the webhook.
func (w WebhookCreated) Location() string { return "/v1/webhooks/" + w.Webhook.ID }
