package api

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"

	"github.com/gin-gonic/gin"

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

// owns tells whether the caller is that owner or an administrator.
func owns(c *gin.Context, ownerID string) bool {
	who := whoIs(c)
	return who != nil && (who.user.ID == ownerID || who.user.Role == tournament.RoleAdmin)
}

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
	q := l.take(key, s.now())
	c.Header("RateLimit-Policy", l.policy())
	c.Header("RateLimit", l.header(q))
	switch {
	case !q.ok:
		return &waitError{q.reset}
	case r.need == anybody:
		return nil
	case who == nil:
		return errToken
	case !who.user.Role.Reaches(r.need):
		return tournament.ErrRole
	}
	return nil
}

// spend counts a request against one of the tighter rates.
func (s *Server) spend(c *gin.Context, l *shared, key string) error {
	q, err := l.take(c.Request.Context(), key)
	if err != nil {
		return err
	}
	c.Writer.Header().Add("RateLimit-Policy", l.policy())
	c.Writer.Header().Add("RateLimit", l.header(q))
	if !q.ok {
		return &waitError{q.reset}
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
	if errors.Is(err, errToken) {
		return nil, s.tooMany(c, s.failedAuth, addressKey(c.ClientIP()), err)
	}
	return who, err
}

// tooMany counts a wrong guess against a rate: err, or when the rate is used up, that the caller must wait.
func (s *Server) tooMany(c *gin.Context, l *shared, key string, err error) error {
	q, failed := l.take(c.Request.Context(), key)
	switch {
	case failed != nil:
		return failed
	case !q.ok:
		return &waitError{q.reset}
	}
	return err
}

func (s *Server) lookup(c *gin.Context, fields []string) (*caller, error) {
	scheme, text, _ := strings.Cut(fields[0], " ")
	if len(fields) > 1 || len(fields[0]) > tokenMaxBytes || !strings.EqualFold(scheme, "Bearer") {
		return nil, errToken
	}
	id, hash, ok := parseToken(text)
	if !ok {
		return nil, errToken
	}
	token, user, err := s.store.TokenByID(c.Request.Context(), id)
	if err != nil && !errors.Is(err, tournament.ErrNotFound) {
		return nil, err
	}
	known := err == nil // an unknown id is compared too, with nothing: it takes as long
	same := subtle.ConstantTimeCompare(hash[:], token.Hash[:]) == 1
	live := token.RevokedAt == nil && (token.ExpiresAt == nil || s.now().Before(*token.ExpiresAt))
	if !known || !same || !live {
		return nil, errToken
	}
	if user.DisabledAt != nil {
		return nil, fmt.Errorf("%w: %s", tournament.ErrDisabled, user.DisabledReason)
	}
	return &caller{user, token.ID}, nil
}
