package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

func gameDTO(e game.Engine) wire.Game {
	i := e.Info()
	return wire.Game{
		ID:           i.ID,
		Name:         i.Name,
		RulesVersion: i.Version,
		MinSeats:     i.MinSeats,
		MaxSeats:     i.MaxSeats,
		Talk:         i.Talk,
		HiddenTeams:  i.Teams,
		Variants: each(i.Variants, func(v game.Variant) wire.Variant {
			return wire.Variant{Name: v.Name, Config: json.RawMessage(v.Config)}
		}),
		About:   wire.About(i.About),
		Schemas: append([]string{}, slices.Sorted(maps.Keys(e.Schemas()))...),
	}
}

func (s *Server) listGames(_ context.Context, _ op.Paging, p httpx.PageQuery) ([]wire.Game, string, error) {
	rows, next := httpx.Cut(s.Engines, p)
	return each(rows, gameDTO), next, nil
}

func (s *Server) getGame(_ context.Context, in wire.GameOf) (wire.Game, error) {
	return as(gameDTO)(s.game(in))
}

func (s *Server) getGameRules(c *gin.Context, in wire.GameOf) error {
	e, err := s.game(in)
	if err != nil {
		return err
	}
	text, err := fs.ReadFile(s.Files.docs, "rules/"+e.Info().ID+".md")
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: the rules of %s are not written down here", tournament.ErrNotFound, e.Info().ID)
	}
	if err != nil {
		return err
	}
	return httpx.SendBytes(c, http.StatusOK, "text/markdown; charset=utf-8", text)
}

func (s *Server) getGameSchema(c *gin.Context, in wire.GameSchemaOf) error {
	e, err := s.game(in.GameOf)
	if err != nil {
		return err
	}
	return sendSchema(c, e.Schemas(), in.Name)
}

func (s *Server) getProtocolSchema(c *gin.Context, in wire.ProtocolSchemaOf) error {
	return sendSchema(c, protocol.Schemas(), in.Name)
}

func sendSchema(c *gin.Context, schemas map[string]string, name string) error {
	text, ok := schemas[name]
	if !ok {
		return fmt.Errorf("%w: the schemas are %s", tournament.ErrNotFound, tournament.Listed(slices.Sorted(maps.Keys(schemas))))
	}
	return httpx.SendBytes(c, http.StatusOK, "application/schema+json", []byte(text))
}

// game returns the engine of a game.
func (s *Server) game(in wire.GameOf) (game.Engine, error) {
	e, ok := s.Engines.Find(in.Game)
	if !ok {
		return nil, fmt.Errorf("%w: it %s", tournament.ErrNotFound, s.Engines.NoGame())
	}
	return e, nil
}
