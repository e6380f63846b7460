package pictures

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/engines/svg/raster"
)

// The most pictures that are kept, some 100 kB each, and that are waited for at once. To paint one costs a tenth of a second
// of a processor.
const (
	maxKept  = 128
	maxQueue = 16
)

// Press paints drawings in the places of replays. It keeps the latest pictures: the same drawing is not painted twice.
type Press struct {
	queue chan struct{}
	kept  *live.Kept[[sha256.Size]byte, []byte]
}

// NewPress is a press in these places.
func NewPress(places *live.Reruns) (*Press, error) {
	kept, err := live.NewKept[[sha256.Size]byte, []byte](places, maxKept)
	return &Press{queue: make(chan struct{}, maxQueue), kept: kept}, err
}

// PNG is a drawing as a PNG file. Where too many wait already, it is a [httpx.WaitError].
func (p *Press) PNG(ctx context.Context, drawing []byte) ([]byte, error) {
	key := sha256.Sum256(drawing)
	if file, ok := p.kept.Has(key); ok {
		return file, nil
	}
	select {
	case p.queue <- struct{}{}:
		defer func() { <-p.queue }()
	default:
		return nil, &httpx.WaitError{Wait: time.Second}
	}
	return p.kept.Get(ctx, key, func() ([]byte, bool, error) {
		file, err := raster.PNG(drawing, raster.Look{})
		return file, true, err
	})
}
