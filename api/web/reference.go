package web

import (
	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web/pages"
)

// Reference is the page on which the API can be read and tried.
//
// @Summary		The API to read and to try, for people
// @Description	Needs a script; /docs says the same without.
// @Tags			pages
// @Produce		text/html
// @Success		200	{string}	string	"a page"
// @Router			/api [get]
func (s *Pages) Reference(c *gin.Context) ([]byte, error) {
	if _, err := httpx.Query(c); err != nil {
		return nil, err
	}
	return s.site.Reference(pages.Page{Title: "API", About: "Every route of the API, to read and to try."})
}
