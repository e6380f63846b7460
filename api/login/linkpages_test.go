package login_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/molerun/molerun/internal/browsertest"
)

func TestLinksInABrowser(t *testing.T) {
	onSQLite(t, withoutIssuer, func(t *testing.T, w *world) {
		cup, token := w.cup("teacher")
		b := browsertest.New(t, w.base)
		looks := []browsertest.Look{{Width: 1440, Colours: "dark"}, {Width: 360, Colours: "light"}}
		here := func(path string) { b.Until(`location.href === "` + w.base + path + `"`) }

		b.Open("/login")
		b.Audits("/login without an issuer", looks)
		at, _ := w.address(w.posts(token, "/v1/me/login-links", `{}`, 201))
		b.Open(at)
		b.Audits("/login/once", looks)
		b.Run(chromedp.Click(`form[action="/login/once"] button`, chromedp.ByQuery))
		here("/me")
		b.Audits("/me without an issuer", looks)
		b.Run(chromedp.Click(`form[action="/logout"] button`, chromedp.ByQuery))
		here("/")

		_, at, _ = w.class(token, cup.ID, 3)
		b.Open(at)
		b.Audits("/class", looks)
		b.Run(chromedp.SendKeys("#name", "teacher", chromedp.ByQuery), chromedp.Click(`form[action="/class"] button`, chromedp.ByQuery))
		b.Until(`document.querySelector("[role=alert]") !== null && document.getElementById("name").value === "teacher"`)
		b.Forgive() // the refusal has the status of one
		b.Audits("/class with a name that is taken", looks)
		var sent int
		b.Eval(`(() => {
			let sent = 0;
			document.addEventListener("submit", (e) => { sent += !e.defaultPrevented; e.preventDefault(); });
			const form = document.querySelector('form[action="/class"]');
			form.requestSubmit();
			form.requestSubmit();
			return sent;
		})()`, &sent)
		if sent != 1 {
			t.Errorf("two quick clicks send the form %d times", sent)
		}
		b.Open(at)
		b.Run(chromedp.SetValue("#name", "student", chromedp.ByQuery), chromedp.Click(`form[action="/class"] button`, chromedp.ByQuery))
		b.Until(`document.querySelector("pre code") !== null`)
		b.Audits("/class with the token", looks)
	})
}
