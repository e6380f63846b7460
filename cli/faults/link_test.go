package faults_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/molerun/molerun/internal/clitest"
)

// Bots reads requests to bots, and tells of each that asks for a decision.
func Bots(asked func(Ask)) clitest.Messages {
	return func() func(*bufio.Reader) (clitest.Unit, error) {
		return func(in *bufio.Reader) (clitest.Unit, error) {
			if _, err := in.Peek(1); err != nil {
				return clitest.Unit{}, err
			}
			var raw bytes.Buffer
			r, err := http.ReadRequest(bufio.NewReader(io.TeeReader(one{in}, &raw)))
			if err != nil {
				return clitest.Unit{}, err
			}
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return clitest.Unit{}, err
			}
			at := time.Now()
			var turn struct{ Type, Decision string }
			if json.Unmarshal(body, &turn) == nil && turn.Type == "turn" {
				asked(Ask{Decision: turn.Decision, Body: sha256.Sum256(body), At: at})
			}
			return clitest.Unit{Bytes: raw.Bytes()}, nil
		}
	}
}

// one reads no further than what has arrived: clients do not send a request before the answer to the last.
type one struct{ in *bufio.Reader }

func (o one) Read(b []byte) (int, error) {
	if o.in.Buffered() == 0 {
		if _, err := o.in.Peek(1); err != nil {
			return 0, err
		}
	}
	return o.in.Read(b[:min(len(b), o.in.Buffered())])
}
