package api

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/mailbox"
)

// What begins the address of a bot behind a relay, and of an agent, as its owner writes it.
const (
	relayPrefix = "relay:"
	agentPrefix = "agent:"
)

func (s *Server) fetchMessages(c *gin.Context, asked wire.MailboxFetch) error {
	in := asked.Body
	box, err := s.mailbox(c, asked.Name)
	if err != nil {
		return err
	}
	if err := checkFetch(in); err != nil {
		return err
	}
	done, err := s.gate.HoldRelay(c)
	if err != nil {
		return err
	}
	defer done()
	ended, leave := s.streams.Lease(gate.TokenID(c))
	defer leave()
	h := mailbox.Holder{
		Relay: in.Relay,
		Holds: in.Holds,
		Room:  in.Room,
		Wait:  s.Limits.Poll,
		Stop:  ended,
	}
	switch {
	case len(h.Holds) > 0:
		h.Wait = min(h.Wait, tournament.RelayLease/3)
	case in.Room == 0: // it can get nothing, and asks whether the link holds
		h.Wait = 0
	}
	gate.SkipLatencyMetric(c)
	list, err := s.Store.Fetch(c.Request.Context(), box, h)
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, wire.RelayMessages{Data: each(list, func(l tournament.Message) wire.RelayMessage {
		return wire.RelayMessage{ID: l.ID, Head: l.Head, Body: l.Body, LeftMS: l.Left.Milliseconds()}
	})})
}

func checkFetch(in wire.RelayFetch) error {
	if !httpx.IsUUID(in.Relay) {
		return &tournament.FieldError{Pointer: "/relay", Reason: "wants a random UUID that this relay keeps until it ends"}
	}
	if len(in.Holds) > tournament.MaxRelayRoom {
		return &tournament.FieldError{Pointer: "/holds", Reason: fmt.Sprintf("%d messages; a relay holds at most %d", len(in.Holds), tournament.MaxRelayRoom)}
	}
	for i, id := range in.Holds {
		if _, err := parseID(fmt.Sprintf("/holds/%d", i), id); err != nil {
			return err
		}
	}
	if in.Room < 0 || in.Room > tournament.MaxRelayRoom {
		return &tournament.FieldError{Pointer: "/room", Reason: fmt.Sprintf("%d is outside 0..%d", in.Room, tournament.MaxRelayRoom)}
	}
	return nil
}

func (s *Server) answerMessage(c *gin.Context, asked wire.MailboxAnswer) error {
	in := asked.Body
	box, err := s.mailbox(c, asked.Name)
	if err != nil {
		return err
	}
	if err := checkAnswer(in); err != nil {
		return err
	}
	err = s.Store.Answer(c.Request.Context(), box, in.ID, tournament.MessageAnswer{Status: in.Status, Encoding: in.Encoding, Body: in.Body})
	if errors.Is(err, tournament.ErrState) {
		s.relayAnswers.WithLabelValues("refused").Inc()
	}
	if err != nil {
		return err
	}
	s.relayAnswers.WithLabelValues("taken").Inc()
	c.Status(http.StatusNoContent)
	return nil
}

func checkAnswer(in wire.RelayAnswer) error {
	if _, err := parseID("/id", in.ID); err != nil {
		return err
	}
	switch {
	case in.Status < 100 || in.Status > 599:
		return &tournament.FieldError{Pointer: "/status", Reason: fmt.Sprintf("%d is outside 100..599", in.Status)}
	case in.Encoding != "":
		if err := tournament.CheckText("/content_encoding", in.Encoding, maxEncoding); err != nil {
			return err
		}
	}
	if len(in.Body) > protocol.MaxAnswerBytes+1 {
		return &tournament.FieldError{Pointer: "/body", Reason: fmt.Sprintf("is %d bytes; cut it after %d", len(in.Body), protocol.MaxAnswerBytes+1)}
	}
	return nil
}

// maxEncoding bounds a Content-Encoding, in bytes.
const maxEncoding = 32

// mailbox returns the caller's mailbox of a name. It refuses it to a token for one bot, unless that bot alone has it.
func (s *Server) mailbox(c *gin.Context, name string) (string, error) {
	if tournament.CheckName("/name", name) != nil {
		return "", fmt.Errorf("%w: no mailbox has such a name", tournament.ErrNotFound)
	}
	who := gate.Who(c)
	box, botID := tournament.RelayAddress(who.User.ID, name), who.Token.BotID
	if botID == "" {
		return box, nil
	}
	bots, err := s.Store.BotsAt(c.Request.Context(), who.User.ID, box)
	if err == nil && !slices.Equal(bots, []string{botID}) {
		err = fmt.Errorf("%w: this token is for one bot, and no version of that bot alone has this mailbox", tournament.ErrScope)
	}
	return box, err
}

// address returns a bot's address as we keep it, of one as its owner writes it. Only mailboxes of the bot's own owner can be named.
func address(ownerID, written string) string {
	if name, ok := strings.CutPrefix(written, relayPrefix); ok {
		return tournament.RelayAddress(ownerID, name)
	}
	if name, ok := strings.CutPrefix(written, agentPrefix); ok {
		return tournament.AgentAddress(ownerID, name)
	}
	return written
}

// written returns a bot's address as its owner writes it.
func written(address string) string {
	if name, ok := tournament.AgentName(address); ok {
		return agentPrefix + name
	}
	if name, ok := tournament.RelayName(address); ok {
		return relayPrefix + name
	}
	return address
}
