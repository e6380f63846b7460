package faults_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/storetest"
)

// Postgres reads the messages of a client of Postgres: the first without a kind, then a byte for the kind and four for the
// length.
func Postgres() func(*bufio.Reader) (clitest.Unit, error) {
	first := true
	return func(in *bufio.Reader) (clitest.Unit, error) {
		n := 5
		if first {
			n = 4
		}
		first = false
		head := make([]byte, n)
		if _, err := io.ReadFull(in, head); err != nil {
			return clitest.Unit{}, err
		}
		size := int(binary.BigEndian.Uint32(head[n-4:])) - 4
		if size < 0 || size > 64<<20 {
			return clitest.Unit{}, errors.New("no message of Postgres")
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(in, body); err != nil {
			return clitest.Unit{}, err
		}
		return clitest.Unit{Bytes: append(head, body...), Commit: n == 5 && storetest.IsCommit(head[0], body)}, nil
	}
}

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
