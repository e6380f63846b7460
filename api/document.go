package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
)

// General facts of the document, read by swag.
//
//	@title			molerun
//	@version		1
//	@description	Tournaments of HTTP bots that play mole games. Lists come in pages: go on with next_cursor until it is null.
//	@description	Errors are application/problem+json with a stable code. Times are RFC 3339 in UTC. Unknown keys and unknown
//	@description	query parameters are refused.
//	@basePath		/
//	@accept			json
//	@produce		json
//	@securityDefinitions.apikey	Bearer
//	@in				header
//	@name			Authorization
var _ = http.MethodGet

// document is the OpenAPI document and its page for people, as generated.
type document struct {
	json  []byte
	html  []byte
	style string // the hash of the page's style, for its content security policy
}

// newDocument reads openapi.json, which is indented to be reviewed and served without that, and openapi.html.
func newDocument(docs fs.FS) (*document, error) {
	indented, err := fs.ReadFile(docs, "openapi.json")
	if err != nil {
		return nil, fmt.Errorf("api: the document: %w", err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, indented); err != nil {
		return nil, fmt.Errorf("api: the document: %w", err)
	}
	html, err := fs.ReadFile(docs, "openapi.html")
	if err != nil {
		return nil, fmt.Errorf("api: the document: %w", err)
	}
	_, style, _ := bytes.Cut(html, []byte("<style>"))
	style, _, found := bytes.Cut(style, []byte("</style>"))
	if !found {
		return nil, errors.New("api: the document: its page has no style element")
	}
	sum := sha256.Sum256(style)
	return &document{json: compact.Bytes(), html: html, style: base64.StdEncoding.EncodeToString(sum[:])}, nil
}

// @Summary	This API as an OpenAPI 3 document
// @Tags		operation
// @Success	200	{object}	object
// @Router		/openapi.json [get]
func (s *Server) openapi(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	httpx.SendBytes(c, http.StatusOK, httpx.JSONType, s.document.json)
	return nil
}

// @Summary	This API for people
// @Tags		operation
// @Produce	text/html
// @Success	200	{string}	string	"a page"
// @Router		/docs [get]
func (s *Server) docsPage(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	c.Header("Content-Security-Policy", "default-src 'none'; style-src 'sha256-"+s.document.style+"'; frame-ancestors 'none'")
	httpx.SendBytes(c, http.StatusOK, "text/html; charset=utf-8", s.document.html)
	return nil
}
