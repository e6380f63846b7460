package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// helpWide is how many columns help fits into.
const helpWide = 80

// help writes what a command does, in [helpWide] columns. Cobra's own would let long lines run on.
func help(cmd *cobra.Command, _ []string) {
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "%s\n\nUsage:\n", paragraphs(cmp.Or(cmd.Long, cmd.Short)))
	if cmd.Runnable() {
		fmt.Fprintln(w, wrapped("  ", "      ", cmd.UseLine()))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s COMMAND\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprintln(w, "\nExamples:")
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			fmt.Fprintln(w, example(line))
		}
	}
	commands(w, cmd)
	if cmd.HasAvailableLocalFlags() {
		fmt.Fprintf(w, "\nFlags:\n%s", cmd.LocalFlags().FlagUsagesWrapped(helpWide))
	}
	if cmd.HasAvailableInheritedFlags() {
		fmt.Fprintf(w, "\nFlags of every command here:\n%s", cmd.InheritedFlags().FlagUsagesWrapped(helpWide))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n%s COMMAND --help says more about a command.\n", cmd.CommandPath())
	}
}

// commands lists the commands below one, by group where there are groups.
func commands(w io.Writer, cmd *cobra.Command) {
	groups := cmd.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands:"}}
	}
	for _, g := range groups {
		headed := false
		for _, sub := range cmd.Commands() {
			if sub.GroupID != g.ID || !sub.IsAvailableCommand() && sub.Name() != "help" {
				continue
			}
			if !headed {
				fmt.Fprintf(w, "\n%s\n", g.Title)
				headed = true
			}
			name := fmt.Sprintf("  %-*s ", sub.NamePadding(), sub.Name())
			fmt.Fprintln(w, wrapped(name, strings.Repeat(" ", len(name)), sub.Short))
		}
	}
}

// paragraphs rewraps all lines but those that begin with a space. Lines that follow each other are one text.
func paragraphs(text string) string {
	var out []string
	var open []string
	flush := func() {
		if len(open) > 0 {
			out, open = append(out, wrapped("", "", strings.Join(open, " "))), nil
		}
	}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if line == "" || strings.HasPrefix(line, " ") {
			flush()
			out = append(out, line)
			continue
		}
		open = append(open, line)
	}
	flush()
	return strings.Join(out, "\n")
}

// wrapped breaks a text between words; its lines begin with first and rest.
func wrapped(first, rest, text string) string {
	lines, line := []string{}, first
	for i, word := range strings.Fields(text) {
		if i > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > helpWide {
			lines, line = append(lines, line), rest+word
			continue
		}
		if i > 0 {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}

// example returns a line of a shell, broken as a shell takes it.
func example(line string) string {
	var lines []string
	for utf8.RuneCountInString(line) > helpWide {
		at := strings.LastIndex(line[:helpWide-2], " -")
		if at < helpWide/2 {
			at = strings.LastIndex(line[:helpWide-2], " ")
		}
		if strings.TrimSpace(line[:max(at, 0)]) == "" {
			break
		}
		lines, line = append(lines, line[:at]+` \`), "      "+line[at+1:]
	}
	return strings.Join(append(lines, line), "\n")
}
