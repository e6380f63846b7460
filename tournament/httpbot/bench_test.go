package httpbot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament/httpbot"
)

// trivial is the bot of both benchmarks: it reads the turn and answers with a choice.
func trivial() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var turn struct {
			Decision string `json:"decision"`
		}
		if err := json.NewDecoder(r.Body).Decode(&turn); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		b, err := json.Marshal(map[string]any{"decision": turn.Decision, "choose": 3})
		if err != nil {
			panic(err)
		}
		_, _ = w.Write(b)
	})
}

// each runs f b.N times, spread over some goroutines; setup makes one worker's f.
func each(b *testing.B, workers int, setup func() func()) {
	b.ReportAllocs()
	work, done := make(chan struct{}), make(chan struct{})
	for range workers {
		f := setup()
		f() // connect
		go func() {
			for range work {
				f()
			}
			done <- struct{}{}
		}()
	}
	b.ResetTimer()
	for range b.N {
		work <- struct{}{}
	}
	close(work)
	for range workers {
		<-done
	}
}

// The two clients send the same bytes to the same bot: quote the ratio of one run.
func BenchmarkAskAndBare(b *testing.B) {
	server := httptest.NewServer(trivial())
	defer server.Close()
	briefing, ask := sample()
	for _, workers := range []int{1, 64} {
		b.Run(fmt.Sprintf("bare/%d", workers), func(b *testing.B) { benchBare(b, server.URL, workers) })
		b.Run(fmt.Sprintf("ask/%d", workers), func(b *testing.B) {
			client := httpbot.NewClient(httpbot.Options{Guard: httpbot.Loopback()})
			defer client.Close()
			each(b, workers, func() func() {
				bot, err := httpbot.New(httpbot.Config{URL: server.URL, Secrets: []string{secret}, Client: client})
				if err != nil {
					b.Fatal(err)
				}
				return func() {
					ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
					defer cancel()
					if r := bot.Ask(ctx, briefing, ask); r.Fault != "" || *r.Choose != 3 {
						b.Errorf("got %+v", r)
					}
				}
			})
		})
	}
}

// benchBare is what one would write by hand: net/http and encoding/json, connections kept, no signature, no guard.
func benchBare(b *testing.B, url string, workers int) {
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: 10 * time.Second}
	briefing, ask := sample()
	var turn protocol.Turn
	if err := json.Unmarshal(body(b, briefing, ask), &turn); err != nil {
		b.Fatal(err)
	}
	each(b, workers, func() func() {
		return func() {
			out, err := json.Marshal(turn)
			if err != nil {
				b.Error(err)
			}
			response, err := client.Post(url, "application/json", bytes.NewReader(out))
			if err != nil {
				b.Error(err)
				return
			}
			var answer protocol.Answer
			if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || *answer.Choose != 3 {
				b.Errorf("got %+v, %v", answer, err)
			}
			_, _ = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
		}
	})
}

// body is what Ask sends.
func body(t testing.TB, briefing briefing, ask ask) []byte {
	t.Helper()
	var got []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, _ = io.ReadAll(r.Body)
		_, _ = io.Copy(w, strings.NewReader(`{"choose":0}`))
	}))
	defer server.Close()
	client := httpbot.NewClient(httpbot.Options{Guard: httpbot.Loopback()})
	defer client.Close()
	bot, err := httpbot.New(httpbot.Config{URL: server.URL, Client: client})
	if err != nil {
		t.Fatal(err)
	}
	if r := bot.Ask(context.Background(), briefing, ask); r.Fault != "" {
		t.Fatal(r.Reason)
	}
	return got
}
