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

// Finish gives a command, and all below it, what follows from the rest of it: how many arguments it takes, from its Use; help, where it only
// holds others; and no files for shells to offer where it offers nothing else.
func Finish(cmd *cobra.Command) {
	if cmd.Args == nil {
		cmd.Args = argsOf(cmd.Use)
	}
	if !cmd.Runnable() {
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, sub := range cmd.Commands() {
		Finish(sub)
	}
}

// FlagWords completes a flag of a command to some words.
func FlagWords(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)) // there is such a flag
}

// WordFlag gives a command a flag that is one of some words, which its help lists.
func WordFlag(cmd *cobra.Command, to *string, flag string, words ...string) {
	cmd.Flags().StringVar(to, flag, *to, Listed(words))
	FlagWords(cmd, flag, words...)
}

// Listed returns words as a sentence lists them: "round_robin, swiss or sprt".
func Listed(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// CompleteVariants completes the flag "variant" of a command to the variants of the game that is its first argument.
func CompleteVariants(cmd *cobra.Command) {
	_ = cmd.RegisterFlagCompletionFunc("variant", func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		e, err := Game(args[0])
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return variantsOf(e.Info()), cobra.ShellCompDirectiveNoFileComp
	})
}
