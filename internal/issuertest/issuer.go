package issuertest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// The client that the issuer knows.
const (
	ClientID     = "molerun"
	ClientSecret = "a secret of thirty-two characters"
)

// KeyID names the issuer's key.
const KeyID = "key-1"

// Faults are ways to be wrong; nil is none.
type Faults struct {
	Discovery func(map[string]any)                  // changes what the issuer says about itself
	Back      func(url.Values)                      // changes what the browser brings back
	Claims    func(map[string]any)                  // changes what the ID token says
	Sign      func(i *Issuer, claims []byte) string // makes the ID token
	Token     http.HandlerFunc                      // answers in place of the token endpoint
	Down      bool                                  // answers 503 to everything
}

// Issuer is an issuer on loopback. Whoever types a name into its form is logged in under it.
type Issuer struct {
	URL      string
	Redirect string           // the only address that a browser is led back to
	Now      func() time.Time // nil: the system's clock
	Key      *ecdsa.PrivateKey

	t       *testing.T
	mu      sync.Mutex
	faults  Faults
	serial  int
	codes   map[string]grant
	devices map[string]*device // by device code
	asked   int
}

// grant is what a code grants.
type grant struct{ who, nonce, challenge, redirect string }

// device is a login on a device.
type device struct {
	user   string // the code that its person types
	who    string // "" until they have agreed
	denied bool
	next   time.Time
}

// DeviceEvery is how long a device must wait between two looks.
const DeviceEvery = time.Second

// New starts an issuer that ends with the test.
func New(t *testing.T) *Issuer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	i := &Issuer{
		t:       t,
		Key:     key,
		Now:     time.Now,
		codes:   map[string]grant{},
		devices: map[string]*device{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", i.discovery)
	mux.HandleFunc("GET /keys", i.keys)
	mux.HandleFunc("GET /authorize", i.form)
	mux.HandleFunc("POST /authorize", i.agree)
	mux.HandleFunc("POST /token", i.token)
	mux.HandleFunc("POST /device", i.startDevice)
	mux.HandleFunc("GET /code", i.deviceForm)
	mux.HandleFunc("POST /code", i.agreeDevice)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if i.wrong().Down {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	i.URL = server.URL
	return i
}

// Break makes the issuer wrong from now on.
func (i *Issuer) Break(f Faults) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.faults = f
}

func (i *Issuer) wrong() Faults {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.faults
}

// Asked returns how often the token endpoint was asked.
func (i *Issuer) Asked() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.asked
}

// draw returns a text that nobody guesses, or takes for another.
func (i *Issuer) draw(what string) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.serial++
	return fmt.Sprintf("%s-%d-%s", what, i.serial, rand.Text())
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func refuse(w http.ResponseWriter, word string) {
	answer(w, http.StatusBadRequest, map[string]string{"error": word})
}

func (i *Issuer) discovery(w http.ResponseWriter, _ *http.Request) {
	says := map[string]any{
		"issuer":                                         i.URL,
		"authorization_endpoint":                         i.URL + "/authorize",
		"token_endpoint":                                 i.URL + "/token",
		"device_authorization_endpoint":                  i.URL + "/device",
		"jwks_uri":                                       i.URL + "/keys",
		"response_types_supported":                       []string{"code"},
		"subject_types_supported":                        []string{"public"},
		"id_token_signing_alg_values_supported":          []string{"ES256", "HS256", "none"},
		"code_challenge_methods_supported":               []string{"S256"},
		"token_endpoint_auth_methods_supported":          []string{"client_secret_basic"},
		"authorization_response_iss_parameter_supported": true,
	}
	if change := i.wrong().Discovery; change != nil {
		change(says)
	}
	answer(w, http.StatusOK, says)
}

func (i *Issuer) keys(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.Key.Public(), KeyID: KeyID, Algorithm: "ES256", Use: "sig"}}})
}

var page = template.Must(template.New("form").Parse(`<!doctype html><html lang="en"><head><title>Issuer</title><link rel="icon" href="data:,"></head>
<body><form method="post" action="{{.}}"><label>Who are you <input name="who" id="who"></label><button id="agree">Log in</button></form></body></html>`))

// form asks who it is, if the client asks as it must.
func (i *Issuer) form(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	for name, want := range map[string]string{
		"response_type":         "code",
		"client_id":             ClientID,
		"redirect_uri":          i.Redirect,
		"scope":                 "openid",
		"code_challenge_method": "S256",
	} {
		if q.Get(name) != want {
			i.t.Errorf("the client sends %s=%q to the issuer, want %q", name, q.Get(name), want)
		}
	}
	for _, name := range []string{"state", "nonce", "code_challenge"} {
		if len(q.Get(name)) != 43 {
			i.t.Errorf("the client sends %s=%q to the issuer, want 43 characters", name, q.Get(name))
		}
	}
	_ = page.Execute(w, "/authorize?"+r.URL.RawQuery)
}

