package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/web/form"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// offer lets people carry out an operation in a browser, by a form that follows from its request. Where it asks for nothing, another
// page has a button.
type offer struct {
	path    string // of the form; its parameters are those of the operation
	spec    op.Spec
	button  string
	done    string // what the next page says
	to      string // the next page; {id} is what the path names or, where it names nothing, what was made
	open    []string
	hide    []string
	confirm bool     // a button that is asked for on a page of its own
	now     *op.Spec // its answer is what the form changes
	within  string   // the key of that answer that holds it; "": the answer itself
	preview *op.Spec
	secret  string // the key of the answer that is shown once
	tells   func(answer []byte) string
	prepare func(s *Server, c *gin.Context, f *form.Form, in url.Values) error
	beside  func(s *Server, c *gin.Context, d *pages.Desk) error
}

// asks reports whether there is something to fill in or to confirm.
func (o offer) asks() bool {
	kind, _ := o.spec.Body()
	return o.confirm || kind != nil && o.button != ""
}

// name is what the next page knows the offer by.
func (o offer) name() string {
	var words []string
	for part := range strings.SplitSeq(strings.Trim(o.path, "/"), "/") {
		if !strings.HasPrefix(part, ":") {
			words = append(words, part)
		}
	}
	return strings.Join(words, "-")
}

// formRoutes are the pages and the posts of all offers. The operation itself leaves the audit line.
func formRoutes() []route {
	var out []route
	for _, o := range offers() {
		if o.asks() {
			out = append(out, get(o.path, forMe(func(s *Server, c *gin.Context) error { return s.showForm(c, o) })))
		}
		out = append(out, quiet(post(o.path, gate.Anybody, forMe(func(s *Server, c *gin.Context) error { return s.takeForm(c, o) }))))
	}
	return out
}

// asUser has an operation carried out for the user of the session, as if they had sent the request to the API: through the same
// checks, counted and audited alike. The parameters of its path are those of c; head are its headers besides.
func (s *Server) asUser(c *gin.Context, o op.Spec, body []byte, head http.Header) (*httpx.Recorder, error) {
	asked := c.Request
	defer func() { c.Request = asked }()
	in := asked.Clone(asked.Context())
	in.Method, in.URL, in.Header = o.Method, &url.URL{Path: o.Path}, head.Clone()
	if in.Header == nil {
		in.Header = http.Header{}
	}
	for _, p := range c.Params {
		in.URL.Path = strings.ReplaceAll(in.URL.Path, "{"+p.Key+"}", p.Value)
	}
	in.Body, in.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	if body != nil {
		in.Header.Set("Content-Type", httpx.JSONType)
	}
	c.Request = in
	return httpx.Record(c, func() error { return s.gate.CarryOut(c, s.operations[o.Method+" "+o.Path]) })
}

// formOf returns the form of an offer as it was shown before anybody filled it in or, if it was not shown yet, as it is shown now.
func (s *Server) formOf(c *gin.Context, o offer, in url.Values) (*pages.FormPart, error) {
	kind, _ := o.spec.Body()
	f := &pages.FormPart{Form: form.Of(kind, s.Files.words), Tag: in.Get("if-match"), Was: in.Get("was"), Once: in.Get("once")}
	f.Drop(o.hide...)
	if o.prepare != nil {
		if err := o.prepare(s, c, f.Form, in); err != nil {
			return nil, err
		}
	}
	if o.now == nil {
		return f, nil
	}
	f.Zone = cmp.Or(in.Get(form.ZoneName), f.Zone)
	if f.Was == "" {
		rec, err := s.asUser(c, *o.now, nil, nil)
		if err != nil {
			return nil, err
		}
		f.Tag, f.Was = cmp.Or(f.Tag, rec.Header().Get("ETag")), string(rec.Body())
		if o.within != "" {
			var parts map[string]json.RawMessage
			if err := json.Unmarshal(rec.Body(), &parts); err != nil {
				return nil, err
			}
			f.Was = string(parts[o.within])
		}
	}
	if err := f.Fill([]byte(f.Was)); err != nil {
		return nil, fmt.Errorf("%w: what the form was filled with cannot be read (%w); open it again", tournament.ErrInvalid, err)
	}
	return f, nil
}

