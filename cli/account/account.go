package account

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/game/text"
)

// Account is who calls which platform: what login keeps, in a file that only its owner can read.
type Account struct {
	URL   string `json:"url"` // without a slash at the end
	Name  string `json:"name"`
	Token string `json:"token"`
}

// ErrNone marks that login has to come first.
var ErrNone = errors.New("not_logged_in")

// File returns where the account is kept: in molerun/ in the folder for settings of this user.
func File() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("there is no folder for settings: %w", err)
	}
	return filepath.Join(dir, "molerun", "account.json"), nil
}

// Read reads what login kept.
func Read() (Account, error) {
	var a Account
	file, err := File()
	if err != nil {
		return a, err
	}
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return a, fmt.Errorf("%w: this user has no account here\nnext: molerun login URL --name NAME", ErrNone)
	}
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal([]byte(text.Typed(b)), &a); err != nil || a.URL == "" || a.Token == "" {
		return a, fmt.Errorf("%s is damaged\nnext: molerun login URL --replace, with your token on stdin", file)
	}
	return a, nil
}

// draftSize bounds the file of an account, in bytes; a draft takes so much room on the disk.
const draftSize = 4096

// Draft holds room on the disk, in a file beside the account's, before there is a token: one that could not be kept would be lost.
type Draft struct {
	*os.File
	file string
}

// NewDraft opens a draft.
func NewDraft() (Draft, error) {
	var d Draft
	var err error
	if d.file, err = File(); err != nil {
		return d, err
	}
	if err := os.MkdirAll(filepath.Dir(d.file), 0o700); err != nil {
		return d, err
	}
	if d.File, err = os.CreateTemp(filepath.Dir(d.file), "account-*"); err != nil { // mode 0600
		return d, err
	}
	_, err = d.Write(make([]byte, draftSize))
	if err = errors.Join(err, d.Sync()); err != nil {
		d.Drop()
	}
	return d, err
}

// Keep makes the draft the account.
func (d Draft) Keep(a Account) error {
	b, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	b = append(b, '\n')
	_, err = d.WriteAt(b, 0)
	if err = errors.Join(err, d.Truncate(int64(len(b))), d.Sync(), d.Close()); err != nil {
		return err
	}
	return os.Rename(d.Name(), d.file)
}

// Drop removes a draft that was not kept.
func (d Draft) Drop() {
	_ = d.Close()
	_ = os.Remove(d.Name())
}

// PlatformURL returns the address of a platform without a slash at its end. A token travels only encrypted, or inside this machine.
func PlatformURL(raw string) (string, error) {
	raw, err := command.Address(raw)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "", fmt.Errorf("%w: %s is not the address of a platform, like https://molerun.example.org", command.ErrUsage, protocol.Quote(raw))
	}
	if u.Scheme == "http" && !command.Here(raw) {
		return "", fmt.Errorf("%w: over %s anybody on the way could read your token: use https://", command.ErrUsage, protocol.Quote(raw))
	}
	return strings.TrimRight(u.String(), "/"), nil
}

// SignedIn returns a client that calls the platform of the account as its owner.
func SignedIn() (*client.Client, error) {
	a, err := Read()
	if err != nil {
		return nil, err
	}
	return client.New(a.URL).As(a.Token), nil
}
