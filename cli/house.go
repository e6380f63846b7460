package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
)

func houseCommand(c console) *cobra.Command {
	addr, seed := "127.0.0.1:8000", uint64(1)
	cmd := &cobra.Command{
		Use: "house NAME", Short: "Serve a house bot",
		Long: "Serves one of the house's bots over HTTP and prints its address on stdout. With MOLERUN_SECRET set it answers only signed\n" +
			"requests. House bots: " + strings.Join(houseList(), "; ") + ".",
		Example: "  molerun house greedy --listen 127.0.0.1:8000",
		Args:    usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			bot, ok := house.Find(args[0])
			if !ok {
				return fmt.Errorf("%w: there is no house bot %q; there are %s", errUsage, args[0], strings.Join(house.Names(), ", "))
			}
			var secrets []string
			if s := os.Getenv("MOLERUN_SECRET"); s != "" {
				secrets = append(secrets, s)
			}
			h, err := kit.Handler(bot.Kit(seed), secrets...)
			if err != nil {
				return err
			}
			l, err := listen(cmd.Context(), addr)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.out, "http://%s\n", l.Addr())
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
		out = append(out, name+" "+b.About)
	}
	return out
}

// serveHouse serves the house bot that name begins with on a free port of this machine until ctx ends, for one game.
func serveHouse(ctx context.Context, group *errgroup.Group, name, gameID string, seed uint64) (url, secret string, err error) {
	strength, _, _ := strings.Cut(name, "-")
	bot, ok := house.Find(strength)
	if !ok || !slices.Contains(bot.Games, gameID) {
		return "", "", fmt.Errorf("the house has no %s for %s", strength, gameID)
	}
	if secret, err = protocol.NewSecret(rand.Reader); err != nil {
		return "", "", err
	}
	card := bot.Kit(seed)
	card.Name = name
	for id := range card.Games {
		if id != gameID {
			delete(card.Games, id)
		}
	}
	h, err := kit.Handler(card, secret)
	if err != nil {
		return "", "", err
	}
	var l net.Listener
	if l, err = listen(ctx, "127.0.0.1:0"); err != nil {
		return "", "", err
	}
	group.Go(func() error { return kit.ServeOn(ctx, l, h) })
	return "http://" + l.Addr().String() + "/", secret, nil
}
