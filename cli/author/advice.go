package author

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
)

// advise adds the next command to try to what the platform refused. bot is the one it was about, address where it listens; ""
// if there is none.
func advise(err error, bot, address string) error {
	var no *client.Refusal
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if !errors.As(err, &no) {
		var network *url.Error
		if errors.As(err, &network) {
			return fmt.Errorf("%w\nDoes the platform run there? next: molerun login URL --replace", err)
		}
		return err
	}
	next := ""
	switch no.Problem.Code {
	case "unauthorized":
		next = "molerun login URL --replace, with a live token on stdin"
	case "registration_closed":
		next = "molerun login URL --device, if the platform has a login"
	case tournament.ErrTaken.Error():
		next = "choose another name, or look at what is yours: molerun bot list"
	case tournament.ErrScope.Error():
		next = "molerun login URL --replace, with a token on stdin that may do it"
	case tournament.ErrBot.Error():
		next = "molerun check " + cmp.Or(address, "URL") + ", with the same secret in MOLERUN_SECRET"
		if address != "" && httpbot.CheckURL(address, httpbot.Guard{}) != nil {
			next += "\nnext: if it finds no fault, the platform cannot reach this machine: molerun connect " + bot + " --to " + address +
				" in another terminal, then register relay:" + bot + " in place of the URL"
		}
		if name, ok := strings.CutPrefix(address, "relay:"); ok {
			next = "molerun connect " + name + " --to URL in another terminal, where the bot runs with the same secret in MOLERUN_SECRET"
		}
	case tournament.ErrState.Error():
		next = "molerun bot show " + cmp.Or(bot, "BOT")
	case tournament.ErrNotFound.Error(), tournament.ErrNotYours.Error():
		next = "molerun bot list"
	case "rate_limited":
		next = "wait as long as it says, then try the same again"
	default:
		return err
	}
	return fmt.Errorf("%w\nnext: %s", err, next)
}

// myBot finds a bot of the caller's by name, in any case, or by id.
func myBot(ctx context.Context, call *client.Client, name string) (wire.Bot, error) {
	var found wire.Bot
	var names []string
	err := client.Each(ctx, call, wire.ListBots, wire.BotsQuery{Owner: "me"}, func(b wire.Bot) error {
		if strings.EqualFold(b.Name, name) || b.ID == name {
			found = b
		}
		names = append(names, b.Name)
		return nil
	})
	if err == nil && found.ID == "" {
		err = fmt.Errorf("you have no bot %s; you have %v\nnext: molerun bot create %[1]s URL", protocol.Quote(name), names)
	}
	return found, advise(err, name, "")
}
