package api_test

import (
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/molerun/molerun/internal/browsertest"
)

// TestLongTheAPIIsTriedOnItsPage: our policy lets the viewer load nothing from elsewhere, and its style nothing inline.
func TestLongTheAPIIsTriedOnItsPage(t *testing.T) {
	t.Parallel()
	onSQLite(t, nothing, func(w *world) {
		server := httptest.NewServer(w.api)
		t.Cleanup(server.Close)
		b := browsertest.New(t, server.URL)
		b.Open("/api")
		b.Run(chromedp.Click("#open", chromedp.ByQuery))
		b.Until(`document.querySelector("#operations-tag-operation") !== null`)
		b.Audits("the page of the API", browsertest.Looks(2))
		const operation = "#operations-operation-getVersion"
		b.Run(
			chromedp.Click("#operations-tag-operation", chromedp.ByQuery),
			chromedp.Click(operation+" .opblock-summary-control", chromedp.ByQuery),
			chromedp.WaitVisible(operation+" .responses-inner", chromedp.ByQuery),
			chromedp.Click(operation+" .execute", chromedp.ByQuery),
		)
		b.Until(`document.querySelector("#reference .live-responses-table .response .response-col_status").textContent.startsWith("200")`)
		var body string
		b.Eval(`document.querySelector("#reference .live-responses-table").textContent`, &body)
		holds(t, "the answer is shown", between(body, `"version": "`, `"`) == "test")
		b.Clean("the page of the API")
	})
}
