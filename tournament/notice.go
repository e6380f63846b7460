package tournament

import (
	"encoding/json"

	"github.com/molerun/molerun/engines/game/text"
)

// Notice tells people of an event in words.
type Notice struct {
	Subject string `json:"subject"`        // a line
	Text    string `json:"text,omitempty"` // more about it
	Link    string `json:"link,omitempty"` // to the page where it is seen
}

// discordText bounds the letters of a notice's text that Discord gets; escaped they may double, and it takes 4,096.
const discordText = 2000

// Discord returns the notice as the body of a request to a webhook of Discord
// (https://docs.discord.com/developers/resources/webhook#execute-webhook). Names and reasons are others' words: nothing in them is
// taken for Markdown, and nobody is mentioned.
func (n Notice) Discord() ([]byte, error) {
	type embed struct {
		Title       string `json:"title"`
		Description string `json:"description,omitempty"`
		URL         string `json:"url,omitempty"`
	}
	type mentions struct {
		Parse []string `json:"parse"`
	}
	words := []rune(n.Text)
	return json.Marshal(struct {
		Embeds   []embed  `json:"embeds"`
		Mentions mentions `json:"allowed_mentions"`
	}{
		[]embed{{text.Literal(n.Subject), text.Literal(string(words[:min(len(words), discordText)])), n.Link}},
		mentions{[]string{}},
	})
}
