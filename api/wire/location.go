package wire

// Location returns the path of what was made, for the header of that name.
func (s Series) Location() string { return "/v1/series/" + s.ID }

// Location returns the path of what was made, for the header of that name.
func (w WebhookCreated) Location() string { return "/v1/webhooks/" + w.Webhook.ID }

// Location returns the path of what was made, for the header of that name.
func (t Tournament) Location() string { return "/v1/tournaments/" + t.ID }

// Location returns the path of what was made, for the header of that name.
func (x Schedule) Location() string { return "/v1/schedules/" + x.ID }

// Location returns the path of what was made, for the header of that name.
func (b BotCreated) Location() string { return "/v1/bots/" + b.Bot.ID }

// Location returns the path of what was made, for the header of that name.
func (m Match) Location() string { return "/v1/matches/" + m.ID }

// Location returns the path of what was made, for the header of that name.
func (UserCreated) Location() string { return "/v1/me" }
