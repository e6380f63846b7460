// The command issuer is an issuer of OpenID Connect that others have written, for the nightly tests of package login: the provider
// of zitadel/oidc with its example's pages, and one user. It is a module of its own, so that the product does not depend on it. It prints its
// address, and ends with its input.
package main

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
)

// oneUser is the list of users: the example's login on a device takes the name of a user for its id, so both are the same.
type oneUser struct{}

func (oneUser) GetUserByID(id string) *storage.User {
	if id != "ada" {
		return nil
	}
	return &storage.User{ID: "ada", Username: "ada", Password: "verysecure"}
}

func (u oneUser) GetUserByUsername(name string) *storage.User { return u.GetUserByID(name) }
func (oneUser) ExampleClientID() string                       { return "service" }

// The arguments are the secret of its clients, web and device, and the address that web leads back to.
func main() {
	if err := serve(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(secret, redirect string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := "http://" + listener.Addr().String()
	storage.RegisterClients(storage.WebClient("web", secret, redirect), storage.DeviceClient("device", secret))
	server := &http.Server{
		Handler:           exampleop.SetupServer(address, storage.NewStorage(oneUser{}), slog.New(slog.DiscardHandler), false),
		ReadHeaderTimeout: time.Minute,
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = server.Close()
	}()
	fmt.Println(address)
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}
