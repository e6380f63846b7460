package jobs

import (
	"context"
	"time"
)

const (
	// packEvery is how often a worker looks for old decisions; there are new ones every day.
	packEvery = time.Hour
	// packBatch is how many matches are packed before it is asked again whether the worker should stop.
	packBatch = 100
)

// pack packs the decisions of old matches, at once and then every hour, until ctx ends. Every worker process does it: the
// store's locks keep two from packing the same.
func (w *worker) pack(ctx context.Context) {
	w.every(ctx, packEvery, "old decisions were not packed", func(ctx context.Context) error {
		packed, n := 0, packBatch
		var err error
		for n == packBatch && err == nil && ctx.Err() == nil {
			n, err = w.c.Store.Pack(ctx, w.c.Pack, packBatch)
			packed += n
		}
		if packed > 0 {
			w.c.Logger.Info("old decisions packed", "matches", packed)
		}
		return err
	})
}
