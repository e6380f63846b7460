package author

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
)

func loginCommand(c command.Console) *cobra.Command {
	name, device, replace, asJSON := "", false, false, false
	cmd := &cobra.Command{
		Use: "login URL", Short: "Register at a platform, or use a token of yours there",
		Long: "With --name it registers a new account at the platform; without, it reads a token (mr_…) from stdin. With --device you log in at\n" +
			"the issuer that the platform trusts, in a browser on any device: none has to open here. --name is then that of a new account, if you\n" +
			"need one. On a terminal, Enter in place of a token does the same. The token is kept in molerun/account.json in your settings folder;\n" +
			"only you can read the file, and the token is never printed.\n" +
			"It keeps one account at a time: --replace puts another one in its place, and forgets the token of the old one.\n\n" +
			"Exit codes: 0 logged in, 1 the platform refused or there is an account already, 2 the command line is wrong.",
		Example: "  molerun login https://molerun.example.org --name ada\n  molerun login https://molerun.example.org --device\n" +
			"  molerun login https://molerun.example.org < token.txt",
		RunE: func(cmd *cobra.Command, args []string) error {
			url, err := account.PlatformURL(args[0])
			if err != nil {
				return err
			}
			if old, err := account.Read(); !replace && !errors.Is(err, account.ErrNone) {
				if err != nil { // it may hold the only token
					return err
				}
				return fmt.Errorf("this user is %s at %s already\nnext: molerun bot list, or molerun login %s --replace", old.Name, old.URL, command.Quoted(args[0]))
			}
			a, err := login(cmd.Context(), func(ctx context.Context) (account.Account, error) {
				lines := bufio.NewReader(io.LimitReader(c.In, maxTokenLine))
				switch {
				case device:
					return deviceLogin(ctx, c, lines, url, name)
				case name != "":
					return register(ctx, url, name)
				}
				return byToken(ctx, c, lines, url)
			})
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(c.Out).Encode(loggedIn{a.URL, a.Name})
			}
			fmt.Fprintf(c.Out, "%s at %s\n", a.Name, a.URL)
			fmt.Fprintf(c.Err, "next: molerun bot create NAME URL, with the bot running at that URL\n")
			return nil
		},
	}
	cmd.Flags().StringVar(&name, "name", name, "register under this name: 2 to 32 letters, digits, - and _")
	cmd.Flags().BoolVar(&device, "device", device, "log in at the platform's issuer, in a browser on any device")
	cmd.Flags().BoolVar(&replace, "replace", replace, "put the account in the place of the one that is kept")
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "print one JSON object: url, name")
	return cmd
}

// loggedIn is what login prints with --json; never the token.
type loggedIn struct {
	URL  string `json:"url"`
	Name string `json:"name"`
}

// login keeps the account that proved finds. The file is there before: a token that could not be kept would be lost.
func login(ctx context.Context, proved func(context.Context) (account.Account, error)) (account.Account, error) {
	draft, err := account.NewDraft()
	if err != nil {
		return account.Account{}, err
	}
	a, err := proved(ctx)
	if err == nil {
		err = draft.Keep(a)
	}
	if err != nil {
		draft.Drop()
	}
	return a, err
}

// register makes a new account.
func register(ctx context.Context, url, name string) (account.Account, error) {
	var made wire.UserCreated
	if err := client.Do(ctx, client.New(url), wire.CreateUser, wire.UserCreate{Name: name}, &made); err != nil {
		return account.Account{}, advise(err)
	}
	return account.Account{URL: url, Name: made.User.Name, Token: made.Token.Token}, nil
}

// byToken returns the account of the token on lines. At a terminal, an empty line logs in by a device.
func byToken(ctx context.Context, c command.Console, lines *bufio.Reader, url string) (account.Account, error) {
	asks := command.Terminal(c.In)
	read := func() (string, error) { return lines.ReadString('\n') }
	if asks {
		fmt.Fprint(c.Err, "A token of yours (mr_…; it is not shown), or Enter to log in in a browser on any device: ")
		read = func() (string, error) { return command.Unseen(ctx, c.In) }
	}
	token, err := wait(ctx, read)
	if asks {
		fmt.Fprintln(c.Err)
	}
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return account.Account{}, err
	case token == "" && err == nil && asks:
		return deviceLogin(ctx, c, lines, url, "")
	case token == "":
		return account.Account{}, fmt.Errorf("%w: give --name to register, --device to log in in a browser on any device, or a token on stdin", command.ErrUsage)
	}
	if _, _, is := tournament.ParseToken(token); !is {
		return account.Account{}, fmt.Errorf("%w: what came on stdin is not a token: one is mr_ and 64 letters and digits; copy all of it", command.ErrUsage)
	}
	call := client.New(url).As(token)
	var me wire.Me
	if err := client.Do(ctx, call, wire.GetMe, op.None{}, &me); err != nil {
		return account.Account{}, advise(err)
	}
	return account.Account{URL: url, Name: me.Name, Token: token}, nil
}

// maxTokenLine bounds what is read from stdin, in bytes.
const maxTokenLine = 512

// wait waits for a line that somebody types, and returns the word that is meant. The last line may end with the input, which is an error too.
func wait(ctx context.Context, read func() (string, error)) (string, error) {
	type answer struct {
		line string
		err  error
	}
	come := make(chan answer, 1)
	go func() {
		line, err := read()
		come <- answer{line, err}
	}()
	select {
	case got := <-come:
		return text.Word(got.line), got.err
	case <-ctx.Done():
		return "", errStopped
	}
}

func logoutCommand(c command.Console) *cobra.Command {
	return &cobra.Command{
		Use: "logout", Short: "Forget the account that login kept",
		Long: "Removes the kept token from this machine. The token itself stays valid until molerun token revoke.",
		RunE: func(*cobra.Command, []string) error {
			a, err := account.Read()
			if err != nil {
				return err
			}
			if err := forget(); err != nil {
				return err
			}
			fmt.Fprintf(c.Err, "forgot %s at %s\n", a.Name, a.URL)
			return nil
		},
	}
}

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