// agree leads back with a code.
func (i *Issuer) agree(w http.ResponseWriter, r *http.Request) {
	q, code := r.URL.Query(), i.draw("code")
	i.mu.Lock()
	i.codes[code] = grant{who: r.PostFormValue("who"), nonce: q.Get("nonce"), challenge: q.Get("code_challenge"), redirect: q.Get("redirect_uri")}
	i.mu.Unlock()
	back := url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {i.URL}}
	if change := i.wrong().Back; change != nil {
		change(back)
	}
	http.Redirect(w, r, i.Redirect+"?"+back.Encode(), http.StatusFound)
}

// token redeems a code, once, or says how far a device is.
func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	f := i.wrong()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked++
	if f.Token != nil {
		f.Token(w, r)
		return
	}
	id, secret, basic := r.BasicAuth()
	if plain, err := url.QueryUnescape(secret); !basic || err != nil || id != ClientID || plain != ClientSecret {
		answer(w, http.StatusUnauthorized, map[string]string{"error": "invalid_client"})
		return
	}
	who, nonce := "", ""
	switch r.PostFormValue("grant_type") {
	case "authorization_code":
		code := r.PostFormValue("code")
		g, known := i.codes[code]
		delete(i.codes, code)
		sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
		if !known || g.redirect != r.PostFormValue("redirect_uri") || g.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
			refuse(w, "invalid_grant")
			return
		}
		who, nonce = g.who, g.nonce
	case "urn:ietf:params:oauth:grant-type:device_code":
		word := ""
		if who, word = i.deviceOf(r.PostFormValue("device_code")); word != "" {
			refuse(w, word)
			return
		}
	default:
		refuse(w, "unsupported_grant_type")
		return
	}
	answer(w, http.StatusOK, map[string]any{
		"access_token": "access",
		"token_type":   "Bearer",
		"expires_in":   300,
		"id_token":     i.idToken(f, who, nonce),
	})
}

func (i *Issuer) idToken(f Faults, who, nonce string) string {
	claims := map[string]any{
		"iss": i.URL,
		"sub": "sub-" + who,
		"aud": ClientID,
		"iat": i.Now().Unix(),
		"exp": i.Now().Add(5 * time.Minute).Unix(),
	}
	if nonce != "" {
		claims["nonce"] = nonce
	}
	if f.Claims != nil {
		f.Claims(claims)
	}
	body, err := json.Marshal(claims)
	if err != nil {
		i.t.Error(err)
	}
	if f.Sign != nil {
		return f.Sign(i, body)
	}
	return i.Sign(jose.ES256, i.Key, KeyID, body)
}

// Sign returns a JSON Web Signature of a body.
func (i *Issuer) Sign(alg jose.SignatureAlgorithm, key any, keyID string, body []byte) string {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: jose.JSONWebKey{Key: key, KeyID: keyID}}, nil)
	if err != nil {
		i.t.Error(err)
		return ""
	}
	signed, err := signer.Sign(body)
	if err != nil {
		i.t.Error(err)
		return ""
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		i.t.Error(err)
	}
	return text
}

// startDevice begins a login on a device.
func (i *Issuer) startDevice(w http.ResponseWriter, r *http.Request) {
	if r.PostFormValue("client_id") != ClientID || r.PostFormValue("client_secret") != ClientSecret || r.PostFormValue("scope") != "openid" {
		refuse(w, "invalid_client")
		return
	}
	code, user := i.draw("device"), strings.ToUpper(i.draw("u"))
	i.mu.Lock()
	i.devices[code] = &device{user: user, next: i.Now().Add(DeviceEvery)}
	i.mu.Unlock()
	answer(w, http.StatusOK, map[string]any{
		"device_code":               code,
		"user_code":                 user,
		"verification_uri":          i.URL + "/code",
		"verification_uri_complete": i.URL + "/code?user_code=" + user,
		"expires_in":                600,
		"interval":                  int(DeviceEvery.Seconds()),
	})
}

// deviceOf returns the user who has agreed to a device, or the word that says why nobody has. Agreement counts once.
func (i *Issuer) deviceOf(code string) (string, string) {
	d, known := i.devices[code]
	now := i.Now()
	switch {
	case !known:
		return "", "invalid_grant"
	case now.Before(d.next):
		d.next = d.next.Add(5 * time.Second)
		return "", "slow_down"
	case d.denied:
		return "", "access_denied"
	}
	d.next = now.Add(DeviceEvery)
	if d.who == "" {
		return "", "authorization_pending"
	}
	delete(i.devices, code)
	return d.who, ""
}

func (i *Issuer) deviceForm(w http.ResponseWriter, r *http.Request) {
	_ = page.Execute(w, "/code?"+r.URL.RawQuery)
}

func (i *Issuer) agreeDevice(w http.ResponseWriter, r *http.Request) {
	i.Agree(r.URL.Query().Get("user_code"), r.PostFormValue("who"))
	fmt.Fprintln(w, "Go back to your device.")
}

// Agree lets the device with a user code log in as who; as nobody, it is denied.
func (i *Issuer) Agree(userCode, who string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, d := range i.devices {
		if d.user == userCode {
			d.who, d.denied = who, who == ""
		}
	}
}

// Hurry makes the next look of every device one that comes too soon.
func (i *Issuer) Hurry() {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, d := range i.devices {
		d.next = i.Now().Add(time.Hour)
	}
}

// Expire forgets all devices.
func (i *Issuer) Expire() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.devices = map[string]*device{}
}
