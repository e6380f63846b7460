package mailbox

import (
	"context"
	"errors"
	"time"

	"github.com/molerun/molerun/tournament/store/database"
)

// Relays and agents reach their mailboxes by the API alone. Its processes keep rows among those of the relays: when one last served, when
// each did, and since when there was no gap: relays that one process had are away with it, though others serve. No mailbox has such a name.
const (
	apiSeen  = "api"
	apiEach  = "api of " // and an id of the process
	apiSince = "api since"
)

const (
	beat     = time.Second      // between two marks of a process that serves
	gap      = 3 * time.Second  // without a mark for this long, the API is away
	longest  = time.Hour        // an outage that was not seen to end in this long is a release whose processes do not mark
	comeBack = 10 * time.Second // relays are back this long after the API: molerun connect tries again every five seconds
	gapEvery = time.Minute      // at most, of one of several: a process that is always slow would excuse every relay for good
	quick    = beat / 4         // what is answered so soon did not wait for the API
)

// marks narrows to the rows that say when a process last served. On SQLite it finds none: the process that
// plays also serves, and any mark comes from a Postgres whose backup was restored.
func (b *Boxes) marks() string {
	if b.db.Pool() == nil {
		return "FALSE"
	}
	return "(box = '" + apiSeen + "' OR box LIKE '" + apiEach + "%')"
}

// MarkServing marks, until ctx ends, that a process serves the API. What fails is done with the next beat. On SQLite the process
// that plays also serves, so one mark is enough.
func (b *Boxes) MarkServing(ctx context.Context) {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for b.Attend(ctx, apiSince, 0) != nil && b.db.Pool() == nil && ctx.Err() == nil { // one that was killed may come back before anybody sees a gap
		<-tick.C
	}
	if b.db.Pool() == nil {
		return
	}
	var id string
	_ = b.db.Fill(&id) // without an id it shares its row with others like it
	for ctx.Err() == nil {
		b.mark(ctx, apiEach+id)
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
	defer cancel()
	_ = b.Attend(last, apiSeen, -gap) // another that serves marks it again
	b.db.SQL(last).Where("box = ?", apiEach+id).Delete(&relayRow{})
}

// mark writes that a process serves, and first of a gap, also in what one of several has marked, that it ends now.
func (b *Boxes) mark(ctx context.Context, own string) {
	db, old := b.db.SQL(ctx), gap.Milliseconds()
	err := db.Exec("INSERT INTO relays (box, seen_ms) SELECT CAST(? AS TEXT), "+b.db.NowMS()+
		" WHERE NOT EXISTS (SELECT 1 FROM relays WHERE box = ? AND seen_ms > "+b.db.NowMS()+" - ?) OR EXISTS (SELECT 1 FROM relays WHERE "+b.marks()+" AND seen_ms <= "+b.db.NowMS()+" - ?)"+
		" AND NOT EXISTS (SELECT 1 FROM relays WHERE box = ? AND seen_ms > "+b.db.NowMS()+" - ?)"+
		" ON CONFLICT (box) DO UPDATE SET seen_ms = excluded.seen_ms", apiSince, apiSeen, old, old, apiSince, gapEvery.Milliseconds()).Error
	if err == nil {
		_ = b.Attend(ctx, apiSeen, 0)
		_ = b.Attend(ctx, own, 0)
		db.Where(b.marks()+" AND seen_ms <= "+b.db.NowMS()+" - ?", old).Delete(&relayRow{})
	}
}

// settle waits until each process that serves has marked so again, or there is a gap: one that was killed a moment ago has left none yet.
func (b *Boxes) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
	defer cancel()
	tick := time.NewTicker(quick)
	defer tick.Stop()
	var first map[string]int64
	for {
		rows, err := database.All[relayRow](b.db.SQL(ctx).Where(b.marks()+" AND seen_ms > "+b.db.NowMS()+" - ?", gap.Milliseconds()))
		now := database.Index(rows, func(r relayRow) (string, int64) { return r.Box, r.SeenMS })
		if first == nil {
			first = now
		}
		waits := false
		for box, seen := range first {
			if again, is := now[box]; !is || err != nil {
				return
			} else if again == seen {
				waits = true
			}
		}
		if !waits {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// unserved reports whether the API was away in the time that a message has taken, or came back so lately that the mailbox's relay is not back
// yet. Where no process has ever marked that it serves, as by an earlier release, nothing is known of that.
func (b *Boxes) unserved(ctx context.Context, box string, began time.Time) bool {
	if b.db.Pool() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) { // whoever asks again before the deadline is not held up
		b.settle(ctx)
	}
	took := time.Since(began)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
	defer cancel()
	away := b.db.SQL(ctx).Model(&relayRow{}).Where(b.marks()+" AND seen_ms <= "+b.db.NowMS()+" - @gap AND seen_ms > "+b.db.NowMS()+" - @longest"+
		" OR box = @since AND (seen_ms >= "+b.db.NowMS()+" - @took"+
		" OR seen_ms > "+b.db.NowMS()+" - @back AND EXISTS (SELECT 1 FROM relays r WHERE r.box = @box AND r.seen_ms < relays.seen_ms))",
		map[string]any{
			"since": apiSince, "gap": gap.Milliseconds(), "longest": longest.Milliseconds(), "took": took.Milliseconds() + 1, "back": comeBack.Milliseconds(), "box": box,
		})
	n, err := database.Count(away)
	return err == nil && n > 0
}

// free returns how much of the time that an answer took its relay could not bring it, or not fetch the message: until a while after the API was
// back. Nobody can tell what of that the bot thought.
func (b *Boxes) free(ctx context.Context, took time.Duration) time.Duration {
	if took < quick {
		return 0
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
	defer cancel()
	var free time.Duration
	rows, _ := database.All[relayRow](b.db.SQL(ctx).Model(&relayRow{}).Select("box, "+b.db.NowMS()+" - seen_ms AS seen_ms").Where(b.marks()+" OR box = ?", apiSince))
	for _, r := range rows {
		switch age := time.Duration(r.SeenMS) * time.Millisecond; {
		case r.Box == apiSince:
			free = max(free, comeBack+took-age)
		case age >= gap && age < longest:
			free = took
		}
	}
	return min(free, took)
}
