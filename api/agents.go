package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/bots/agent"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// serveAgent answers one message of the Model Context Protocol. Nothing is kept between two of them but what the store has.
func (s *Server) serveAgent(c *gin.Context) error {
	q, err := httpx.Query(c, "bot")
	if err != nil {
		return err
	}
	var body []byte
	var message map[string]json.RawMessage // one alone: a list of many calls would count as one
	if err := httpx.Decode(c, &message, func(raw []byte) error { body = raw; return nil }); err != nil {
		return err
	}
	x := &seats{s: s, c: c, ctx: gate.Context(c), name: q["bot"]}
	defer x.end()
	server := x.server()
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true,
		DisableLocalhostProtection: s.public != "", // a proxy may be at this address, and hands on the public host
	})
	r := c.Request.Clone(c.Request.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.Header.Set("Accept", "application/json, text/event-stream") // we answer in JSON whatever a client prefers
	gate.SkipLatencyMetric(c)
	answer, err := httpx.Record(c, func() error { h.ServeHTTP(c.Writer, r); return nil })
	if err == nil && answer.Status() == http.StatusBadRequest && strings.HasPrefix(answer.Header().Get("Content-Type"), "text/plain") {
		err = fmt.Errorf("%w: %s", httpx.ErrBody, strings.TrimSpace(string(answer.Body()))) // what the library says becomes a problem
	}
	if err != nil {
		return err
	}
	answer.Replay(c)
	return nil
}

// seats serves the tools of one request, for the seats of one bot.
type seats struct {
	s    *Server
	c    *gin.Context
	ctx  context.Context
	name string // of the bot; "": the caller's only one

	mu    sync.Mutex // held while a tool runs: gin uses c again after the request
	ended bool
}

// end waits for a tool that still runs when its caller has hung up, and lets no other begin.
func (x *seats) end() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ended = true
}

func (x *seats) server() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "molerun", Title: "molerun: five mole games", Version: x.s.Version}, &mcp.ServerOptions{
		Instructions: "what_can_i_play, then enter, then play. " + agent.Instructions, SchemaCache: x.s.tools,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			x.mu.Lock()
			defer x.mu.Unlock()
			if x.ended {
				return nil, context.Canceled
			}
			return next(ctx, method, r)
		}
	})
	agent.Add(s, x)
	mcp.AddTool(s, &mcp.Tool{Name: "what_can_i_play", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}, Description: "The ladders and the events that take entries, and how your bot stands there, or why it may not enter"}, x.reading(x.offered))
	mcp.AddTool(s, &mcp.Tool{Name: "enter", Description: "Enter your bot in a ladder, where rated matches come all the time until you leave, or in an event"}, x.enter)
	mcp.AddTool(s, &mcp.Tool{Name: "check_in", Description: "Confirm that your bot will play, in an event with check-in: the start leaves out who has not"}, x.checkIn)
	mcp.AddTool(s, &mcp.Tool{Name: "leave", Description: "Take your bot out of a ladder or an event; matches that have begun go on"}, x.leave)
	mcp.AddTool(s, &mcp.Tool{Name: "results", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}, Description: "Your bot's last matches that are over, with links to look at them"}, x.reading(x.over))
	mcp.AddTool(s, &mcp.Tool{Name: "review", Description: "Which decisions of a match that is over cost your bot most, and what was better; the first call asks for the review, which takes some minutes"}, x.review)
	return s
}

// readable returns an error as the model may read it; those of ours go to the log.
func (x *seats) readable(err error) error {
	if err == nil || errors.Is(err, agent.ErrNotOpen) || errors.Is(err, agent.ErrRefused) || errors.Is(err, context.Canceled) { // who hung up reads nothing
		return err
	}
	k := gate.KindOf(err)
	if k.Status >= http.StatusInternalServerError {
		x.s.Logger.LogAttrs(x.ctx, slog.LevelError, "a tool failed", slog.String("request_id", gate.RequestID(x.c)), slog.String("err", err.Error()))
	}
	return errors.New(k.Title + ": " + gate.Detail(k, err))
}

