// Package login logs people in with an issuer of OpenID Connect: in the browser by the authorization code flow with PKCE, in the
// command line by the device flow. It keeps no password and no token of the issuer. What a logged-in person may do must not live
// here.
package login
