package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament/director"
)

func partnerDTO(x director.Partnership) wire.Partner {
	n := float64(x.Matches)
	return wire.Partner{
		OwnerID: x.OwnerID, Owner: x.Owner, PartnerID: x.PartnerID, Partner: x.Surplus.Partner, Matches: x.Matches,
		Score: x.Score / n, Expected: x.Expected / n, Elsewhere: x.Elsewhere, Z: x.Z, P: x.P, Adjusted: x.Adjusted,
	}
}

// @Summary	Who gains from whom on a ladder
// @Description	For administrators: the owners who score farthest above what the ratings expect where one other owner's bots sit, and
// @Description	nowhere else, in the last 50,000 rated matches. A small p_adjusted is a reason to look at their matches, no proof.
// @Tags		operation
// @Security	Bearer
// @Param		id	path		string	true	"id of the ladder"
// @Success	200	{object}	wire.Partners
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Router		/v1/admin/ladders/{id}/partners [get]
func (s *Server) listPartners(c *gin.Context) error {
	l, err := s.ladderOf(c)
	if err != nil {
		return err
	}
	worst, pairs, err := s.director.Partners(c.Request.Context(), l)
	if err != nil {
		return err
	}
	out := wire.Partners{Ladder: l.ID, Pairs: pairs, Worst: make([]wire.Partner, len(worst))}
	for i, x := range worst {
		out.Worst[i] = partnerDTO(x)
	}
	return httpx.Send(c, http.StatusOK, out)
}