// bot returns the bot whose seats the request is about: its agent is there.
func (x *seats) bot() (store.Agent, error) {
	list, err := x.s.Store.Agents(x.ctx, gate.UserID(x.ctx), gate.Who(x.ctx).Token.BotID)
	if err != nil {
		return store.Agent{}, err
	}
	var names []string
	var mine []store.Agent
	for _, a := range list {
		names = append(names, a.Name)
		if x.name == "" || strings.EqualFold(a.Name, x.name) {
			mine = append(mine, a)
		}
	}
	switch {
	case len(list) == 0:
		return store.Agent{}, fmt.Errorf("%w: you have no bot that plays by these tools: register one by POST /v1/bots with a name and the url agent:NAME", tournament.ErrNotFound)
	case len(mine) != 1:
		return store.Agent{}, fmt.Errorf("%w: say which bot plays by ?bot=NAME at the end of this server's address: %s", tournament.ErrNotFound, strings.Join(names, ", "))
	}
	return mine[0], x.s.Store.Attend(x.ctx, mine[0].Box, tournament.AgentAway)
}

// asked holds a turn and the messages that ask it: several after a worker was lost.
type asked struct {
	agent.Turn
	messages []string
}

// open returns the turns that wait for the bot, the longest first.
func (x *seats) open(a store.Agent) ([]*asked, error) {
	list, err := x.s.Store.Unread(x.ctx, a.Box)
	if err != nil {
		return nil, err
	}
	var out []*asked
	for _, l := range list {
		t := &asked{messages: []string{l.ID}}
		if err := json.Unmarshal(l.Body, &t.Turn.Turn); err != nil {
			return nil, fmt.Errorf("a message of ours: %w", err)
		}
		t.Left = l.Left
		i := slices.IndexFunc(out, func(o *asked) bool { return o.Decision == t.Decision })
		engine, ok := x.s.Engines.Find(t.Game)
		switch t.Engine = engine; {
		case !ok || t.Type != protocol.TypeTurn:
		case i >= 0:
			t.messages = append(t.messages, out[i].messages...)
			out[i] = t
		default:
			out = append(out, t)
		}
	}
	return out, nil
}

// find returns the turn of a decision of the caller's bot.
func (x *seats) find(decision string) (store.Agent, *asked, error) {
	a, err := x.bot()
	if err != nil {
		return a, nil, err
	}
	list, err := x.open(a)
	for _, t := range list {
		if t.Decision == decision {
			return a, t, nil
		}
	}
	if err == nil {
		err = agent.ErrNotOpen
	}
	return a, nil, err
}

// Open returns the turn of a decision.
func (x *seats) Open(_ context.Context, decision string) (*agent.Turn, error) {
	_, t, err := x.find(decision)
	if err != nil {
		return nil, x.readable(err)
	}
	return &t.Turn, nil
}

// Rules returns the rules of a game.
func (x *seats) Rules(_ context.Context, id string) (string, error) {
	text, err := agent.Rules(x.s.Engines, x.s.Files.docs, id)
	return text, x.readable(err)
}

// Play answers the messages of a turn.
func (x *seats) Play(_ context.Context, t *agent.Turn, d agent.Decision) (err error) {
	defer func() { err = x.readable(err) }()
	a, now, err := x.find(t.Decision)
	if err != nil {
		return err
	}
	m, err := x.s.Store.Match(x.ctx, now.Match)
	if err != nil {
		return err
	}
	switch err := x.s.matches.CheckTurn(x.ctx, httpx.CallerOf(x.c), m, now.Step, d.Turn); {
	case errors.Is(err, tournament.ErrInvalid):
		return fmt.Errorf("%w: %s", agent.ErrRefused, gate.Detail(gate.KindOf(err), err))
	case errors.Is(err, tournament.ErrState):
		return agent.ErrNotOpen
	case err != nil:
		return err
	}
	body, err := d.Answer(now.Decision)
	if err != nil {
		return err
	}
	taken := false
	for _, id := range now.messages {
		err := x.s.Store.Answer(x.ctx, a.Box, id, tournament.MessageAnswer{Status: http.StatusOK, Body: body})
		if err != nil && !errors.Is(err, tournament.ErrState) {
			return err
		}
		taken = taken || err == nil
	}
	if !taken {
		return agent.ErrNotOpen
	}
	return nil
}

// newsEvery bounds how long a waiting agent misses its turn when a ring is lost: its matches are looked at so often.
const newsEvery = time.Second

