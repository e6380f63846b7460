package pictures

import (
	"context"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
)

// cardSteps is how many steps can be replayed while a card is drawn: a caller's share of one is a share of the other.
const cardSteps = 2000

// Renderer draws cards and keeps the latest: the same card is not drawn twice.
type Renderer struct {
	cards *live.ReplayCache[Card, []byte]
}

// NewRenderer returns a renderer that shares the places, limits and memory of replays.
func NewRenderer(replays *live.ReplaySemaphore) *Renderer {
	return &Renderer{live.NewReplayCache[Card, []byte](replays)}
}

// PNG returns a card as a file. A caller beyond their share gets an [httpx.WaitError].
func (r *Renderer) PNG(ctx context.Context, caller httpx.Caller, c Card) ([]byte, error) {
	return r.cards.Get(ctx, caller, c, cardSteps, func(context.Context) ([]byte, int, error) {
		file, err := c.PNG()
		return file, len(file), err
	})
}
