package protocol

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	oracle "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"pgregory.net/rapid"

	"github.com/molerun/molerun/internal/must"
)

var update = flag.Bool("update", false, "write the golden files again")

// golden compares got with testdata, or writes it with -update.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		must.OK(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	must.OK(t, err)
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s differs, run the test with -update if that is meant (-want +got):\n%s", path, d)
	}
}

func secretOf(n int) string {
	return "whsec_" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, n))
}

func keysOf(t testing.TB, secrets ...string) Keys {
	t.Helper()
	k, err := ParseKeys(secrets...)
	must.OK(t, err)
	return k
}

func header(id string, at time.Time, signature string) http.Header {
	h := http.Header{}
	h.Set(HeaderID, id)
	h.Set(HeaderTimestamp, strconv.FormatInt(at.Unix(), 10))
	h.Set(HeaderSignature, signature)
	return h
}

func TestTheReferenceLibraryAcceptsOurSignatures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := "whsec_" + base64.StdEncoding.EncodeToString(rapid.SliceOfN(rapid.Byte(), minSecretBytes, maxSecretBytes).Draw(t, "secret"))
		id := rapid.StringMatching(`[a-z]{3}_[0-9a-f]{32}`).Draw(t, "id")
		body := rapid.SliceOf(rapid.Byte()).Draw(t, "body")
		at := time.Unix(rapid.Int64Range(0, 1<<40).Draw(t, "at"), 0)
		k, err := ParseKeys(secret)
		must.OK(t, err)
		ref, err := oracle.NewWebhook(secret)
		must.OK(t, err)
		want, err := ref.Sign(id, at, body)
		must.OK(t, err)
		for range 2 { // the second time with a used state
			if got := k.Sign(id, at, body); got != want {
				t.Fatalf("Sign = %s, the reference makes %s", got, want)
			}
		}
		if err := ref.VerifyIgnoringTimestamp(body, header(id, at, k.Sign(id, at, body))); err != nil {
			t.Fatalf("the reference refuses our headers: %v", err)
		}
		if err := k.Verify(header(id, at, want), body, at); err != nil {
			t.Fatalf("we refuse the reference's signature: %v", err)
		}
	})
}

func TestVerify(t *testing.T) {
	now := time.Unix(1_790_000_000, 0)
	body := []byte(`{"type":"turn"}`)
	old, fresh, foreign := secretOf(24), secretOf(64), secretOf(32)
	good := keysOf(t, fresh).Sign("dec_1", now, body)
	for _, row := range []struct {
		name    string
		h       http.Header
		body    []byte
		refused string
	}{
		{"genuine", header("dec_1", now, good), body, ""},
		{"signed with old and new", header("dec_1", now, keysOf(t, old, fresh).Sign("dec_1", now, body)), body, ""},
		{"among foreign versions", header("dec_1", now, "v1a,AAAA v2,BBBB "+good), body, ""},
		{"five minutes old", header("dec_1", now.Add(-Tolerance), keysOf(t, fresh).Sign("dec_1", now.Add(-Tolerance), body)), body, ""},
		{"a second older", header("dec_1", now.Add(-Tolerance-time.Second), keysOf(t, fresh).Sign("dec_1", now.Add(-Tolerance-time.Second), body)), body, "5m1s off"},
		{"from the future", header("dec_1", now.Add(Tolerance+time.Second), keysOf(t, fresh).Sign("dec_1", now.Add(Tolerance+time.Second), body)), body, "5m1s off"},
		{"another secret", header("dec_1", now, keysOf(t, foreign).Sign("dec_1", now, body)), body, "no signature"},
		{"another body", header("dec_1", now, good), []byte(`{"type":"end"}`), "no signature"},
		{"another id", header("dec_2", now, good), body, "no signature"},
		{"another time", header("dec_1", now.Add(time.Second), good), body, "no signature"},
		{"signature without version", header("dec_1", now, strings.TrimPrefix(good, "v1,")), body, "no signature"},
		{"signature of another version", header("dec_1", now, "v2"+good[2:]), body, "no signature"},
		{"no base64", header("dec_1", now, "v1,???"), body, "no signature"},
		{"no id", header("", now, good), body, "webhook-id is missing"},
		{"no signature", header("dec_1", now, ""), body, "webhook-signature is missing"},
		{"time in words", http.Header{HeaderID: {"dec_1"}, HeaderTimestamp: {"noon"}, HeaderSignature: {good}}, body, "not Unix seconds"},
	} {
		t.Run(row.name, func(t *testing.T) {
			err := keysOf(t, fresh).Verify(row.h, row.body, now)
			if row.refused == "" {
				if err != nil {
					t.Fatalf("refused: %v", err)
				}
				return
			}
			if !errors.Is(err, ErrSignature) || !strings.Contains(err.Error(), row.refused) {
				t.Fatalf("got %v, want %v with %q", err, ErrSignature, row.refused)
			}
		})
	}
}

func TestWhileRotatingBothSecretsVerify(t *testing.T) {
	now := time.Unix(1_790_000_000, 0)
	old, fresh := secretOf(24), secretOf(64)
	list := keysOf(t, fresh, old).Sign("dec_1", now, nil)
	if n := len(strings.Split(list, " ")); n != 2 {
		t.Fatalf("%q holds %d signatures, want 2", list, n)
	}
	for name, secret := range map[string]string{"old": old, "new": fresh} {
		if err := keysOf(t, secret).Verify(header("dec_1", now, list), nil, now); err != nil {
			t.Errorf("a bot that knows only the %s secret refuses: %v", name, err)
		}
	}
}

