package api

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/web"
)

// forPeople makes a route whose answer is for people, errors too for those who ask for a page.
func forPeople(do func(*web.Pages, *gin.Context) ([]byte, error)) func(*Server, *gin.Context) error {
	return func(s *Server, c *gin.Context) error {
		status := http.StatusOK
		body, err := do(s.pages, c)
		if err != nil {
			k := kindOf(err)
			if k.Status >= http.StatusInternalServerError || !strings.Contains(c.GetHeader("Accept"), "text/html") {
				return err // who did not ask for a page gets the problem
			}
			status = k.Status
			if body, err = s.pages.Problem(k.Title, k.Advice); err != nil {
				return err
			}
		}
		web.Send(c, status, body)
		return nil
	}
}

// of makes a route of what the pages answer themselves.
func of(do func(*web.Pages, *gin.Context) error) func(*Server, *gin.Context) error {
	return func(s *Server, c *gin.Context) error { return do(s.pages, c) }
}
