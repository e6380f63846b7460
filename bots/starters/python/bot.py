"""A bot for molerun: python3 bot.py [PORT]. Change choose(); the rest can stay as it is."""
import base64, hmac, json, os, random, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
def choose(turn):  # one answer: {"choose": k}, or {"action": {...}} made of one of the offer's forms
    offer = turn["offer"]
    if offer.get("list"): return {"choose": random.randrange(len(offer["list"]))}
    form = random.choice(offer["forms"])
    return {"action": {"type": form["type"], **{f["name"]: value(f) for f in form.get("fields", [])}}}
def value(field):
    if "one_of" in field: return random.choice(field["one_of"])
    return random.sample(field["of"], field["choose"]) if "of" in field else random.randint(field["min"], field["max"])

SECRET = base64.b64decode(os.environ.get("MOLERUN_SECRET", "").removeprefix("whsec_"))
if not SECRET: print("MOLERUN_SECRET is not set: messages are accepted from anybody", file=sys.stderr)

def genuine(headers, body):  # https://www.standardwebhooks.com
    stamp = headers.get("webhook-timestamp", "")
    if not stamp.isdecimal() or abs(time.time() - int(stamp)) > 300: return False
    mine = b"v1," + base64.b64encode(hmac.digest(SECRET, f"{headers.get('webhook-id')}.{stamp}.".encode() + body, "sha256"))
    return any(hmac.compare_digest(mine, one.encode()) for one in headers.get("webhook-signature", "").split())

class Bot(BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm = "HTTP/1.1", True  # kept connections, and no 40 ms wait for each answer
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        ok = not SECRET or genuine(self.headers, body)  # refuse what the platform did not send
        m = json.loads(body) if ok else {}
        out = {"decision": m["decision"], **choose(m)} if m.get("type") == "turn" else {}
        if m.get("type") == "hello": out = {"challenge": m["challenge"], "name": "python starter", "games": ["molehill", "demol"]}
        out = json.dumps(out).encode()
        self.send_response(200 if ok else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(out)))
        self.end_headers()
        self.wfile.write(out)
    def log_message(self, *args): pass
ThreadingHTTPServer.request_queue_size = 128  # many matches may begin at once
with ThreadingHTTPServer((os.environ.get("HOST", "127.0.0.1"), int((sys.argv[1:] or [os.environ.get("PORT", 0)])[0])), Bot) as server:
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
