package login

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
)

// Settings say at which issuer people log in. The zero Settings: at none; links log people in then ([Login.Enter]).
type Settings struct {
	Issuer       string // its URL, exactly as it names itself
	ClientID     string // the platform's name there
	ClientSecret string // the platform's secret there
	PublicURL    string // where browsers reach the platform; PublicURL + /login/callback is registered at the issuer
}

// On reports whether people log in.
func (s Settings) On() bool { return s.Issuer != "" }

// Check refuses settings that cannot work, or would send secrets readable for everybody on the way. It names all that is wrong.
func (s Settings) Check() error {
	if s == (Settings{}) {
		return nil
	}
	var all []error
	if s.ClientID == "" {
		all = append(all, errors.New("MOLERUN_OIDC_CLIENT_ID, the client's id, is missing"))
	}
	if s.ClientSecret == "" {
		all = append(all, errors.New("MOLERUN_OIDC_CLIENT_SECRET, the client's secret, is missing"))
	}
	all = append(all, checkAddress("MOLERUN_OIDC_ISSUER, the issuer", s.Issuer), checkAddress("MOLERUN_PUBLIC_URL, the public address", s.PublicURL))
	if u, err := url.Parse(s.PublicURL); err == nil && (u.Path != "" || u.RawQuery != "") {
		all = append(all, errors.New("MOLERUN_PUBLIC_URL, the public address, has a path: want scheme and host alone, as in https://molerun.example.org"))
	}
	return errors.Join(all...)
}

// CheckFor reports what [Settings.Check] does, and refuses that new accounts begin with a login where nobody logs in.
func (s Settings) CheckFor(r Registration) error {
	err := s.Check()
	if r == RegistrationLogin && !s.On() {
		err = errors.Join(err, errors.New("MOLERUN_REGISTRATION=login: new accounts need a login, and there is no issuer: set MOLERUN_OIDC_ISSUER, or choose open or closed"))
	}
	return err
}

// checkAddress refuses an address that is not https, except on this machine.
func checkAddress(what, raw string) error {
	u, err := url.Parse(raw)
	switch {
	case raw == "":
		return fmt.Errorf("%s, is missing", what)
	case err != nil, u.Host == "", u.User != nil, u.Fragment != "":
		return fmt.Errorf("%s: %q is no address", what, raw)
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		return fmt.Errorf("%s: %q must begin with https://", what, raw)
	}
	return nil
}

func loopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}
