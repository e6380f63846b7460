package author

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/tournament"
)

// account is who calls which platform: what login keeps, in a file that only its owner can read.
type account struct {
	URL   string `json:"url"` // without a slash at the end
	Name  string `json:"name"`
	Token string `json:"token"`
}

// errAccount marks that login has to come first.
var errAccount = errors.New("not_logged_in")

// accountFile is where the account is kept: in molerun/ in the folder for settings of this user.
func accountFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("there is no folder for settings: %w", err)
	}
	return filepath.Join(dir, "molerun", "account.json"), nil
}

// readAccount reads what login kept.
func readAccount() (a account, err error) {
	file, err := accountFile()
	if err != nil {
		return a, err
	}
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return a, fmt.Errorf("%w: this user has no account here\nnext: molerun login URL --name NAME", errAccount)
	}
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(b, &a); err != nil || a.URL == "" || a.Token == "" {
		return a, fmt.Errorf("%w: %s is damaged\nnext: molerun login URL --replace, with your token on stdin", errAccount, file)
	}
	return a, nil
}

// accountDraft is a file beside the account's, opened before there is a token: one that could not be kept would be lost.
type accountDraft struct {
	*os.File
	file string
}

func draftAccount() (d accountDraft, err error) {
	if d.file, err = accountFile(); err != nil {
		return d, err
	}
	if err := os.MkdirAll(filepath.Dir(d.file), 0o700); err != nil {
		return d, err
	}
	d.File, err = os.CreateTemp(filepath.Dir(d.file), "account-*") // mode 0600
	return d, err
}

// keep makes the draft the account.
func (d accountDraft) keep(a account) error {
	b, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	_, err = d.Write(append(b, '\n'))
	if err = errors.Join(err, d.Sync(), d.Close()); err != nil {
		return err
	}
	return os.Rename(d.Name(), d.file)
}

// drop removes a draft that was not kept.
func (d accountDraft) drop() {
	_ = d.Close()
	_ = os.Remove(d.Name())
}

// platformURL is the address of a platform without a slash at its end. A token travels only encrypted, or inside this machine.
func platformURL(raw string) (string, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "", fmt.Errorf("%w: %s is not the address of a platform, like https://molerun.example.org", command.ErrUsage, protocol.Quote(raw))
	}
	if u.Scheme == "http" && !command.Here(raw) {
		return "", fmt.Errorf("%w: %s would carry your token readable for everybody on the way: use https://", command.ErrUsage, protocol.Quote(raw))
	}
	return strings.TrimRight(u.String(), "/"), nil
}

// signedIn is a client that calls the platform of the account as its owner.
func signedIn() (*client.Client, error) {
	a, err := readAccount()
	if err != nil {
		return nil, err
	}
	c := client.New(a.URL)
	c.Token = a.Token
	return c, nil
}

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
	case tournament.ErrTaken.Error():
		next = "choose another name, or look at what is yours: molerun bot list"
	case tournament.ErrBot.Error():
		next = "molerun check " + cmp.Or(address, "URL") + ", with the same secret in MOLERUN_SECRET"
		if name, ok := strings.CutPrefix(address, "relay:"); ok {
			next = "molerun connect " + name + " --to URL in another terminal, where the bot runs with the same secret in MOLERUN_SECRET"
		}
	case tournament.ErrState.Error():
		next = "molerun bot show " + cmp.Or(bot, "BOT")
	case tournament.ErrNotFound.Error(), tournament.ErrNotYours.Error():
		next = "molerun bot list"
	case "rate_limited":
		next = "wait a little and try again"
	default:
		return err
	}
	return fmt.Errorf("%w\nnext: %s", err, next)
}

// myBot finds a bot of the caller's by name, in any case, or by id.
func myBot(ctx context.Context, call *client.Client, name string) (found wire.Bot, err error) {
	var names []string
	err = client.Pages(ctx, call, "/v1/bots?owner=me&limit=100", func(b wire.Bot) error {
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
