// A client of a platform, written against what oapi-codegen makes of the document: it registers, enters the scheduled
// tournament, reads and exports.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/molerun/molerun/readers/molerun"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, platform string) error {
	client, err := molerun.NewClientWithResponses(platform)
	if err != nil {
		return err
	}
	account, err := client.CreateUserWithResponse(ctx, nil, molerun.UserCreate{Name: "gopher"})
	if err != nil || account.JSON201 == nil {
		return fmt.Errorf("register: %w %s", err, account.Body)
	}
	signed := func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+account.JSON201.Token.Token)
		return nil
	}
	made, err := client.CreateBotWithResponse(ctx, nil, molerun.BotCreate{Name: "generated", Url: "https://bot.example/"}, signed)
	if err != nil || made.JSON201 == nil {
		return fmt.Errorf("bot: %w %s", err, made.Body)
	}
	status := molerun.ListTournamentsParamsStatus("scheduled")
	cups, err := client.ListTournamentsWithResponse(ctx, &molerun.ListTournamentsParams{Status: &status})
	if err != nil || cups.JSON200 == nil || len(cups.JSON200.Data) == 0 {
		return fmt.Errorf("list: %w %s", err, cups.Body)
	}
	cup, bot := cups.JSON200.Data[0], made.JSON201.Bot
	return enter(ctx, client, cup, bot, signed)
}

func enter(ctx context.Context, client *molerun.ClientWithResponses, cup molerun.Tournament, bot molerun.Bot, signed molerun.RequestEditorFn) error {
	body := molerun.EntryCreate{BotId: bot.Id}
	entered, err := client.JoinTournamentWithResponse(ctx, cup.Id, nil, body, signed)
	if err != nil || entered.JSON201 == nil {
		return fmt.Errorf("enter: %w %s", err, entered.Body)
	}
	again, err := client.JoinTournamentWithResponse(ctx, cup.Id, nil, body, signed)
	if err != nil || again.ApplicationproblemJSON409 == nil || again.ApplicationproblemJSON409.Code != molerun.ProblemCodeNameTaken {
		return fmt.Errorf("entered twice: %w %s, want name_taken", err, again.Body)
	}
	list, err := client.ListTournamentEntriesWithResponse(ctx, cup.Id, nil)
	if err != nil || list.JSON200 == nil {
		return fmt.Errorf("read: %w %s", err, list.Body)
	}
	format := molerun.ExportTournamentParamsFormat("json")
	table, err := client.ExportTournamentWithResponse(ctx, cup.Id, &molerun.ExportTournamentParams{Format: &format})
	if err != nil || table.JSON200 == nil {
		return fmt.Errorf("export: %w %s", err, table.Body)
	}
	fmt.Println(cup.Id, len(list.JSON200.Data), *table.JSON200)
	return nil
}
