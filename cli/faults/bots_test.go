package faults_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
)

// envBots has the test binary be the bots of a campaign instead: they must be a process, to be frozen. It names their log.
const envBots = "MOLERUN_FAULTS_BOTS"

func TestMain(m *testing.M) {
	if file := os.Getenv(envBots); file != "" {
		if err := playBots(file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// said is a line of the bots' log.
type said struct{ Decision, Action string }

// playBots answers by view and offer alone, and writes what it answers to a file before it does.
func playBots(file string) error {
	log, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	go func() { // ends with the test
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, err := answerOf(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if a, ok := answer.(protocol.Answer); ok {
			line, err := json.Marshal(said{a.Decision, string(a.Action)})
			if err == nil {
				_, err = log.Write(append(line, '\n'))
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			time.Sleep(2 * time.Millisecond)
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
}

func answerOf(r *http.Request) (any, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var m struct{ Type, Challenge string }
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, err
	}
	switch m.Type {
	case protocol.TypeHello:
		return protocol.HelloAnswer{Challenge: m.Challenge}, nil
	case protocol.TypeTurn:
	default:
		return struct{}{}, nil
	}
	var turn protocol.Turn
	if err := json.Unmarshal(body, &turn); err != nil {
		return nil, err
	}
	h := fnv.New64a()
	_, _ = h.Write(turn.View)
	answer, err := kit.Random(turn.Offer, rand.New(rand.NewPCG(h.Sum64(), 1)))
	if err != nil {
		return nil, err
	}
	answer.Decision = turn.Decision
	if answer.Choose != nil { // the action itself, which the log can be held against the record by
		offer, err := kit.ParseOffer(turn.Offer)
		if err != nil {
			return nil, err
		}
		answer.Action, answer.Choose = offer.List[*answer.Choose], nil
	}
	return answer, nil
}

// hashOf names a test's secret.
func hashOf(name string) [32]byte { return sha256.Sum256([]byte(name)) }
