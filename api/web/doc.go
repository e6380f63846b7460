// Package web serves the pages for people. It reads what a page shows from the store, hides what is sealed, and has package
// pages draw it. Package api decides who may see a page and what an error looks like.
package web
