package api

import (
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// maxNote bounds the note of a token, in bytes.
const maxNote = 80

func tokenDTO(t tournament.Token) wire.Token {
	return wire.Token{ID: t.ID, Note: t.Note, CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt, RevokedAt: t.RevokedAt}
}

func tokenCreated(t tournament.Token, text string) wire.TokenCreated {
	return wire.TokenCreated{ID: t.ID, Token: text, Note: t.Note, CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt}
}

// @Summary	My tokens
// @Description	Revoked and expired ones too, the newest first. Secrets are not kept and cannot be shown.
// @Tags		users
// @Security	Bearer
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	wire.Page[wire.Token]
// @Router		/v1/tokens [get]
func (s *Server) listTokens(c *gin.Context) error {
	p, err := s.cursors.Page(c)
	if err != nil {
		return err
	}
	tokens, err := s.store.Tokens(c.Request.Context(), userID(c))
	if err != nil {
		return err
	}
	slices.SortStableFunc(tokens, func(a, b tournament.Token) int { return b.CreatedAt.Compare(a.CreatedAt) })
	rows, next := httpx.Cut(tokens, p)
	return httpx.SendPage(c, p, rows, next, tokenDTO)
}

// @Summary	Make a token
// @Description	Two may be live at once, so that one can be replaced without a break. The token is shown this once.
// @Tags		users
// @Security	Bearer
// @Accept		json
// @Param		body	body		wire.TokenCreate	true	"the token"
// @Success	201		{object}	wire.TokenCreated
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/tokens [post]
func (s *Server) createToken(c *gin.Context) error {
	in, err := read[wire.TokenCreate](c)
	if err != nil {
		return err
	}
	if in.Note != "" {
		if err := tournament.CheckText("/note", in.Note, maxNote); err != nil {
			return err
		}
	}
	if in.ExpiresAt != nil && !in.ExpiresAt.After(s.now()) {
		return &tournament.FieldError{Pointer: "/expires_at", Reason: "lies in the past"}
	}
	text, id, hash, err := tournament.NewToken(s.rand)
	if err != nil {
		return err
	}
	token, err := s.store.CreateToken(s.store.WithQuota(c.Request.Context(), userID(c), store.Tokens, s.limits.Tokens),
		tournament.Token{ID: id, UserID: userID(c), Hash: hash, Note: in.Note, ExpiresAt: in.ExpiresAt})
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusCreated, tokenCreated(token, text))
}

// @Summary	Revoke a token
// @Description	Takes effect with the next request. Revoking the token you are using is allowed.
// @Tags		users
// @Security	Bearer
// @Param		id	path	string	true	"id of the token"
// @Success	204
// @Failure	404	{object}	wire.Problem
// @Router		/v1/tokens/{id} [delete]
func (s *Server) deleteToken(c *gin.Context) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	if len(c.Param("id")) != tournament.TokenIDLen {
		return tournament.ErrNotFound
	}
	if err := s.store.RevokeToken(c.Request.Context(), userID(c), c.Param("id")); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}
