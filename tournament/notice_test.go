package tournament_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// Others chose the names: a channel shows them as letters, never as a link, a mention or a heading.
func TestDiscordTakesNoNameForMarkdown(t *testing.T) {
	b, err := tournament.Notice{Subject: "[free](https://evil.example) <@1> @everyone", Text: "**bold** `code` " + strings.Repeat("é", 5000), Link: "https://m.example/matches/1"}.Discord()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Embeds   []struct{ Title, Description, URL string }
		Mentions struct{ Parse *[]string } `json:"allowed_mentions"`
	}
	if err := json.Unmarshal(b, &got); err != nil || len(got.Embeds) != 1 {
		t.Fatalf("got %s, %v", b, err)
	}
	e := got.Embeds[0]
	must.Same(t, "the title", e.Title, `\[free\]\(https\://evil\.example\) \<@1\> @everyone`)
	if want := "\\*\\*bold\\*\\* \\`code\\` é"; !strings.HasPrefix(e.Description, want) || len([]rune(e.Description)) > 4096 {
		t.Errorf("the text is %.60s… of %d letters, want %s… and at most 4096", e.Description, len([]rune(e.Description)), want)
	}
	if got.Mentions.Parse == nil || len(*got.Mentions.Parse) != 0 || e.URL != "https://m.example/matches/1" {
		t.Errorf("got %s, want the link, and nobody mentioned", b)
	}
}

func TestOnlyAWebhookOfDiscordTakesItsMessages(t *testing.T) {
	for _, row := range []struct {
		format  tournament.WebhookFormat
		address string
		field   string
	}{
		{tournament.FormatStandard, "https://bot.example/", ""},
		{tournament.FormatMail, "https://mail.example/", ""},
		{"slack", "https://bot.example/", "/format"},
		{tournament.FormatDiscord, "https://discord.com/api/webhooks/123/abc-_9", ""},
		{tournament.FormatDiscord, "https://ptb.discord.com/api/v10/webhooks/123/abc", ""},
		{tournament.FormatDiscord, "https://discordapp.com/api/webhooks/123/abc", ""},
		{tournament.FormatDiscord, "http://discord.com/api/webhooks/123/abc", "/url"},
		{tournament.FormatDiscord, "https://discord.com.evil.example/api/webhooks/123/abc", "/url"},
		{tournament.FormatDiscord, "https://discordXcom/api/webhooks/123/abc", "/url"},
		{tournament.FormatDiscord, "https://discord.com/api/webhooks/123/abc/slack", "/url"},
		{tournament.FormatDiscord, "https://discord.com/api/webhooks/123", "/url"},
	} {
		err := row.format.CheckAddress(row.address)
		if (err != nil) != (row.field != "") || err != nil && !strings.Contains(err.Error(), row.field) {
			t.Errorf("%s at %s: %v, want a fault of %q", row.format, row.address, err, row.field)
		}
	}
}
