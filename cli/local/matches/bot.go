package matches

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/inprocess"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/runner"
)

// The sentinels of this room; the text behind them says what and what next.
var (
	errSilent = errors.New("bot_silent")  // a bot did not answer its hello as it should
	errFolder = errors.New("bad_folder")  // a folder of a series that cannot be used
	ErrNone   = errors.New("no_series")   // a folder holds no series
	ErrGame   = errors.New("other_games") // a bot plays other games than asked for
)

// helloLimit bounds a hello.
const helloLimit = 10 * time.Second

// Room is where bots are reached. It is safe for concurrent use.
type Room struct {
	client  *httpbot.Client
	guard   httpbot.Guard
	secrets []string
	public  bool
}

// Open makes a room; Close it. secret signs what is sent to bots behind URLs, "": nothing does. public lets bots at public addresses be called,
// besides those on this machine, and atOnce is how many requests to one bot are under way at once, at most; 0 means 64. The error is
// [protocol.ErrSecret].
func Open(secret string, public bool, atOnce int) (*Room, error) {
	r := &Room{guard: httpbot.Loopback(), public: public}
	r.guard.OnlyPrivate = !public
	if secret != "" {
		r.secrets = []string{secret}
	}
	if _, err := protocol.ParseKeys(r.secrets...); err != nil {
		return nil, err
	}
	r.client = httpbot.NewClient(httpbot.Options{Guard: r.guard, PerHost: atOnce})
	return r, nil
}

// Close ends the connections that rest.
func (r *Room) Close() { r.client.Close() }

// Bot is one who plays: of the house, in this process, or behind a URL.
type Bot struct {
	Arg   string // as it was named: a URL or the name of a house bot
	Name  string
	Build string
	text  bool
	// decide returns how a bot of this process decides; luck is all its luck.
	decide func(luck uint64) kit.Decide
	player func() runner.Player // makes the player of a bot that asks for its turns; nil for the others
}

// Seated returns a bot that is reached by players of its own, one for each seat of a match.
func Seated(name string, player func() runner.Player) Bot {
	return Bot{Arg: name, Name: name, player: player}
}

// InProcess returns a bot of this process. luck is all the luck that it may have.
func InProcess(name string, decide func(luck uint64) kit.Decide) Bot {
	return Bot{Arg: name, Name: name, decide: decide}
}

// Remote reports whether the bot is behind a URL.
func (b Bot) Remote() bool { return isURL(b.Arg) }

func isURL(arg string) bool { return strings.Contains(arg, "://") }

// Check refuses an argument that names no bot of a game ([command.ErrUsage]), without calling anybody.
func (r *Room) Check(arg, gameID string) error {
	arg = strings.TrimSpace(arg)
	if !isURL(arg) {
		bot, ok := house.Find(arg)
		if !ok && strings.ContainsAny(arg, ":.") { // an address without its scheme
			_, err := command.Address(arg)
			return err
		}
		if !ok {
			return fmt.Errorf("%w: there is no house bot %q; there are %s, or give the URL of a bot, like http://127.0.0.1:8000/", command.ErrUsage, arg, strings.Join(house.Names(), ", "))
		}
		if !slices.Contains(bot.Games, gameID) {
			return fmt.Errorf("%w: the house bot %s does not play %s", command.ErrUsage, arg, gameID)
		}
		return nil
	}
	_, err := command.BotAddress(arg, r.public)
	return err
}

// Bot finds who an argument names: a house bot, or the bot behind a URL, which is sent a hello. The error is [command.ErrUsage],
// [ErrGame], or errSilent for an answer that is none.
func (r *Room) Bot(ctx context.Context, arg, gameID string) (Bot, error) {
	arg = strings.TrimSpace(arg)
	if err := r.Check(arg, gameID); err != nil {
		return Bot{}, err
	}
	if !isURL(arg) {
		bot, _ := house.Find(arg)
		return InProcess(arg, bot.Decide), nil
	}
	ctx, cancel := context.WithTimeout(ctx, helloLimit)
	defer cancel()
	card, err := httpbot.Greet(ctx, httpbot.Config{URL: arg, Secrets: r.secrets, Client: r.client}, rand.Reader)
	if err != nil {
		return Bot{}, fmt.Errorf("%w: %s: %w\nnext: %s; then molerun check %s", errSilent, arg, err, httpbot.AtHello(err, len(r.secrets) > 0), command.QuotedBot(arg))
	}
	if !slices.Contains(card.Games, gameID) {
		return Bot{}, fmt.Errorf("%w: %s says that it plays %v, not %s: add %q to \"games\" in its answer to hello", ErrGame, arg, card.Games, gameID, gameID)
	}
	b := Bot{Arg: arg, Name: printer.Printable(card.Name), Build: printer.Printable(card.Build), text: card.Text}
	if b.Name == "" {
		u, err := url.Parse(arg)
		if err != nil {
			return Bot{}, err
		}
		b.Name = u.Host
	}
	return b, nil
}

// player returns the bot in one seat of one match. luck is all the luck of a house bot.
func (r *Room) player(b Bot, luck uint64) (runner.Player, error) {
	switch {
	case b.player != nil:
		return b.player(), nil
	case b.Remote():
		return httpbot.New(httpbot.Config{URL: b.Arg, Secrets: r.secrets, Text: b.text, Client: r.client})
	}
	return inprocess.Player(b.decide(luck)), nil
}
