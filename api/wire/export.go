package wire

import (
	"time"
)

// ExportLine is a line of what the platform keeps of a user: one of its parts, or the end.
type ExportLine struct {
	User    *User          `json:"user,omitempty"`
	Token   *Token         `json:"token,omitempty"`
	Login   *Login         `json:"login,omitempty"`
	Session *Session       `json:"session,omitempty"`
	Webhook *ExportWebhook `json:"webhook,omitempty"`
	Bot     *ExportBot     `json:"bot,omitempty"`
	Version *ExportVersion `json:"version,omitempty"`
	Entry   *ExportEntry   `json:"entry,omitempty"`
	Rating  *ExportRating  `json:"rating,omitempty"`
	Match   *ExportMatch   `json:"match,omitempty"`
	Check   *ExportCheck   `json:"check,omitempty"`
	Card    *UploadedCard  `json:"card,omitempty"`
	Event   *ExportEvent   `json:"event,omitempty"`
	Class   *ClassLink     `json:"class,omitempty"`
	Audit   *AuditLine     `json:"audit,omitempty"`
	End     *ExportEnd     `json:"end,omitempty"` // the last line; without it, the file is not whole
} // @name ExportLine

// ExportWebhook is a webhook without its secret.
type ExportWebhook struct {
	ID        string    `json:"id"`
	URL       string    `json:"url"`
	Enabled   bool      `json:"enabled"`
	CreatedAt time.Time `json:"created_at" format:"date-time"`
} // @name ExportWebhook

// ExportBot is a bot.
type ExportBot struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Status    string    `json:"status" enums:"active,paused,retired"`
	CreatedAt time.Time `json:"created_at" format:"date-time"`
} // @name ExportBot

// ExportVersion is a version of a bot without its secrets.
type ExportVersion struct {
	ID        string    `json:"id"`
	BotID     string    `json:"bot_id"`
	Number    int       `json:"number"`
	URL       string    `json:"url"`
	Author    string    `json:"author"`
	Build     string    `json:"build"`
	Note      string    `json:"note"`
	Games     []string  `json:"games"`
	CreatedAt time.Time `json:"created_at" format:"date-time"`
} // @name ExportVersion

// ExportEntry is an entry of a bot in a tournament.
type ExportEntry struct {
	TournamentID string     `json:"tournament_id"`
	BotID        string     `json:"bot_id"`
	JoinedAt     time.Time  `json:"joined_at" format:"date-time"`
	WithdrawnAt  *time.Time `json:"withdrawn_at,omitempty" format:"date-time"`
} // @name ExportEntry

// ExportRating is what a match did to a version's on-line rating, in thousandths. It does not name the match, which may not be open yet.
type ExportRating struct {
	BotID       string `json:"bot_id"`
	VersionID   string `json:"version_id"`
	LadderID    string `json:"ladder_id"`
	LadderSeq   int64  `json:"ladder_seq"` // the match's place in the ladder's order
	BeforeMilli int64  `json:"before_milli"`
	AfterMilli  int64  `json:"after_milli"`
} // @name ExportRating

// ExportMatch is a match that a bot had a seat in, once its seats are open to all.
type ExportMatch struct {
	ID        string     `json:"id"`
	BotID     string     `json:"bot_id"`
	Game      string     `json:"game"`
	Status    string     `json:"status" enums:"queued,running,done,void"`
	CreatedAt time.Time  `json:"created_at" format:"date-time"`
	EndedAt   *time.Time `json:"ended_at,omitempty" format:"date-time"`
} // @name ExportMatch

// ExportCheck reports a check of a bot's health within the last seven days.
type ExportCheck struct {
	BotID string `json:"bot_id"`
	HealthCheck
} // @name ExportCheck

// ExportEvent names something that a user organises, alone or together with others.
type ExportEvent struct {
	Kind      string    `json:"kind" enums:"tournament,schedule,series"`
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at" format:"date-time"`
} // @name ExportEvent

// ExportEnd says how many lines came before it.
type ExportEnd struct {
	Lines int `json:"lines"`
} // @name ExportEnd
