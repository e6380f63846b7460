package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

func gameDTO(e game.Engine) wire.Game {
	i := e.Info()
	g := wire.Game{
		ID:           i.ID,
		Name:         i.Name,
		RulesVersion: i.Version,
		MinSeats:     i.MinSeats,
		MaxSeats:     i.MaxSeats,
		Talk:         i.Talk,
		HiddenTeams:  i.Teams,
		Variants:     make([]wire.Variant, 0, len(i.Variants)),
		Schemas:      slices.Sorted(maps.Keys(e.Schemas())),
	}
	if g.Schemas == nil {
		g.Schemas = []string{}
	}
	for _, v := range i.Variants {
		g.Variants = append(g.Variants, wire.Variant{Name: v.Name, Config: json.RawMessage(v.Config)})
	}
	return g
}

func (s *Server) listGames(c *gin.Context) error {
	p, err := s.cursors.Page(c)
	if err != nil {
		return err
	}
	rows, next := httpx.Cut(s.engines, p)
	return httpx.SendPage(c, p, rows, next, gameDTO)
}

func (s *Server) getGame(c *gin.Context) error {
	e, err := s.gameOf(c)
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, gameDTO(e))
}

func (s *Server) getGameRules(c *gin.Context) error {
	e, err := s.gameOf(c)
	if err != nil {
		return err
	}
	text, err := fs.ReadFile(s.docs, "rules/"+e.Info().ID+".md")
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: the rules of %s are not written down here", tournament.ErrNotFound, e.Info().ID)
	}
	if err != nil {
		return err
	}
	httpx.SendBytes(c, http.StatusOK, "text/markdown; charset=utf-8", text)
	return nil
}

func (s *Server) getGameSchema(c *gin.Context) error {
	e, err := s.gameOf(c)
	if err != nil {
		return err
	}
	return sendSchema(c, e.Schemas())
}

func (s *Server) getProtocolSchema(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	return sendSchema(c, protocol.Schemas())
}

func sendSchema(c *gin.Context, schemas map[string]string) error {
	text, ok := schemas[c.Param("name")]
	if !ok {
		return fmt.Errorf("%w: the schemas are %v", tournament.ErrNotFound, slices.Sorted(maps.Keys(schemas)))
	}
	httpx.SendBytes(c, http.StatusOK, "application/schema+json", []byte(text))
	return nil
}

// gameOf is the engine the path names; such routes take no query.
func (s *Server) gameOf(c *gin.Context) (game.Engine, error) {
	if _, err := httpx.Query(c); err != nil {
		return nil, err
	}
	e, ok := s.engines.Find(c.Param("game"))
	if !ok {
		return nil, fmt.Errorf("%w: there is no such game; /v1/games lists them", tournament.ErrNotFound)
	}
	return e, nil
}
