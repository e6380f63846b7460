package tournament

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/molerun/molerun/engines/game/text"
)

// MaxProse is the most characters of each of the [Texts].
const MaxProse = 10_000

// Texts are what an organiser writes about an event, in Markdown and as it was written; "" says nothing.
type Texts struct {
	Description string
	Rules       string
	Prizes      string
}

// Check names every text that is longer than [MaxProse] or holds a character that is not kept ([text.Prose]).
func (t Texts) Check() error {
	return errors.Join(
		checkProse("/description", t.Description),
		checkProse("/rules", t.Rules),
		checkProse("/prizes", t.Prizes),
	)
}

func checkProse(pointer, said string) error {
	if n := utf8.RuneCountInString(said); n > MaxProse {
		return &FieldError{pointer, fmt.Sprintf("%d characters, at most %d are kept", n, MaxProse)}
	}
	if err := text.Prose.Check(said, MaxProse*utf8.UTFMax); err != nil {
		return &FieldError{pointer, err.Error()}
	}
	return nil
}
