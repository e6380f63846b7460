package kit

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/protocol"
)

// MaxMessageBytes is how much a bot reads of one message.
const MaxMessageBytes = 4 << 20

// Decide answers one turn. Several matches may call it at the same time. ctx ends when the platform no longer waits for the
// answer. The kit fills in the decision's id. An error or a panic is answered with status 500: the platform counts a fault and
// plays for the bot.
type Decide func(ctx context.Context, t *protocol.Turn) (protocol.Answer, error)

// Bot is a bot's card and one function for each game that it plays.
type Bot struct {
	Name   string
	Author string
	Build  string            // reported in the hello and with every answer that names none
	Text   bool              // ask for the view in words with every turn
	Games  map[string]Decide // by id of the game
	Log    *slog.Logger      // for the kit's warnings; nil is the default logger
	Now    func() time.Time  // the clock for checking signatures; nil is the system's
}

// Handler serves the bot at any path. With secrets (one, or two while rotating) a message without a good signature gets
// status 401; without, messages are accepted from anyone, which is logged once. The error is [protocol.ErrSecret].
func Handler(b Bot, secrets ...string) (http.Handler, error) {
	keys, err := protocol.ParseKeys(secrets...)
	if err != nil {
		return nil, err
	}
	b.Log = cmp.Or(b.Log, slog.Default())
	if b.Now == nil {
		b.Now = time.Now //nolint:forbidigo // the default of a parameter
	}
	return &handler{bot: b, keys: keys, games: slices.Sorted(maps.Keys(b.Games))}, nil
}

type handler struct {
	bot   Bot
	keys  protocol.Keys
	games []string
	warn  sync.Once
}

// message is any message of the platform: a turn has nearly all keys there are. Unknown keys are no error, so that an old
// bot understands a newer platform.
type message struct {
	protocol.Turn
	Challenge string `json:"challenge"`
}

// ServeHTTP answers one message.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
	case http.MethodGet, http.MethodHead: // a person, or a host's health check
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintf(w, "%s is a bot of molerun and runs.\n", h.bot.Name)
		return
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		http.Error(w, "this is a bot of molerun: it answers signed POST requests", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxMessageBytes))
	if err != nil {
		http.Error(w, "the message could not be read: "+err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	if h.keys.Len() == 0 {
		h.warn.Do(func() { h.bot.Log.Warn("no secret is set: messages are accepted from anybody", "bot", h.bot.Name) })
	} else if err := h.keys.Verify(r.Header, body, h.bot.Now()); err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	answer, status, err := h.answer(r.Context(), body)
	if err != nil {
		http.Error(w, err.Error(), status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer) // the platform may have gone; nobody is left to tell
}

func (h *handler) answer(ctx context.Context, body []byte) ([]byte, int, error) {
	var m message
	if err := json2.Unmarshal(body, &m); err != nil {
		return nil, http.StatusBadRequest, fmt.Errorf("the message is not the JSON expected: %w", err)
	}
	var out any = struct{}{}
	switch m.Type {
	case protocol.TypeHello:
		out = protocol.HelloAnswer{Challenge: m.Challenge, Name: h.bot.Name, Author: h.bot.Author, Build: h.bot.Build, Games: h.games, Text: h.bot.Text}
	case protocol.TypeTurn:
		decide := h.bot.Games[m.Game]
		if decide == nil {
			return nil, http.StatusNotFound, fmt.Errorf("this bot does not play %s", protocol.Quote(m.Game))
		}
		answer, err := h.decided(ctx, decide, &m.Turn)
		if err != nil {
			return nil, http.StatusInternalServerError, fmt.Errorf("the bot could not decide: %w", err)
		}
		answer.Decision = m.Decision
		answer.Build = cmp.Or(answer.Build, h.bot.Build)
		out = answer
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil, http.StatusInternalServerError, fmt.Errorf("the answer cannot be written as JSON: %w", err)
	}
	return b, http.StatusOK, nil
}

// decided asks the bot. A panic is an error: net/http would break the connection, and the platform would ask again until the deadline.
func (h *handler) decided(ctx context.Context, decide Decide, t *protocol.Turn) (a protocol.Answer, err error) {
	defer func() {
		if slip := recover(); slip != nil {
			h.bot.Log.Error("the bot panicked", "bot", h.bot.Name, "decision", t.Decision, "panic", slip, "stack", string(debug.Stack()))
			err = errors.New("it panicked; its log says where")
		}
	}()
	return decide(ctx, t)
}

// Serve listens on addr ("127.0.0.1:8000") and serves h until ctx ends; requests under way then get five seconds, and are cut off.
// It prints nothing.
func Serve(ctx context.Context, addr string, h http.Handler) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	return ServeOn(ctx, l, h)
}

// ServeOn works like [Serve] on the caller's listener, which it closes. It keeps idle connections longer than the platform does, so
// that the platform closes them.
func ServeOn(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 3 * time.Minute, MaxHeaderBytes: 16 << 10}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := s.Shutdown(last)
	if errors.Is(err, context.DeadlineExceeded) { // a request that never comes whole is nobody's fault here
		err = s.Close()
	}
	if failed := <-ended; !errors.Is(failed, http.ErrServerClosed) {
		err = errors.Join(err, fmt.Errorf("serve: %w", failed))
	}
	return err
}
