package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// maxFitted is the most versions that a fit takes: its memory grows with their square, its time with their cube.
const maxFitted = 2000

// restShare bounds the time that goes into one ladder's fits: after each it rests so many times as long as it took.
const restShare = 20

// refit fits the ladders that have new results, until ctx ends. Every worker process does it; the store gives each ladder to
// one. It is no job of the queue, because that gives up a dead worker's job after a day only.
func (w *worker) refit(ctx context.Context) {
	known := map[string]*ladderFit{}
	w.every(ctx, w.c.Sweep, "refit of ratings failed", func(ctx context.Context) error {
		return eachDue(ctx, "ladder", w.c.Store.DueFits, func(id string) error {
			ours, err := w.c.Store.ClaimFit(ctx, id)
			if err != nil || !ours {
				return err
			}
			if known[id] == nil {
				known[id] = &ladderFit{most: maxFitted}
			}
			if err = w.refitOne(ctx, id, known[id]); err != nil {
				delete(known, id)
			}
			return err
		})
	})
}

// refitOne fits a ladder that we have claimed and lets it rest, also if the fit fails; not if this process stops meanwhile: another is to go
// on. A fit that is made is saved all the same.
func (w *worker) refitOne(ctx context.Context, ladderID string, known *ladderFit) error {
	start := systemNow()
	f, err := known.refit(ctx, w.director, w.c.Engines, ladderID)
	f.Took = time.Since(start)
	rest := max(w.c.Refit, restShare*f.Took)
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), parting)
	defer cancel()
	if err == nil {
		if err = w.c.Store.SaveFit(saving, f, rest); err == nil {
			w.c.Logger.Debug("ratings refitted", "ladder", ladderID, "matches", f.Matches, "took", f.Took.String())
			return nil
		}
	}
	if ctx.Err() != nil {
		rest = 0
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), parting)
	defer cancel()
	return errors.Join(err, w.c.Store.RestFit(last, ladderID, rest))
}

// FitLadder fits the rated matches of a ladder, of at most maxFitted versions. A ladder without any has a fit without rows. Nothing is
// stored.
func FitLadder(ctx context.Context, d *director.Director, engines func(id string) (game.Engine, bool), ladderID string) (tournament.LadderFit, error) {
	return (&ladderFit{most: maxFitted}).refit(ctx, d, engines, ladderID)
}

// ladderFit is what a process keeps of a ladder between two fits: 8 bytes a match and what the last fit has found. So the next reads
// what is new alone, and solves a long history by a step. After an error it is of no use.
type ladderFit struct {
	most    int               // versions
	seen    *director.History // without its matches; nil before the first fit
	field   field
	history *fit.History
	last    *fit.Fit
}

// refit does the work of [FitLadder], from what is kept.
func (k *ladderFit) refit(ctx context.Context, d *director.Director, engines func(id string) (game.Engine, bool), ladderID string) (tournament.LadderFit, error) {
	out := tournament.LadderFit{LadderID: ladderID}
	h, err := k.read(ctx, d, ladderID)
	if err != nil {
		return out, err
	}
	if h.FromSeq == 1 {
		if err := k.begin(h, engines); err != nil {
			return out, err
		}
	}
	for i, m := range h.Matches {
		among, all := k.field.match(m)
		if !all && h.FromSeq == 1 {
			continue
		}
		if !all { // somebody who was left out plays again
			*k = ladderFit{most: k.most}
			return k.refit(ctx, d, engines, ladderID)
		}
		if err := k.history.Add(among); err != nil {
			return out, fmt.Errorf("rated match %d after place %d of ladder %q: %w", i, h.FromSeq-1, ladderID, err)
		}
	}
	h.Matches = nil
	k.seen = h
	f, err := k.history.Refit(k.last)
	if err != nil {
		return out, err
	}
	k.last = f
	out.ToSeq, out.Matches, out.Blocks = h.ToSeq, f.Matches, f.Blocks
	if f.Teams[0] != "" {
		out.Teams = f.Teams[:]
	}
	out.Advantages, out.Rows = advantages(f), fitRows(f, k.field.versions(h))
	return out, nil
}

// read reads what is new since the last fit, or everything.
func (k *ladderFit) read(ctx context.Context, d *director.Director, ladderID string) (*director.History, error) {
	if k.seen == nil {
		return d.History(ctx, ladderID)
	}
	return d.HistoryAfter(ctx, k.seen)
}

// begin makes an empty history for the versions of a ladder.
func (k *ladderFit) begin(h *director.History, engines func(id string) (game.Engine, bool)) error {
	prior, err := priorOf(h, engines)
	if err != nil {
		return err
	}
	k.last, k.field = nil, latest(h, k.most)
	parents := k.field.parents(h)
	k.history, err = fit.New(len(parents), parents, prior)
	return err
}

func estimate(e fit.Estimate) tournament.Estimate {
	return tournament.Estimate{
		Elo:  tournament.WholeMilli(e.Elo),
		SE:   tournament.WholeMilli(e.SE),
		Low:  tournament.WholeMilli(e.Low),
		High: tournament.WholeMilli(e.High),
	}
}

func advantages(f *fit.Fit) []tournament.Advantage {
	var list []tournament.Advantage
	for _, n := range slices.Sorted(maps.Keys(f.Team)) {
		list = append(list, tournament.Advantage{Seats: n, Team: f.Teams[0], Estimate: estimate(f.Team[n])})
	}
	for _, n := range slices.Sorted(maps.Keys(f.Seat)) {
		for seat, e := range f.Seat[n] {
			list = append(list, tournament.Advantage{Seats: n, Seat: seat, Estimate: estimate(e)})
		}
	}
	return list
}

// fitRows returns the versions of a fit, the strongest first.
func fitRows(f *fit.Fit, versions []director.HistoryVersion) []tournament.FitRow {
	rows, islands := make([]tournament.FitRow, len(f.Players)), map[int]int{}
	for i, p := range f.Players {
		v := versions[i]
		if islands[p.Island] == 0 {
			islands[p.Island] = len(islands) + 1
		}
		rows[i] = tournament.FitRow{
			VersionID: v.VersionID, BotID: v.BotID, Bot: v.Bot, Number: v.Number, Matches: p.Games, Estimate: estimate(p.Estimate),
			Best: p.Best, Worst: p.Worst, Island: islands[p.Island],
		}
		if f.Teams[0] != "" {
			rows[i].Roles = []tournament.Estimate{estimate(p.Roles[0]), estimate(p.Roles[1])}
		}
	}
	slices.SortFunc(rows, func(a, b tournament.FitRow) int {
		return cmp.Or(cmp.Compare(b.Elo, a.Elo), cmp.Compare(a.VersionID, b.VersionID))
	})
	return rows
}
