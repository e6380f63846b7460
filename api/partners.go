package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/tournament/store"
)

// Partners are the pairs of owners of whom one gains most from the other.
type Partners struct {
	Ladder string    `json:"ladder" example:"molehill"`
	Pairs  int       `json:"pairs"` // looked at: every owner with every other whose bots it has met
	Worst  []Partner `json:"worst"` // at most fifty, the worst first
} // @name Partners

// Partner is an owner who scores above expectation where bots of another owner sit.
type Partner struct {
	OwnerID   string  `json:"owner_id"`
	Owner     string  `json:"owner"`
	PartnerID string  `json:"partner_id"`
	Partner   string  `json:"partner"`
	Matches   int     `json:"matches"`    // rated, in which both sat
	Score     float64 `json:"score"`      // the owner's in them, 0 to 1 a match
	Expected  float64 `json:"expected"`   // what the ratings expected of it, 0 to 1 a match
	Elsewhere float64 `json:"elsewhere"`  // its score less its expectation of a match without the partner, -1 to 1
	Z         float64 `json:"z"`          // the surplus beyond what it has elsewhere, in standard deviations
	P         float64 `json:"p"`          // the chance of so large a surplus without an agreement is at most this
	Adjusted  float64 `json:"p_adjusted"` // p times the pairs looked at, at most 1
} // @name Partner

func partnerDTO(x store.Partnership) Partner {
	n := float64(x.Matches)
	return Partner{
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
// @Success	200	{object}	Partners
// @Failure	403	{object}	Problem
// @Failure	404	{object}	Problem
// @Router		/v1/admin/ladders/{id}/partners [get]
func (s *Server) listPartners(c *gin.Context) error {
	l, err := s.ladderOf(c)
	if err != nil {
		return err
	}
	worst, pairs, err := s.store.Partners(c.Request.Context(), l)
	if err != nil {
		return err
	}
	out := Partners{Ladder: l.ID, Pairs: pairs, Worst: make([]Partner, len(worst))}
	for i, x := range worst {
		out.Worst[i] = partnerDTO(x)
	}
	return s.send(c, http.StatusOK, out)
}
