package command

import (
	"strings"

	"github.com/spf13/cobra"
)

// Offer is what a shell completes an argument with: these words, or files whose names end so.
type Offer struct {
	Words    []string
	Suffixes []string // without the first dot
}

// Records completes to the record of a match, or a backup.
func Records() Offer { return Offer{Suffixes: []string{"jsonl.gz", "jsonl"}} }

// Completed gives a command an offer for each of its arguments. The last one holds for all that follow if the command's Use
// ends in "...".
func Completed(cmd *cobra.Command, offers ...Offer) *cobra.Command {
	cmd.ValidArgsFunction = func(cmd *cobra.Command, before []string, _ string) ([]string, cobra.ShellCompDirective) {
		at := len(before)
		if strings.HasSuffix(cmd.Use, "...") {
			at = min(at, len(offers)-1)
		}
		switch {
		case at >= len(offers):
			return nil, cobra.ShellCompDirectiveNoFileComp
		case offers[at].Suffixes != nil:
			return offers[at].Suffixes, cobra.ShellCompDirectiveFilterFileExt
		}
		return offers[at].Words, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// CompleteNoFiles keeps shells from offering files as the arguments of commands that take none: all below cmd that have no offer.
func CompleteNoFiles(cmd *cobra.Command) {
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, sub := range cmd.Commands() {
		CompleteNoFiles(sub)
	}
}

// CompleteVariants completes the flag "variant" of a command to the variants of the game that is its first argument.
func CompleteVariants(cmd *cobra.Command) {
	_ = cmd.RegisterFlagCompletionFunc("variant", func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		games, err := Games(args[:1])
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var names []string
		for _, v := range games[0].Info().Variants {
			names = append(names, v.Name)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
}
