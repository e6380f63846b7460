package pictures

import (
	"context"
	"crypto/sha256"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/engines/svg/raster"
)

// pictureSteps is how many steps can be played again while a picture is painted: a tenth of a second of a processor.
const pictureSteps = 2000

// Press paints drawings in the places of replays. It keeps the latest pictures: the same drawing is not painted twice.
type Press struct {
	kept *live.ReplayCache[[sha256.Size]byte, []byte]
}

// NewPress returns a press in these places.
func NewPress(places *live.ReplaySemaphore) *Press {
	return &Press{live.NewReplayCache[[sha256.Size]byte, []byte](places)}
}

// PNG returns a drawing as a PNG file. Who asks for too many is told to wait ([httpx.WaitError]).
func (p *Press) PNG(ctx context.Context, who httpx.Caller, drawing []byte) ([]byte, error) {
	return p.kept.Get(ctx, who, sha256.Sum256(drawing), pictureSteps, func(context.Context) ([]byte, int, error) {
		file, err := raster.PNG(drawing, raster.Look{})
		return file, len(file), err
	})
}