// showForm answers with the form of an offer. What it asks for may be in the query.
func (s *Server) showForm(c *gin.Context, o offer) error {
	in, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return fmt.Errorf("%w: the query string is malformed", httpx.ErrQuery)
	}
	if err := gate.May(c, tournament.Scope(o.spec.Scope)); err != nil {
		return err
	}
	if err := s.mayTouch(c, o.spec); err != nil {
		return err
	}
	f, err := s.formOf(c, o, in)
	if err != nil {
		return err
	}
	if err := web.KnowFields(in, append(f.Names(), "done")...); err != nil {
		return err
	}
	for name, typed := range in {
		f.Set(name, typed...)
	}
	f.Fresh = true
	if f.Once, err = s.Store.NewID(); err != nil {
		return err
	}
	return s.sendForm(c, http.StatusOK, o, pages.Desk{Form: f, Done: doneBy(in.Get("done"))})
}

// mayTouch refuses the form of what is not the caller's; the operation itself refuses what is sent.
func (s *Server) mayTouch(c *gin.Context, o op.Spec) error {
	ctx, id := gate.Context(c), c.Param("id")
	organises := o.Scope == string(tournament.ScopeOrganise)
	var err error
	switch {
	case strings.Contains(o.Path, "/{id}") && !strings.HasPrefix(o.Path, "/v1/ladders/") && !httpx.IsUUID(id):
		return tournament.ErrNotFound
	case strings.HasPrefix(o.Path, "/v1/bots/{id}"):
		_, err = s.myBot(ctx, id)
	case strings.HasPrefix(o.Path, "/v1/webhooks/{id}"):
		_, err = s.myWebhook(ctx, id)
	case organises && strings.HasPrefix(o.Path, "/v1/tournaments/{id}"):
		_, err = s.myTournament(ctx, id)
	case organises && strings.HasPrefix(o.Path, "/v1/schedules/{id}"):
		_, err = s.mySchedule(ctx, id)
	case organises && strings.HasPrefix(o.Path, "/v1/matches/{id}"):
		err = s.mayVoid(ctx, id)
	case organises && strings.HasPrefix(o.Path, "/v1/series/{id}"):
		_, err = s.mySeries(ctx, id)
	}
	return err
}

// takeForm has what a form asks for carried out. A refusal is the form again, as it was filled in, with what is wrong beside the fields.
func (s *Server) takeForm(c *gin.Context, o offer) error {
	in, err := web.ReadFields(c)
	if err != nil {
		return err
	}
	f, err := s.formOf(c, o, in)
	if err != nil {
		return err
	}
	if err := web.KnowFields(in, append(f.Names(), "preview", "if-match", "was", "once")...); err != nil {
		return err
	}
	f.Type(in)
	kind, _ := o.spec.Body()
	var body []byte
	if kind != nil {
		body = f.Body()
	}
	again := pages.Desk{Form: f}
	spec, previews := o.spec, o.preview != nil && (in.Has("preview") || f.Wrong())
	if previews {
		spec = *o.preview // it changes nothing, and says what else is wrong
	}
	if f.Wrong() && !previews {
		return s.sendForm(c, http.StatusUnprocessableEntity, o, again)
	}
	head := http.Header{}
	if tag := in.Get("if-match"); tag != "" {
		head.Set("If-Match", tag)
	}
	if once := in.Get("once"); once != "" && !previews {
		head.Set("Idempotency-Key", once)
	}
	rec, err := s.sent(c, spec, body, head)
	switch status, said := refusal(err); {
	case err != nil && (status == 0 || s.isHopeless(c, o, err)):
		return err
	case o.now != nil && errors.Is(err, tournament.ErrChanged):
		return s.sendOvertaken(c, o, f, in)
	case err != nil:
		var wait *httpx.WaitError
		if errors.As(err, &wait) {
			c.Header("Retry-After", strconv.Itoa(wait.Seconds()))
		}
		places := gate.Places(err)
		if f.Wrong() {
			status = http.StatusUnprocessableEntity
		}
		for _, p := range places {
			f.Refuse(p.Pointer, p.Detail)
		}
		if len(places) == 0 {
			again.Refused = said
		}
		return s.sendForm(c, status, o, again)
	case f.Wrong():
		return s.sendForm(c, http.StatusUnprocessableEntity, o, again)
	case previews:
		return s.sendPreview(c, o, again, rec.Body())
	}
	return s.sendDone(c, o, rec.Body())
}

