package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/tournament"
)

// takeSeat seats a person at a table of bots ([web.Pages.TakeSeat]).
func (s *Server) takeSeat(c *gin.Context) error {
	if s.limits.Guests == 0 {
		return tournament.ErrNotFound
	}
	address, err := s.gate.TakeSeat(c)
	if err != nil {
		return err
	}
	return s.pages.TakeSeat(c, address, refusal)
}

// sitting is the page of a person's seat; one that waits for news takes the place of a stream.
func (s *Server) sitting(c *gin.Context) error {
	if c.Request.URL.RawQuery != "" {
		leave, err := s.gate.HoldStream(c)
		if err != nil {
			return err
		}
		defer leave()
		gate.Lasts(c)
	}
	return forPeople((*web.Pages).Seat)(s, c)
}

func (s *Server) decide(c *gin.Context) error { return s.pages.Decide(c, refusal) }

func (s *Server) leaveSeat(c *gin.Context) error { return s.pages.LeaveSeat(c) }

// refusal is how a page tells a person what was wrong with a form; 0 is an error of ours, which a page does not tell.
func refusal(err error) (status int, why string) {
	k := gate.KindOf(err)
	if k.Status >= http.StatusInternalServerError {
		return 0, ""
	}
	return k.Status, gate.Detail(k, err)
}
