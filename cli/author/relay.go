package author

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// relay carries the messages of one mailbox to a bot, and its answers back.
type relay struct {
	call *client.Client
	name string // of the mailbox
	to   string // where the bot listens
	bot  *http.Client
	id   string
	room int
	tell func(format string, args ...any)

	mu    sync.Mutex
	holds map[string]bool // messages fetched whose answer has not arrived

	away                           atomic.Bool // the bot, as far as the last try says
	carried, taken, refused, again atomic.Int64
}

func newRelay(call *client.Client, name, to string, room int, tell func(string, ...any)) (*relay, error) {
	id, err := uuid.NewRandom()
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	way := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: room} // no proxy: it is a bot of ours
	return &relay{
		call: call, name: name, to: to, id: id.String(), room: room, tell: tell, holds: map[string]bool{},
		bot: &http.Client{Transport: way, CheckRedirect: stay},
	}, err
}

// Between two tries: doubled from the first to the last, each shortened by chance.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 5 * time.Second
)

// parting bounds what is carried to its end when connect is stopped: less than the ten seconds after which docker stop kills.
const parting = 9 * time.Second

// pause waits before another try and returns the pause after it.
func pause(ctx context.Context, d time.Duration) time.Duration {
	_ = command.Rest(ctx, d/2+rand.N(d/2)) // spreads those who come again
	return min(2*d, lastPause)
}

// run carries messages until ctx ends, or the platform refuses permanently.
func (r *relay) run(ctx context.Context) error {
	var carrying sync.WaitGroup
	defer r.bot.CloseIdleConnections()
	defer r.call.HTTP.CloseIdleConnections()
	defer carrying.Wait()
	last, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	wait, up := firstPause, false
	for ctx.Err() == nil {
		list, err := r.fetch(ctx, up)
		switch {
		case ctx.Err() != nil:
		case err != nil && hopeless(err):
			return err
		case err != nil:
			if up || wait == firstPause {
				r.tell("the link to %s broke, and is made again: %v", r.call.Base, err)
			}
			r.again.Add(1)
			up, wait = false, pause(ctx, wait)
			continue
		case !up:
			r.tell("connected to %s; messages go to %s", r.call.Base, r.to)
		}
		up, wait = true, firstPause
		for _, m := range list {
			carrying.Go(func() { r.carry(last, ctx.Done(), m) })
		}
	}
	r.finish(last, &carrying)
	return nil
}

// finish waits until all that is carried has come to its end, or for as long as a parting may take. Meanwhile it holds it: the platform would
// give it to another relay.
func (r *relay) finish(ctx context.Context, carrying *sync.WaitGroup) {
	ctx, cancel := context.WithTimeout(ctx, parting)
	defer cancel()
	go func() {
		defer cancel()
		carrying.Wait()
	}()
	r.mu.Lock()
	r.room = 0
	n := len(r.holds)
	r.mu.Unlock()
	if n > 0 {
		r.tell("brings %s under way to its end, within %v; a second signal ends connect at once", game.Plural(n, "message"), parting)
	}
	for wait := firstPause; ctx.Err() == nil; {
		if _, err := r.fetch(ctx, true); err != nil {
			wait = pause(ctx, wait)
		}
	}
}

// hopeless reports whether a refusal will stay however long we wait.
func hopeless(err error) bool {
	no, is := errors.AsType[*client.Refusal](err)
	return is && no.Problem.Status < http.StatusInternalServerError && no.Problem.Status != http.StatusTooManyRequests
}

// answerWait bounds a call that brings an answer, or says what is held.
const answerWait = 5 * time.Second

// through calls the platform, which answers within some time: a link that was cut somewhere on the way, as by a router that forgot it, is
// silent for ever. What fails takes the connections that rest with it, which are cut there too.
func through[In, Out any](ctx context.Context, r *relay, within time.Duration, o op.Operation[In, Out], in In, out *Out) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err := client.Do(ctx, r.call, o, in, out)
	if err != nil {
		r.call.HTTP.CloseIdleConnections()
	}
	return err
}