// sendOvertaken answers with a form that somebody else's change has overtaken, filled with what is there now beside what the person typed.
func (s *Server) sendOvertaken(c *gin.Context, o offer, typed *pages.FormPart, in url.Values) error {
	in.Del("if-match")
	in.Del("was")
	f, err := s.formOf(c, o, in)
	if err != nil {
		return err
	}
	f.Keep(typed.Form)
	return s.sendForm(c, http.StatusPreconditionFailed, o, pages.Desk{Form: f, Refused: overtaken})
}

const overtaken = "Somebody else changed this after you opened it. What you typed is kept, the rest is as it is now: look at it, then save it."

// A form that was sent twice at once looks so often, and after so long each time, whether what the first has begun is done.
const sentLooks, sentAgain = 50, 100 * time.Millisecond

// sent carries out what a form asks for, once for each time that the form was shown: sent again as it was, by a second click or a reload, it
// gives the first answer. Sent with other values, after going back, it asks for something else.
func (s *Server) sent(c *gin.Context, spec op.Spec, body []byte, head http.Header) (*httpx.Recorder, error) {
	rec, err := s.asUser(c, spec, body, head)
	for looks := 0; errors.Is(err, tournament.ErrBusy) && looks < sentLooks; looks++ {
		select {
		case <-time.After(sentAgain):
		case <-c.Request.Context().Done():
			return rec, err
		}
		rec, err = s.asUser(c, spec, body, head)
	}
	if errors.Is(err, tournament.ErrKeyUsed) {
		head.Del("Idempotency-Key")
		return s.asUser(c, spec, body, head)
	}
	return rec, err
}

// parts returns the fields that stand in the open, in that order, and the others; all do where none is named.
func parts(f *form.Form, open []string) (shown, more []pages.FieldGroup) {
	if open == nil {
		return pages.Grouped(f.Fields), nil
	}
	var first, rest []form.Field
	for _, name := range open {
		if x := f.Field(name); x != nil {
			first = append(first, *x)
		}
	}
	for _, x := range f.Fields {
		if !slices.Contains(open, x.Name) {
			rest = append(rest, x)
		}
	}
	return []pages.FieldGroup{{Fields: first}}, pages.Grouped(rest)
}

// isHopeless reports whether no other filling of the form would do. What is not the caller's may be what they chose in it.
func (s *Server) isHopeless(c *gin.Context, o offer, err error) bool {
	if errors.Is(err, tournament.ErrNotYours) || errors.Is(err, tournament.ErrNotFound) {
		return !o.asks() || s.mayTouch(c, o.spec) != nil
	}
	return errors.Is(err, tournament.ErrRole) || errors.Is(err, tournament.ErrScope)
}

// sendForm answers with a page that holds a form.
func (s *Server) sendForm(c *gin.Context, status int, o offer, d pages.Desk) error {
	said := s.Files.words.On(o.spec)
	if d.Title, d.Here = said.Summary, "/me"; d.Done == "" {
		d.Lead = said.Description
	}
	d.Back = pages.Way{Path: pathOf(o.to, c, nil), Words: "Back"}
	if strings.Contains(d.Back.Path, "{") {
		d.Back.Path = "/me"
	}
	part := d.Form
	part.Path, part.Button, part.Preview = c.Request.URL.Path, cmp.Or(o.button, said.Summary), o.preview != nil
	part.Open, part.More = parts(part.Form, o.open)
	if o.beside != nil {
		if err := o.beside(s, c, &d); err != nil {
			return err
		}
	}
	return s.sendDesk(c, status, d)
}

func (s *Server) sendDesk(c *gin.Context, status int, d pages.Desk) error {
	body, err := s.Files.pages.Site.Page("desk", d)
	return web.Send(c, status, body, err)
}

// sendDone leads to the next page, or shows what is shown this once.
func (s *Server) sendDone(c *gin.Context, o offer, answer []byte) error {
	to := pathOf(o.to, c, answer)
	d := pages.Desk{Page: pages.Page{Title: s.Files.words.On(o.spec).Summary, Here: "/me"}, Back: pages.Way{Path: to, Words: "Go on"}, Done: o.done}
	if d.Shown = keyOf(answer, o.secret); d.Shown != "" {
		return s.sendDesk(c, http.StatusOK, d)
	}
	if o.tells != nil {
		d.Done = o.tells(answer)
		return s.sendDesk(c, http.StatusOK, d)
	}
	if o.done != "" {
		to += "?done=" + o.name()
	}
	c.Redirect(http.StatusSeeOther, to)
	return nil
}

