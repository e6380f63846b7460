package api

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/notify"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

func (s *Server) listEvents(c *gin.Context) error {
	return s.events(c, "", notify.Feed, false)
}

func (s *Server) listTournamentEvents(c *gin.Context) error {
	t, err := web.Named(c, s.Store.Tournament)
	if err != nil {
		return err
	}
	return s.events(c, t.ID, notify.Tournament(t.ID), t.EndedAt != nil)
}

// events answers with the events of a topic, or streams them. One that is over has no more, however many are still kept.
func (s *Server) events(c *gin.Context, tournamentID, topic string, over bool) error {
	q, err := httpx.Query(c, "after")
	if err != nil {
		return err
	}
	after, given, err := eventID(c, q)
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	if wantsStream(c) {
		end, err := s.Store.FeedEnd(ctx, tournamentID)
		if err != nil {
			return err
		}
		switch {
		case !given && tournamentID == "":
			after = end // the past of everything is long
		case over:
			after = min(after, end) // a browser comes again with the last number it had, even when the events are no longer kept
		}
		return s.stream(c, topic, live.Feed{Store: s.Store, TournamentID: tournamentID}, end, after)
	}
	list, err := s.Store.Feed(ctx, tournamentID, after, maxEvents)
	if err == nil && len(list) == 0 && after > 0 && !over { // a caller ahead of a restored platform would wait for ever
		var end int64
		if end, err = s.Store.FeedEnd(ctx, tournamentID); after > end {
			err = errors.Join(err, live.ErrAhead)
		}
	}
	if err != nil {
		return err
	}
	out := wire.Events{Data: make([]wire.Event, len(list)), Last: after}
	for i, e := range list {
		out.Data[i], out.Last = live.EventOf(e), e.Seq
	}
	return httpx.Send(c, http.StatusOK, out)
}

func (s *Server) listMatchEvents(c *gin.Context) error {
	q, err := httpx.Query(c, "after", "seat")
	if err != nil {
		return err
	}
	after, _, err := eventID(c, q)
	if err != nil {
		return err
	}
	m, sec, seat, err := s.seenFrom(c, q)
	switch {
	case err != nil:
		return err
	case seat >= 0 && !sec.Open:
		return fmt.Errorf("%w: the match is %s; what one seat heard can be read when it is over, what everybody heard (without seat) now", tournament.ErrState, m.Status)
	}
	if wantsStream(c) {
		name := notify.Match(m.ID)
		if seat >= 0 {
			name = fmt.Sprintf("%s/%d", name, seat)
		}
		return s.stream(c, name, s.matches.Source(httpx.CallerOf(c), m, seat), 0, after)
	}
	events, _, err := s.matches.EventsSeen(c.Request.Context(), httpx.CallerOf(c), m, seat, int(after), maxEvents)
	if err != nil {
		return err
	}
	out := wire.MatchEvents{Data: []wire.MatchEvent{}, Last: int(after), Over: m.Status.Over() && len(events) < maxEvents}
	for _, e := range events {
		out.Last++
		out.Data = append(out.Data, wire.MatchEvent{Index: out.Last, Event: e})
	}
	return httpx.Send(c, http.StatusOK, out)
}

// wantsStream reports whether the caller asked for Server-Sent Events.
func wantsStream(c *gin.Context) bool {
	for _, list := range c.Request.Header.Values("Accept") {
		for kind := range strings.SplitSeq(list, ",") {
			kind, _, _ = strings.Cut(kind, ";")
			if strings.EqualFold(strings.TrimSpace(kind), "text/event-stream") {
				return true
			}
		}
	}
	return false
}

// maxEventID bounds numbers of events to what every reader of JSON can hold.
const maxEventID = 1 << 53

// eventID returns the number after which a caller wants to go on, and whether they said so. Last-Event-ID, which browsers send
// by themselves, counts before the query.
func eventID(c *gin.Context, q map[string]string) (int64, bool, error) {
	c.Writer.Header().Add("Vary", "Accept")
	value, has := q["after"]
	last := c.Request.Header.Values("Last-Event-ID")
	header := len(last) > 0 && wantsStream(c)
	if header {
		value, has = last[0], true
	}
	if !has {
		return 0, false, nil
	}
	after, err := strconv.ParseInt(value, 10, 64)
	if err != nil || after < 0 || after > maxEventID || strconv.FormatInt(after, 10) != value {
		const want = "wants the number of an event of this stream, or 0"
		if header {
			return 0, true, fmt.Errorf("%w: the header Last-Event-ID %s", httpx.ErrQuery, want)
		}
		return 0, true, httpx.BadQuery("after", want)
	}
	return after, true, nil
}

// stream answers with a topic as it goes on. Only what goes wrong before the first byte is an error.
func (s *Server) stream(c *gin.Context, name string, src live.Source, end, after int64) error {
	done, err := s.gate.HoldStream(c)
	if err != nil {
		return err
	}
	defer done()
	return s.streams.Serve(gate.BaseContext(c), c.Writer, name, src, end, live.Reader{
		TokenID: gate.TokenID(c),
		After:   after,
		Log:     s.Logger.With("request_id", gate.RequestID(c), "route", gate.RouteLabel(c)),
		Begun:   func() { gate.SkipLatencyMetric(c) },
	})
}

