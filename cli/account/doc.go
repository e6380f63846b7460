// Package account holds what the commands over the API share: the login that they use, which is a platform and a user's token there, and how
// they find what they are about, call the platform, print its answers and say what to do about its refusals. It knows no command.
package account
