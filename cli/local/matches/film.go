package matches

import (
	"fmt"
	"image"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/engines/svg/raster"
)

// FilmOptions say what of a record a film shows, and how.
type FilmOptions struct {
	Seat     game.Seat // who sees it; [game.Spectator]
	From, To int       // the first and the last step
	Hold     int       // how long a step is shown, in hundredths of a second
	Width    int       // px; 0: as many as the drawing has units
	Dark     bool
}

// Key moments are shown longer than other steps, and the last step longest.
const (
	keyTimes  = 3
	lastTimes = 5
)

// samples is how many steps of a film the colours are chosen for.
const samples = 8

// scene is a step of a film.
type scene struct {
	drawing []byte
	times   int // how often the usual time it is shown
}

// Film draws a record as a moving picture. told hears after each step how many of how many are painted.
func Film(rec *replay.Record, o FilmOptions, told func(done, of int)) (*raster.Film, error) {
	scenes, err := scenesOf(rec, o)
	if err != nil {
		return nil, err
	}
	look := raster.Look{Width: o.Width, Dark: o.Dark}
	var some []*image.RGBA
	size := image.Point{}
	for i := range samples {
		picture, err := raster.Draw(scenes[i*(len(scenes)-1)/(samples-1)].drawing, look)
		if err != nil {
			return nil, err
		}
		some = append(some, picture)
	}
	for _, x := range scenes {
		one, err := raster.Size(x.drawing, look)
		if err != nil {
			return nil, err
		}
		size = image.Pt(max(size.X, one.X), max(size.Y, one.Y))
	}
	film := raster.NewFilm(size, some...)
	for i, x := range scenes {
		picture, err := raster.Draw(x.drawing, look)
		if err != nil {
			return nil, err
		}
		film.Add(picture, x.times*o.Hold)
		told(i+1, len(scenes))
	}
	return film, nil
}

// scenesOf draws the steps of a film.
func scenesOf(rec *replay.Record, o FilmOptions) ([]scene, error) {
	var names []string
	for _, seat := range rec.Header.Seats {
		name := seat.Bot
		if name == "" {
			name = seat.Alias
		}
		names = append(names, name)
	}
	var out []scene
	err := rec.Play(func(p *replay.Player) error {
		if p.Step() < o.From || p.Step() > o.To {
			return nil
		}
		drawing, err := p.Table().Draw(o.Seat, names)
		if err != nil {
			return fmt.Errorf("step %d: %w", p.Step(), err)
		}
		x := scene{drawing: drawing, times: 1}
		for _, e := range p.Events() {
			if e.VisibleTo(o.Seat) && e.Key() != "" {
				x.times = keyTimes
			}
		}
		if p.Step() == o.To {
			x.times = lastTimes
		}
		out = append(out, x)
		return nil
	})
	return out, err
}