// fetch asks for messages, and waits for them; while the link is not known to hold it asks for none, which is answered at once.
func (r *relay) fetch(ctx context.Context, up bool) ([]wire.RelayMessage, error) {
	r.mu.Lock()
	in := wire.RelayFetch{Relay: r.id, Holds: slices.AppendSeq([]string{}, maps.Keys(r.holds)), Room: max(0, r.room-len(r.holds))}
	if !up && len(in.Holds) == 0 {
		in.Room = 0
	}
	r.mu.Unlock()
	within := tournament.RelayGone // the platform waits ten seconds for messages, and less where it has to hear what is held
	if len(in.Holds) > 0 {
		within = answerWait
	}
	var out wire.RelayMessages
	if err := through(ctx, r, within, wire.FetchMessages, wire.MailboxFetch{Name: r.name, Body: in}, &out); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range out.Data {
		r.holds[m.ID] = true
	}
	return out.Data, nil
}

// carry posts one message to the bot and brings its answer back, in the time that is left. From stop on it waits for no bot that is away:
// another relay may have one that is there.
func (r *relay) carry(ctx context.Context, stop <-chan struct{}, m wire.RelayMessage) {
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.holds, m.ID)
	}()
	ctx, cancel := context.WithTimeout(ctx, time.Duration(m.LeftMS)*time.Millisecond)
	defer cancel()
	r.carried.Add(1)
	answer, err := r.ask(ctx, m)
	for why := away(answer, err); why != "" && ctx.Err() == nil; why = away(answer, err) {
		if !r.away.Swap(true) {
			r.tell("the bot at %s is not there: %s; its messages wait for it as long as their clocks allow", r.to, why)
		}
		pause(ctx, 2*firstPause)
		select {
		case <-stop:
			return
		default:
		}
		answer, err = r.ask(ctx, m)
	}
	if ctx.Err() != nil {
		return // it is late, and the platform knows
	}
	if err != nil {
		r.tell("the bot at %s could not be asked: %v", r.to, err)
		answer = wire.RelayAnswer{ID: m.ID, Status: http.StatusBadGateway}
	} else if r.away.Swap(false) {
		r.tell("the bot at %s answers again", r.to)
	}
	for wait := firstPause; ctx.Err() == nil; wait = pause(ctx, wait) {
		switch err := through(ctx, r, answerWait, wire.AnswerMessage, wire.MailboxAnswer{Name: r.name, Body: answer}, nil); {
		case err == nil:
			r.taken.Add(1)
			return
		case hopeless(err): // late, or a copy arrived before: a lost link does not tell
			r.refused.Add(1)
			return
		}
	}
}

// errBegun is an answer that broke off: the bot has had the message, and its answer is not asked for again.
var errBegun = errors.New("its answer broke off")

// away returns what shows that a bot is away: an answer, or that there is none, as a bot gives that restarts, or a proxy says of it; else "".
func away(a wire.RelayAnswer, err error) string {
	switch {
	case err != nil && !errors.Is(err, errBegun):
		return err.Error()
	case err == nil && protocol.NobodyThere(a.Status):
		return fmt.Sprintf("status %d", a.Status)
	}
	return ""
}

// ask posts a message as it is; the answer is cut where it is too long anyway.
func (r *relay) ask(ctx context.Context, m wire.RelayMessage) (wire.RelayAnswer, error) {
	var a wire.RelayAnswer
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.to, bytes.NewReader(m.Body))
	if err != nil {
		return a, err
	}
	for name, value := range m.Head {
		request.Header.Set(name, value)
	}
	var begun atomic.Bool
	request = request.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotFirstResponseByte: func() { begun.Store(true) }}))
	response, err := r.bot.Do(request)
	if err != nil && begun.Load() {
		err = fmt.Errorf("%w: %w", errBegun, err)
	}
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, protocol.MaxAnswerBytes+1))
	if err != nil {
		return a, fmt.Errorf("%w: %w", errBegun, err)
	}
	encoding := response.Header.Get("Content-Encoding")
	if encoding != "" && tournament.CheckText("", encoding, 32) != nil {
		encoding = "unknown"
	}
	return wire.RelayAnswer{ID: m.ID, Status: response.StatusCode, Encoding: encoding, Body: body}, nil
}