func TestNoKeysSignAndVerifyNothing(t *testing.T) {
	now := time.Unix(1_790_000_000, 0)
	if got := (Keys{}).Sign("dec_1", now, nil); got != "" {
		t.Errorf("Sign = %q, want nothing", got)
	}
	if err := (Keys{}).Verify(header("dec_1", now, "v1,"), nil, now); !errors.Is(err, ErrSignature) {
		t.Errorf("Verify = %v, want %v", err, ErrSignature)
	}
}

func TestSecretsAreRefusedWithTheReasonAndWithoutTheSecret(t *testing.T) {
	for _, row := range []struct{ name, secret, refused string }{
		{"too short", secretOf(23), "23 bytes, want 24 to 64"},
		{"too long", secretOf(65), "65 bytes, want 24 to 64"},
		{"no prefix", strings.TrimPrefix(secretOf(32), "whsec_"), "must begin with whsec_"},
		{"no padding", strings.TrimRight(secretOf(32), "="), "not standard base64"},
		{"line break", strings.Replace(secretOf(32), "=", "\n=", 1), "not standard base64"},
		{"URL alphabet", "whsec_" + base64.URLEncoding.EncodeToString(bytes.Repeat([]byte{255}, 32)), "not standard base64"},
		{"empty", "", "must begin"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := ParseKeys(secretOf(24), row.secret)
			if !errors.Is(err, ErrSecret) || !strings.Contains(err.Error(), row.refused) {
				t.Fatalf("got %v, want %v with %q", err, ErrSecret, row.refused)
			}
			if body := strings.TrimPrefix(row.secret, "whsec_"); body != "" && strings.Contains(err.Error(), body) {
				t.Fatalf("the error shows the secret: %v", err)
			}
		})
	}
	if _, err := ParseKeys(secretOf(24), secretOf(32), secretOf(64)); !errors.Is(err, ErrSecret) {
		t.Errorf("three secrets gave %v, want %v", err, ErrSecret)
	}
}

func TestNewSecretIsDrawnFromItsSourceAndParses(t *testing.T) {
	secret, err := NewSecret(bytes.NewReader(bytes.Repeat([]byte{1}, 32)))
	must.OK(t, err)
	if want := "whsec_" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{1}, 32)); secret != want {
		t.Errorf("got %s, want %s", secret, want)
	}
	if k := keysOf(t, secret); k.Len() != 1 {
		t.Errorf("got %d keys, want 1", k.Len())
	}
	if _, err := NewSecret(bytes.NewReader(make([]byte, 31))); err == nil {
		t.Error("a source that runs dry gave a secret")
	}
}

// vector is one line of testdata/signatures.json, published for authors of bots.
type vector struct {
	Name      string   `json:"name"`
	Secrets   []string `json:"secrets"`
	ID        string   `json:"id"`
	Timestamp int64    `json:"timestamp"`
	Body      string   `json:"body"`
	Signature string   `json:"signature"`
}

func TestPublishedVectors(t *testing.T) {
	vectors := []vector{
		{Name: "a turn, one secret", Secrets: []string{secretOf(32)}, ID: "dec_e10b910330c5436d01d1b6442362fa73", Timestamp: 1_790_000_000, Body: `{"protocol":1,"type":"turn"}`},
		{Name: "while rotating: the new secret's signature first", Secrets: []string{secretOf(64), secretOf(24)}, ID: "dec_0123456789abcdef0123456789abcdef", Timestamp: 1_790_000_001, Body: `{"protocol":1,"type":"end"}`},
		{Name: "the body is bytes, not text", Secrets: []string{secretOf(32)}, ID: "msg_1", Timestamp: 1_790_000_002, Body: "{\"memo\":\"café \u2028 ✓\"}\n"},
		{Name: "an empty body", Secrets: []string{secretOf(32)}, ID: "msg_2", Timestamp: 0, Body: ""},
	}
	for i, v := range vectors {
		var parts []string
		for _, secret := range v.Secrets {
			ref, err := oracle.NewWebhook(secret)
			must.OK(t, err)
			one, err := ref.Sign(v.ID, time.Unix(v.Timestamp, 0), []byte(v.Body))
			must.OK(t, err)
			parts = append(parts, one)
		}
		vectors[i].Signature = strings.Join(parts, " ")
		if got := keysOf(t, v.Secrets...).Sign(v.ID, time.Unix(v.Timestamp, 0), []byte(v.Body)); got != vectors[i].Signature {
			t.Errorf("%s: Sign = %s, the reference makes %s", v.Name, got, vectors[i].Signature)
		}
	}
	b, err := json.MarshalIndent(vectors, "", "  ")
	must.OK(t, err)
	golden(t, filepath.Join("testdata", "signatures.json"), append(b, '\n'))
}

func BenchmarkSign(b *testing.B) {
	k := keysOf(b, secretOf(32))
	body := make([]byte, 1024)
	b.ReportAllocs()
	for b.Loop() {
		k.Sign("dec_0123456789abcdef0123456789abcdef", time.Unix(1_790_000_000, 0), body)
	}
}