// Next waits for a turn as long as a relay waits for messages.
func (x *seats) Next(_ context.Context, match string) (_ *agent.Turn, _ string, err error) {
	defer func() { err = x.readable(err) }()
	a, err := x.bot()
	if err != nil {
		return nil, "", err
	}
	done, err := x.s.gate.HoldRelay(x.ctx)
	if err != nil {
		return nil, "", err
	}
	defer done()
	stop, leave := x.s.streams.Lease(gate.TokenID(x.ctx))
	defer leave()
	rung, quit := x.s.Store.Rings(a.Box)
	defer quit()
	end, tick := time.NewTimer(x.s.Limits.Poll), time.NewTicker(newsEvery)
	defer end.Stop()
	defer tick.Stop()
	for waits := true; ; {
		list, err := x.open(a)
		if err != nil {
			return nil, "", err
		}
		for _, t := range list {
			if match == "" || t.Match == match {
				return &t.Turn, "", nil
			}
		}
		news, over, err := x.news(a, match)
		if err != nil || over || !waits {
			return nil, news, err
		}
		select {
		case <-rung:
		case <-tick.C:
		case <-end.C:
			waits = false
		case <-stop:
			waits = false
		case <-x.ctx.Done():
			return nil, "", x.ctx.Err()
		}
	}
}

// news returns how a match of the bot stands in which it is not asked anything, and whether it is over.
func (x *seats) news(a store.Agent, match string) (string, bool, error) {
	if match == "" {
		bot, err := x.s.Store.Bot(x.ctx, a.BotID)
		return "It is not your turn anywhere. " + x.stands(bot) + " Call wait again; what_can_i_play says what your bot is in, results what is over.", false, err
	}
	m, i, err := x.mine(a, match)
	if err != nil || !m.Status.Over() {
		return "The others are to decide in your match " + match + ". Call wait again.", false, err
	}
	how := "and does not count"
	if m.Result != nil {
		how = agent.Ending(int(m.Seats[i].Seat), m.Rank, m.Result.Team)
	}
	return "The match " + match + " is over: " + how + ". Look at it: " + x.link(match) + ". Call wait for other matches.", true, nil
}

// mine returns a match that the bot plays in, or has played in, and its first seat there.
func (x *seats) mine(a store.Agent, match string) (tournament.Match, int, error) {
	unknown := fmt.Errorf("%w: your bot plays in no match %s", tournament.ErrNotFound, protocol.Quote(match))
	if !httpx.IsUUID(match) {
		return tournament.Match{}, 0, unknown
	}
	m, err := x.s.Store.Match(x.ctx, match)
	i := slices.IndexFunc(m.Seats, func(s tournament.MatchSeat) bool { return s.BotID == a.BotID })
	if errors.Is(err, tournament.ErrNotFound) || err == nil && i < 0 {
		err = unknown
	}
	return m, i, err
}

func (x *seats) link(match string) string {
	return httpx.BaseOf(x.s.public, x.c.Request) + "/matches/" + match
}

// stands says whether a bot gets matches and, where it is paused, why and what ends that.
func (x *seats) stands(b tournament.Bot) string {
	out := fmt.Sprintf("Your bot %s is %s", agent.Quote(b.Name, maxNameShown), b.Status)
	switch b.Pause {
	case "":
		return out + "."
	case tournament.PausedByChecks:
		return out + ": it " + b.OpenReason() + ". It plays again when two in a row pass, with a minute between them, while you call wait."
	case tournament.PausedByOwner, tournament.PausedByFaults:
		base := httpx.BaseOf(x.s.public, x.c.Request)
		return fmt.Sprintf("%s: %s. Its owner ends that: Resume on %s/me, molerun bot resume %s, or POST %s/v1/bots/%[4]s/resume.", out, b.OpenReason(), base, b.ID, base)
	}
	return out + ": " + b.OpenReason() + ". An administrator alone ends that."
}

// carryOut has an operation carried out for the caller, as if they had sent it to the API.
func (x *seats) carryOut(o op.Spec, path map[string]string, body any) ([]byte, error) {
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	x.c.Params = nil
	for key, value := range path {
		x.c.Params = append(x.c.Params, gin.Param{Key: key, Value: value})
	}
	rec, err := x.s.asUser(x.c, o, raw, nil)
	if err != nil {
		return nil, err
	}
	return rec.Body(), nil
}

type noArgs struct{}

// reading makes a tool that takes nothing and answers in words.
func (x *seats) reading(words func() (string, error)) mcp.ToolHandlerFor[noArgs, any] {
	return func(context.Context, *mcp.CallToolRequest, noArgs) (*mcp.CallToolResult, any, error) {
		text, err := words()
		return agent.Text(text, x.readable(err))
	}
}
