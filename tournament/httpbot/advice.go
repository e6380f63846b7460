package httpbot

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament"
)

// answered begins the reason of an answer whose status is refused.
const answered = "answered with status "

// AtHello says what who greets a bot may do about the error of [Greet]. signed reports whether the greeting was.
func AtHello(err error, signed bool) string {
	var refusal *Refusal
	switch isRefusal := errors.As(err, &refusal); {
	case !errors.Is(err, tournament.ErrBot):
		return "check this machine's network"
	case !isRefusal: // an answer came, and is none to a hello
		return `answer {"type":"hello","challenge":X} with {"challenge":X,"games":[…]}: Messages in docs/1-bot.md says what else may stand in it`
	case refusal.Status == http.StatusUnauthorized && !signed:
		return "the bot wants signed messages: give its secret with --secret or MOLERUN_SECRET"
	case refusal.Fault == tournament.FaultStatus:
		return AtStatus(refusal.Status)
	case refusal.Fault == tournament.FaultConnect:
		return "start the bot, and look at the URL that it prints; if it runs there, look into its log"
	}
	return "look into the bot's log, and at Messages in docs/1-bot.md"
}

// AtReason says what the owner of a bot may do about the reason of a [tournament.FaultStatus], as it is kept: see [AtStatus]. It is ""
// for any other reason.
func AtReason(reason string) string {
	_, rest, _ := strings.Cut(reason, answered)
	var status int
	if n, _ := fmt.Sscan(rest[:min(3, len(rest))], &status); n == 0 {
		return ""
	}
	return AtStatus(status)
}

// AtStatus says what the owner of a bot may do about an answer with a status other than 200: its likely cause, and what next.
func AtStatus(status int) string {
	switch {
	case status/100 == 2:
		return "have the bot answer with status 200: some frameworks choose 201 for a POST and 204 for an empty body by themselves"
	case status/100 == 3:
		return "give the bot's address as that to which the redirect leads, and register that one: a slash at its end, or https, may be all that is missing"
	case status == 400, status == 415, status == 422:
		return "the bot's server does not take the message as it is: have it read any body as JSON, with fields that it does not know, and see the bot's log"
	case status == 401:
		return "the bot refuses the signature: have both sides the same secret (MOLERUN_SECRET), and does the bot check id.timestamp.body as it was received?"
	case status == 403:
		return "the bot's server forbids the message: turn off its protection of forms (CSRF), or what a firewall before it forbids; or does the bot refuse the signature?"
	case status == 404, status == 410:
		return "no bot answers at this path, or it does not play this game: look at the path of its address, and at its \"games\""
	case status == 405:
		return "the path of the bot's address takes no POST: have the server answer POST there, or give the address whose path does"
	case status == 413:
		return "the bot's server, or a proxy before it, takes no message of this length: raise its limit for bodies"
	case status == 429:
		return "a limit on requests stands before the bot: lift it for these messages, of which several matches at once send many"
	case protocol.NobodyThere(status):
		return "a proxy answers in the bot's place: is the bot running, and does the proxy lead to its port?"
	}
	return "the bot failed over the message: look into the bot's log for what went wrong"
}
