package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Agreed asks a yes-or-no question and reports whether the answer is yes. Where nobody can answer it is an [ErrUsage] that says so and
// names --yes.
func Agreed(c Console, question string) (bool, error) {
	if !Terminal(c.In) {
		return false, fmt.Errorf("%w: %s Nobody can answer here: add --yes", ErrUsage, question)
	}
	fmt.Fprintf(c.Err, "%s [y/N] ", question)
	line, err := bufio.NewReader(c.In).ReadString('\n')
	switch {
	case errors.Is(err, io.EOF) && line == "":
		fmt.Fprintln(c.Err)
		return false, fmt.Errorf("%w: nobody answered: add --yes", ErrUsage)
	case err != nil && !errors.Is(err, io.EOF):
		return false, err
	}
	word := strings.ToLower(strings.TrimSpace(line))
	return word == "y" || word == "yes", nil
}

// Unseen reads a line that is typed at a terminal and not shown there. When ctx ends first, the terminal shows again what is typed.
func Unseen(ctx context.Context, in io.Reader) (string, error) {
	f, is := in.(*os.File)
	if !is {
		return "", errors.New("this is no terminal")
	}
	fd := int(f.Fd())
	shown, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	stop := context.AfterFunc(ctx, func() { _ = term.Restore(fd, shown) })
	defer stop()
	line, err := term.ReadPassword(fd)
	return string(line), err
}
