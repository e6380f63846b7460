package api

import (
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
)

// textsOf are the texts of a request, their lines ended as everywhere: files of some systems end them in two characters.
func textsOf(in wire.Texts) tournament.Texts {
	lines := func(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
	return tournament.Texts{
		Description: lines(in.Description),
		Rules:       lines(in.Rules),
		Prizes:      lines(in.Prizes),
	}
}

// setTexts writes what a patch says of texts, if it says it.
func setTexts(to *wire.Texts, p wire.TextsPatch) {
	set(&to.Description, p.Description)
	set(&to.Rules, p.Rules)
	set(&to.Prizes, p.Prizes)
}

// @Summary	Change what is written about a tournament
// @Description	By its organiser, until it is over: what is left out stays, and an empty text takes one away. Markdown, kept as written.
// @Tags		tournaments
// @Security	Bearer
// @Accept		json
// @Param		id		path		string					true	"id of the tournament"
// @Param		body	body		wire.TournamentPatch	true	"what is to change"
// @Success	200		{object}	wire.Tournament
// @Failure	403		{object}	wire.Problem
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/tournaments/{id} [patch]
func (s *Server) patchTournament(c *gin.Context) error {
	p, err := read[wire.TournamentPatch](c)
	if err != nil {
		return err
	}
	t, err := s.myTournament(c)
	if err != nil {
		return err
	}
	t, err = s.director.Write(c.Request.Context(), t.ID, func(texts *tournament.Texts) {
		is := wire.Texts(*texts)
		setTexts(&is, p.TextsPatch)
		*texts = textsOf(is)
	})
	if err != nil {
		return err
	}
	return s.sendTournament(c, t)
}
