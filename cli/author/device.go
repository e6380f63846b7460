package author

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/tournament"
)

// errStopped ends a login that its person has given up.
var errStopped = errors.New("stopped: nobody was logged in")

// deviceLogin logs in at the issuer of the platform: somebody opens an address in any browser and agrees there. name is that of a new
// account; without one it is asked for when it is needed.
func deviceLogin(ctx context.Context, c command.Console, lines *bufio.Reader, url, name string) (account.Account, error) {
	call, begun := client.New(url), wire.DeviceLogin{}
	if err := client.Do(ctx, call, wire.StartDevice, op.None{}, &begun); err != nil {
		return account.Account{}, adviseDevice(err)
	}
	fmt.Fprintf(c.Err, "Open %s in any browser and type %s there; this waits until then.\n", printer.Printable(begun.At), printer.Printable(begun.UserCode))
	if begun.AtWithCode != "" {
		fmt.Fprintf(c.Err, "Or open %s\n", printer.Printable(begun.AtWithCode))
	}
	wait, away := time.Duration(begun.IntervalMS)*time.Millisecond, false
	for {
		if command.Rest(ctx, wait) != nil {
			return account.Account{}, errStopped
		}
		var look wire.DeviceLooked
		err := client.Do(ctx, call, wire.LookDevice, wire.DeviceLook{Handle: begun.Handle, Name: name}, &look)
		if ctx.Err() != nil {
			return account.Account{}, errStopped
		}
		var no *client.Refusal
		answered := err == nil || errors.As(err, &no) && no.Problem.Status < http.StatusInternalServerError
		if !answered && time.Now().Before(begun.ExpiresAt) {
			if !away {
				fmt.Fprintf(c.Err, "%v\nThis asks again until the code ends, at %s.\n", err, begun.ExpiresAt.Local().Format(time.TimeOnly))
			}
			away = true
			continue
		}
		away = false
		switch {
		case errors.As(err, &no) && no.Problem.Code == tournament.ErrTaken.Error():
			fmt.Fprintf(c.Err, "The name %s is taken.\n", printer.Printable(name))
		case errors.As(err, &no) && no.Problem.Code == "rate_limited":
			wait = max(wait, 10*time.Second)
			continue
		case err != nil:
			return account.Account{}, adviseDevice(err)
		case look.State == "done" && look.Made != nil:
			return account.Account{URL: url, Name: look.Made.User.Name, Token: look.Made.Token.Token}, nil
		case look.State == "pending":
			wait = time.Duration(look.IntervalMS) * time.Millisecond
			continue
		}
		if name, err = askName(ctx, c, lines); err != nil {
			return account.Account{}, err
		}
		wait = 0
	}
}

// askName reads the name of a new account.
func askName(ctx context.Context, c command.Console, lines *bufio.Reader) (string, error) {
	fmt.Fprint(c.Err, "You are new here. Name of your account: ")
	name, err := wait(ctx, func() (string, error) { return lines.ReadString('\n') })
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return "", err
	case name == "":
		return "", fmt.Errorf("%w: no name for the new account\nnext: the same with --name NAME", errors.Join(errStopped, err))
	}
	return name, nil
}

// adviseDevice adds the next command to try.
func adviseDevice(err error) error {
	if no, is := errors.AsType[*client.Refusal](err); is && no.Problem.Code == tournament.ErrNotFound.Error() {
		return fmt.Errorf("%w\nThe platform has no login, or this one is over. next: molerun login URL --name NAME", err)
	}
	return advise(err)
}
