package tournament

import (
	"bytes"
	"crypto/rand"
	"regexp"
	"strings"
	"testing"
)

var tokenForm = regexp.MustCompile(`^mr_[0-9A-Za-z]{64}$`)

func TestTokensAreLongRandomAndChecked(t *testing.T) {
	seen := map[string]bool{}
	var ones [62]int
	const n = 2000
	for range n {
		text, id, hash, err := NewToken(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if !tokenForm.MatchString(text) {
			t.Fatalf("got %q, want the form %s", text, tokenForm)
		}
		if len(id) != TokenIDLen || !strings.Contains(text, id) {
			t.Fatalf("got the id %q of %q, want %d digits of it", id, text, TokenIDLen)
		}
		if seen[text] || seen[id] {
			t.Fatalf("%q with the id %q was there before", text, id)
		}
		seen[text], seen[id] = true, true
		if hash == [32]byte{} {
			t.Fatalf("%q: want a hash", text)
		}
		for _, d := range text[3+15+1 : 3+15+43] { // the secret's first digit is not uniform
			ones[strings.IndexRune("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", d)]++
		}
	}
	want := n * 42 / 62
	for d, got := range ones {
		if got < want*8/10 || got > want*12/10 {
			t.Errorf("digit %d: got it %d times, want about %d", d, got, want)
		}
	}
	if _, _, _, err := NewToken(bytes.NewReader(make([]byte, 10))); err == nil {
		t.Error("without randomness: got a token, want an error")
	}
}

func FuzzATokenIsParsedOrRefused(f *testing.F) {
	text, _, _, err := NewToken(zeros{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add("mr_")
	f.Fuzz(func(t *testing.T, s string) {
		id, _, ok := ParseToken(s)
		if ok && (len(s) != tokenLen || len(id) != TokenIDLen || checksum(s[:tokenLen-checksumLen]) != s[tokenLen-checksumLen:]) {
			t.Errorf("%q: taken with id %q", s, id)
		}
	})
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }
