package login

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament"
)

const (
	issuerTime  = 8 * time.Second // for one request to the issuer
	issuerPause = 5 * time.Second // after it could not be reached, before it is tried again
	maxAnswer   = 1 << 20         // bytes of an answer of the issuer
	maxAhead    = time.Minute     // how much the issuer's clock may be fast
	maxSubject  = 255             // ASCII characters, by OpenID Connect Core 2
)

// issuer is where people log in. It is asked for its endpoints when somebody first logs in, so that the platform starts without it.
type issuer struct {
	settings Settings
	now      func() time.Time
	client   *http.Client

	mu    sync.Mutex
	found *endpoints
	again time.Time // not before: it was away
}

// endpoints are what the issuer says about itself.
type endpoints struct {
	oauth     oauth2.Config
	verifier  *oidc.IDTokenVerifier
	tellsIss  bool // it names itself in the answer that the browser brings (RFC 9207)
	hasDevice bool
}

func newIssuer(s Settings, now func() time.Time) *issuer {
	return &issuer{settings: s, now: now, client: &http.Client{
		Transport:     bounded{&http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// bounded reads each answer to its end at once, within its time and size: a library that forgets to close one holds nothing.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), issuerTime)
	defer cancel()
	answer, err := b.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, answer.Body, maxAnswer))
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		return nil, err
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	return answer, nil
}

// away returns [httpx.ErrIssuer] with the reason, for the log.
func away(err error) error { return fmt.Errorf("%w: %w", httpx.ErrIssuer, err) }

// ask finds the endpoints, once for all.
func (i *issuer) ask(ctx context.Context) (*endpoints, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.found != nil {
		return i.found, nil
	}
	if i.now().Before(i.again) {
		return nil, away(errors.New("it was away a moment ago"))
	}
	e, err := i.discover(context.WithoutCancel(ctx)) // for all who log in: a tab that is closed says nothing of the issuer
	if err != nil {
		i.again = i.now().Add(issuerPause)
		return nil, away(err)
	}
	i.found = e
	return e, nil
}

func (i *issuer) discover(ctx context.Context) (*endpoints, error) {
	p, err := oidc.NewProvider(oidc.ClientContext(ctx, i.client), i.settings.Issuer)
	if err != nil {
		return nil, err
	}
	var says struct {
		Keys     string   `json:"jwks_uri"`
		TellsIss bool     `json:"authorization_response_iss_parameter_supported"`
		Ways     []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := p.Claims(&says); err != nil {
		return nil, err
	}
	at := p.Endpoint()
	at.AuthStyle = oauth2.AuthStyleInHeader // asked twice, an issuer refuses a code: never try one style and then the other
	if len(says.Ways) > 0 && !slices.Contains(says.Ways, "client_secret_basic") {
		at.AuthStyle = oauth2.AuthStyleInParams
	}
	err = errors.Join(checkAddress("authorization_endpoint", at.AuthURL), checkAddress("token_endpoint", at.TokenURL), checkAddress("jwks_uri", says.Keys))
	if at.DeviceAuthURL != "" {
		err = errors.Join(err, checkAddress("device_authorization_endpoint", at.DeviceAuthURL))
	}
	return &endpoints{
		oauth: oauth2.Config{
			ClientID:     i.settings.ClientID,
			ClientSecret: i.settings.ClientSecret,
			Endpoint:     at,
			RedirectURL:  i.settings.PublicURL + callbackPath,
			Scopes:       []string{oidc.ScopeOpenID},
		},
		verifier:  p.Verifier(&oidc.Config{ClientID: i.settings.ClientID, Now: i.now}),
		tellsIss:  says.TellsIss,
		hasDevice: at.DeviceAuthURL != "",
	}, err
}

// exchange asks the token endpoint, and returns who its ID token names. The token itself is dropped.
func (i *issuer) exchange(ctx context.Context, e *endpoints, code, nonce string, more ...oauth2.AuthCodeOption) (tournament.Identity, error) {
	ctx = oidc.ClientContext(ctx, i.client)
	token, err := e.oauth.Exchange(ctx, code, more...)
	var said *oauth2.RetrieveError
	switch {
	case errors.As(err, &said) && said.Response.StatusCode < http.StatusInternalServerError &&
		said.Response.StatusCode != http.StatusRequestTimeout && said.Response.StatusCode != http.StatusTooManyRequests:
		return tournament.Identity{}, doubt("%w", said)
	case err != nil:
		return tournament.Identity{}, away(err)
	}
	raw, _ := token.Extra("id_token").(string)
	return i.verify(ctx, e, raw, nonce)
}

// verify checks an ID token by OpenID Connect Core 3.1.3.7: what the library does not look at is looked at here.
func (i *issuer) verify(ctx context.Context, e *endpoints, raw, nonce string) (tournament.Identity, error) {
	who := tournament.Identity{Issuer: i.settings.Issuer}
	token, err := e.verifier.Verify(ctx, raw)
	if err != nil {
		return who, doubt("%w", err)
	}
	var says struct {
		Party string `json:"azp"`
	}
	if err := token.Claims(&says); err != nil {
		return who, doubt("%w", err)
	}
	who.Subject = token.Subject
	switch {
	case subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(nonce)) != 1:
		return who, doubt("the ID token has another nonce")
	case says.Party != "" && says.Party != i.settings.ClientID:
		return who, doubt("the ID token was made for %q", says.Party)
	case says.Party == "" && len(token.Audience) > 1:
		return who, doubt("the ID token is for several, and does not say for whom it was made")
	case token.IssuedAt.Unix() <= 0:
		return who, doubt("the ID token does not say when it was made")
	case token.IssuedAt.After(i.now().Add(maxAhead)):
		return who, doubt("the ID token is of the future")
	case !isSubject(token.Subject):
		return who, doubt("the ID token names nobody: its subject is empty, too long or no ASCII")
	}
	return who, nil
}

func isSubject(s string) bool {
	return s != "" && len(s) <= maxSubject && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}