// sendPreview answers with a form and the figures of what it would make.
func (s *Server) sendPreview(c *gin.Context, o offer, d pages.Desk, answer []byte) error {
	var p wire.Preview
	f := d.Form
	if err := json.Unmarshal(answer, &p); err != nil {
		return err
	}
	d.Done = "This would be made; nothing is made yet."
	if zone := f.Field("zone"); zone != nil {
		f.Zone = zone.Value()
	}
	add := func(name, value string) { d.Facts = append(d.Facts, pages.Fact{Name: name, Value: value}) }
	switch {
	case p.Rated:
		add("Rated", "yes, on ladder "+p.Ladder)
	case len(p.Differs) > 0:
		add("Rated", "no: matches differ from those of ladder "+p.Ladder+" in "+strings.Join(p.Differs, "; "))
	default:
		add("Rated", "no")
	}
	for _, at := range p.Starts {
		add("Starts", strings.Replace(f.Shown(at), "T", " ", 1)+" "+f.Zone)
	}
	if p.Rounds > 0 {
		add("If full, at most", game.Plural(p.Rounds, "round")+", "+game.Plural(p.Matches, "match"))
	}
	add("Takes", tournament.SpanWords(p.LeastMS)+" to "+tournament.SpanWords(p.MostMS))
	add("A match", tournament.SpanWords(p.MatchMS)+" if each step takes the whole limit")
	return s.sendForm(c, http.StatusOK, o, d)
}

// pathOf fills the id into a path: that of the request's path or, where it has none, that of what was made.
func pathOf(path string, c *gin.Context, answer []byte) string {
	id := c.Param("id")
	if id == "" {
		id = keyOf(answer, "id")
	}
	if id == "" {
		return path
	}
	return strings.ReplaceAll(path, "{id}", id)
}

// keyOf returns the text of a key of an answer; "" if it has none.
func keyOf(answer []byte, key string) string {
	var keys map[string]json.RawMessage
	var text string
	if json.Unmarshal(answer, &keys) != nil || json.Unmarshal(keys[key], &text) != nil {
		return ""
	}
	return text
}

// doneBy returns what a page says after an offer of that name; "" if there is none.
func doneBy(name string) string {
	for _, o := range offers() {
		if name != "" && o.name() == name {
			return o.done
		}
	}
	return ""
}

// doneOf reads what was done before a page is asked for.
func doneOf(c *gin.Context) (string, error) {
	q, err := httpx.Query(c, "done")
	return doneBy(q["done"]), err
}

// What forms offer to choose from.

// chooseGame offers the games; the form is that of the game in the query or in what was sent.
func (s *Server) chooseGame(f *form.Form, in url.Values) string {
	x := f.Field("game")
	x.Kind = form.Choice
	for _, e := range s.Engines {
		x.Options = append(x.Options, form.Option{Value: e.Info().ID, Words: e.Info().Name})
	}
	id := in.Get("game")
	if id == "" {
		id = s.Engines[0].Info().ID
	}
	f.Set("game", id)
	engine, ok := s.Engines.Find(id)
	if !ok {
		return id // it is refused
	}
	if config := f.Field("config"); config != nil {
		for _, v := range engine.Info().Variants {
			config.Options = append(config.Options, form.Option{Value: string(v.Config), Words: v.Name})
		}
	}
	return id
}

// myBots returns the caller's bots that are not retired.
func (s *Server) myBots(c *gin.Context) ([]tournament.Bot, error) {
	list, _, err := s.Store.Bots(c.Request.Context(), store.BotFilter{OwnerID: gate.UserID(c), Living: true}, store.Page{Sort: store.Newest, Limit: store.MaxPage})
	return list, err
}

// chooseBot offers the caller's bots in the field bot_id, those that may not with the reason.
func (s *Server) chooseBot(c *gin.Context, f *form.Form, why func(tournament.Bot, tournament.Version) error) error {
	list, err := s.myBots(c)
	if err != nil {
		return err
	}
	x := f.Field("bot_id")
	x.Kind, x.Options = form.Choice, nil
	for _, b := range list {
		v, err := s.Store.Version(c.Request.Context(), b.VersionID)
		if err != nil {
			return err
		}
		one := form.Option{Value: b.ID, Words: b.Name}
		if err := why(b, v); err != nil {
			one.Reason = gate.Detail(gate.KindOf(err), err)
		} else if len(x.Typed) == 0 {
			x.Typed = []string{b.ID}
		}
		x.Options = append(x.Options, one)
	}
	return nil
}