// maxEvents is the most events of one answer.
const maxEvents = 1000

func (s *Server) getMatchReplay(c *gin.Context, in op.One) error {
	m, sec, err := s.match(c.Request.Context(), in.ID)
	if err != nil {
		return err
	}
	switch {
	case !m.Status.Over():
		return fmt.Errorf("%w: the match is %s; its record opens when it is over", tournament.ErrState, m.Status)
	case !sec.Open:
		return fmt.Errorf("%w: %s", tournament.ErrState, sec.Why())
	case m.Status == tournament.MatchVoid:
		return fmt.Errorf("%w: the match is void (%s) and has no record", tournament.ErrState, m.Reason)
	}
	file, err := s.matches.File(c.Request.Context(), httpx.CallerOf(c), m)
	if err != nil {
		return err
	}
	c.Header("Cache-Control", "public, max-age=31536000, immutable")
	c.Header("Content-Disposition", `attachment; filename="`+pages.RecordName(m.ID)+`"`)
	return httpx.SendBytes(c, http.StatusOK, "application/gzip", file)
}

func (s *Server) listMatchDecisions(c *gin.Context) error {
	p, err := s.cursors.Page(c, "seat")
	if err != nil {
		return err
	}
	m, _, err := s.matchOf(c)
	if err != nil {
		return err
	}
	if _, given := p.Filter["seat"]; !given {
		return httpx.BadQuery("seat", "is needed: the seat, from 0")
	}
	seat, err := httpx.Number(p.Filter, "seat", 0, 0, len(m.Seats)-1)
	if err != nil {
		return err
	}
	if !gate.OwnsBot(c, m.Seats[seat].OwnerID, m.Seats[seat].BotID) {
		return fmt.Errorf("%w: seat %s of this match is not your bot's", tournament.ErrNotYours, strconv.Itoa(seat))
	}
	if !m.Status.Over() {
		return fmt.Errorf("%w: the match is %s; decisions can be read when it is over", tournament.ErrState, m.Status)
	}
	decisions, err := s.Store.SeatDecisions(c.Request.Context(), m.ID, game.Seat(seat))
	if err != nil && !errors.Is(err, tournament.ErrNotFound) {
		return err
	}
	rows, next := httpx.Cut(decisions, p)
	return httpx.SendPage(c, p, each(rows, func(d store.SeatDecision) wire.Decision {
		return wire.Decision{
			Step:       d.Step,
			Decision:   runner.DecisionID(m.ID, d.Step-1, game.Seat(seat)),
			Action:     d.Action,
			Say:        d.Say,
			By:         d.By,
			Why:        d.Why,
			Fault:      d.Fault,
			Reason:     d.Reason,
			Memo:       d.Memo,
			Debug:      d.Debug,
			Usage:      d.Usage,
			Belief:     d.Belief,
			Build:      d.Build,
			Then:       d.Then,
			Clock:      d.Clock,
			RecordedAt: d.RecordedAt,
		}
	}), next)
}

func (s *Server) getMatchView(c *gin.Context) error {
	q, err := httpx.Query(c, "seat", "step")
	if err != nil {
		return err
	}
	m, sec, seat, err := s.seenFrom(c, q)
	switch {
	case err != nil:
		return err
	case !sec.Watch:
		return fmt.Errorf("%w: the match is %s; there is nothing to see", tournament.ErrState, m.Status)
	case seat >= 0 && !sec.Open:
		return fmt.Errorf("%w: the match is %s; a seat's view opens when it is over; without seat you get the spectator's view now", tournament.ErrState, m.Status)
	}
	table, step, err := s.pages.TableOf(c, m, sec, q)
	if err != nil {
		return err
	}
	out := wire.MatchView{Step: step, Due: live.SeatList(table.Due()), View: table.View(seat)}
	if seat >= 0 {
		out.Seat = new(int(seat))
	}
	if out.Text, err = table.Describe(seat); err != nil && !errors.Is(err, game.ErrUnsupported) {
		return err
	}
	return httpx.Send(c, http.StatusOK, out)
}

// seenFrom returns the match of a path, what of it is sealed, and the query parameter seat, a seat of it; the spectator if it is left
// out. A match whose twin is still played is [tournament.ErrState].
func (s *Server) seenFrom(c *gin.Context, q map[string]string) (tournament.Match, live.Secrecy, game.Seat, error) {
	m, sec, err := s.matchOf(c)
	if err != nil {
		return m, sec, 0, err
	}
	seat, err := httpx.Number(q, "seat", int(game.Spectator), 0, len(m.Seats)-1)
	if err == nil && sec.SharedSeed {
		err = fmt.Errorf("%w: %s", tournament.ErrState, sec.Why())
	}
	return m, sec, game.Seat(seat), err // a seat of the match
}
