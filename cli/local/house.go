package local

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/settings"
)

func houseCommand(c command.Console) *cobra.Command {
	addr, seed := "127.0.0.1:8000", uint64(1)
	cmd := &cobra.Command{
		Use: "house NAME", Short: "Serve a house bot",
		Long: "Serves one of the house's bots over HTTP and prints its address on stdout. With MOLERUN_SECRET set it answers only signed\n" +
			"requests. The house bots, the weakest first:\n\n" + strings.Join(houseList(), "\n\n"),
		Example: "  molerun house greedy --listen 127.0.0.1:8000",
		RunE: func(cmd *cobra.Command, args []string) error {
			bot, ok := house.Find(args[0])
			if !ok {
				return fmt.Errorf("%w: there is no house bot %q; there are %s", command.ErrUsage, args[0], strings.Join(house.Names(), ", "))
			}
			var secrets []string
			s, err := settings.Secret("")
			if err != nil {
				return err
			}
			if s != "" {
				secrets = append(secrets, s)
			}
			h, err := kit.Handler(bot.Kit(seed), secrets...)
			if err != nil {
				return err
			}
			l, err := command.Listen(cmd.Context(), addr)
			if err != nil {
				return fmt.Errorf("--listen: %w", err)
			}
			fmt.Fprintln(c.Out, command.URL(l.Addr()))
			return kit.ServeOn(cmd.Context(), l, h)
		},
	}
	cmd.Flags().StringVar(&addr, "listen", addr, "where the bot listens; port 0 takes a free one")
	cmd.Flags().Uint64Var(&seed, "seed", seed, "decides the bot's luck")
	return cmd
}

func houseList() []string {
	var out []string
	for _, name := range house.Names() {
		b, _ := house.Find(name)
		out = append(out, name+" "+b.About+".")
	}
	return out
}
