package api

import (
	"cmp"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament"
)

// caller is who asks, proved by a token.
type caller struct {
	user    tournament.User
	tokenID string
}

// whoIs is the caller of the request; nil is anonymous.
func whoIs(c *gin.Context) *caller {
	who, _ := c.Value(keyCaller).(*caller)
	return who
}

// userID is the caller's id; "" is anonymous.
func userID(c *gin.Context) string {
	if who := whoIs(c); who != nil {
		return who.user.ID
	}
	return ""
}

// tokenID is the id of the caller's token; "" is anonymous.
func tokenID(c *gin.Context) string {
	if who := whoIs(c); who != nil {
		return who.tokenID
	}
	return ""
}

// owns reports whether the caller is that owner or an administrator.
func owns(c *gin.Context, ownerID string) bool {
	who := whoIs(c)
	return who != nil && (who.user.ID == ownerID || who.user.Role == tournament.RoleAdmin)
}

// maxAuthorization bounds the Authorization header that is looked at, in bytes.
const maxAuthorization = 512

// admit finds out who asks, counts the request against their rate, and holds their role against what the route needs.
func (s *Server) admit(c *gin.Context, r route) error {
	who, err := s.authenticate(c)
	if err != nil {
		return err
	}
	key := addressKey(c.ClientIP())
	if who != nil {
		c.Set(keyCaller, who)
		key = "user:" + who.user.ID
	}
	l := s.everything
	if strings.HasPrefix(r.path, "/v1/relays/") {
		l = s.relays
	}
	if err := l.Spend(c, key, s.now()); err != nil {
		return err
	}
	switch {
	case r.need == anybody:
		return nil
	case who == nil:
		return httpx.ErrToken
	case !who.user.Role.Reaches(r.need):
		return tournament.ErrRole
	}
	return nil
}

// authenticate reads the bearer token; nil without one. Every way to be wrong looks the same from outside. An address that was
// wrong too often is told to wait, but a good token passes there all the same, whoever else is at the address: with 256
// random bits guessing is hopeless at any speed, and a wrong token costs no more than a look by its id.
func (s *Server) authenticate(c *gin.Context) (*caller, error) {
	fields := c.Request.Header.Values("Authorization")
	if len(fields) == 0 {
		return nil, nil
	}
	who, err := s.lookup(c, fields)
	if errors.Is(err, httpx.ErrToken) {
		return nil, cmp.Or(s.failedAuth.Count(c.Request.Context(), addressKey(c.ClientIP())), err)
	}
	return who, err
}

func (s *Server) lookup(c *gin.Context, fields []string) (*caller, error) {
	scheme, text, _ := strings.Cut(fields[0], " ")
	if len(fields) > 1 || len(fields[0]) > maxAuthorization || !strings.EqualFold(scheme, "Bearer") {
		return nil, httpx.ErrToken
	}
	id, hash, ok := tournament.ParseToken(text)
	if !ok {
		return nil, httpx.ErrToken
	}
	token, user, err := s.store.TokenByID(c.Request.Context(), id)
	if err != nil && !errors.Is(err, tournament.ErrNotFound) {
		return nil, err
	}
	known := err == nil // an unknown id is compared too, with nothing: it takes as long
	same := subtle.ConstantTimeCompare(hash[:], token.Hash[:]) == 1
	live := token.RevokedAt == nil && (token.ExpiresAt == nil || s.now().Before(*token.ExpiresAt))
	if !known || !same || !live {
		return nil, httpx.ErrToken
	}
	if user.DisabledAt != nil {
		return nil, fmt.Errorf("%w: %s", tournament.ErrDisabled, user.DisabledReason)
	}
	return &caller{user, token.ID}, nil
}
