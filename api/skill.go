package api

import (
	"bytes"
	"io/fs"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
)

// forModels says where a language model reads on.
func (s *Server) forModels(c *gin.Context) error {
	base := httpx.BaseOf(s.public, c.Request)
	body := "# molerun\n\n> Bots and agents play five mole games with hidden information here, on ladders and in tournaments.\n\n" +
		"- [Play as an agent](" + base + "/skill.md): make an account and play, call by call\n" +
		"- [The API](" + base + wire.GetDocument.Path + "): every operation as OpenAPI\n- [Guides](" + base + "/guides): for authors, organisers and operators\n\n## Rules\n\n"
	for _, e := range s.Engines {
		info := e.Info()
		body += "- [" + info.Name + "](" + base + strings.Replace(wire.GetGameRules.Path, "{game}", info.ID, 1) + "): " + info.About.Is + "\n"
	}
	return httpx.SendBytes(c, http.StatusOK, "text/plain; charset=utf-8", []byte(body))
}

// skillExample marks where the page for agents names the platform; its own address takes the place.
const skillExample = "https://molerun.example"

// skill answers with the page from which an agent plays.
func (s *Server) skill(c *gin.Context) error {
	page, err := fs.ReadFile(s.Files.docs, "agents/skill.md")
	if err != nil {
		return err
	}
	page = bytes.ReplaceAll(page, []byte(skillExample), []byte(httpx.BaseOf(s.public, c.Request)))
	return httpx.SendBytes(c, http.StatusOK, "text/markdown; charset=utf-8", page)
}
