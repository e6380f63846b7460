package wire

import (
	"encoding/json"
	"time"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/tournament"
)

// The operations on cards.
var (
	// @Summary	Upload a card
	// @Description	A card of an agent, as molerun evaluate writes it. A worker plays its matches again with what the agent decided, and derives the card
	// @Description	from them: until then only you see it; then everybody does, or it is refused with the first place that differs. What waits or was
	// @Description	checked stays as it is. You may upload ten an hour and keep twenty; a hundred may wait.
	UploadCard = op.Post[CardUpload, UploadedCard]("/v1/cards", "bot", op.WithStatus(202))

	// @Summary	The cards that were checked
	// @Description	Those over the most games first, then the strongest. Cards of one pool_version and the same games compare.
	ListCards = op.Get[op.Paging, Page[ListedCard]]("/v1/cards", "")

	// @Summary	An uploaded card
	// @Description	By the SHA-256 of its JSON. For everybody once it is checked, with the decisions that it was derived from; before, for who uploaded it.
	GetCard = op.Get[CardOf, UploadedCard]("/v1/cards/{hash}", "")

	// @Summary	Delete a card
	// @Description	For who uploaded it, and for administrators.
	DeleteCard = op.Delete[CardOf]("/v1/cards/{hash}", "bot")
)

// CardOf names a card.
type CardOf struct {
	Hash string `uri:"hash" json:"-"`
}

// CardUpload carries a card and the decisions that it is derived from.
type CardUpload struct {
	Card      json.RawMessage `json:"card" swaggertype:"object"`                          // card.json
	Decisions string          `json:"decisions" format:"byte" example:"H4sIAAAAAAAA/w=="` // decisions.jsonl.gz, in base64
} // @name CardUpload

// UploadedCard shows a card, or how far its check has come.
type UploadedCard struct {
	Hash       string          `json:"hash"`
	State      string          `json:"state" enums:"waiting,running,checked,refused"`
	Reason     string          `json:"reason,omitempty"` // why it was refused; of one that was checked, which card of another user had its matches before
	UploadedAt time.Time       `json:"uploaded_at" format:"date-time"`
	EndedAt    *time.Time      `json:"ended_at,omitempty" format:"date-time"` // when it was checked or refused
	Card       json.RawMessage `json:"card,omitempty" swaggertype:"object"`   // once it is checked
	Decisions  string          `json:"decisions,omitempty" format:"byte"`     // gzipped, in base64; once it is checked
} // @name UploadedCard

// ListedCard is a card that was checked, without its records and decisions: read it by its hash.
type ListedCard struct {
	Hash      string                 `json:"hash"`
	CheckedAt time.Time              `json:"checked_at" format:"date-time"`
	Summary   tournament.CardSummary `json:"summary"`
} // @name ListedCard
