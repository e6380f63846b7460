"""A bot for molerun: python3 bot.py [PORT]. Put your strategy into choose(); the rest can stay as it is."""
import base64, hmac, json, os, random, signal, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
def choose(turn, rng):  # {"choose": k}, or {"action": {...}} made of one of the offer's forms; turn["view"] is all you see
    offer = turn["offer"]
    if offer.get("list"): return {"choose": rng.randrange(len(offer["list"]))}
    form = rng.choice(offer["forms"])
    return {"action": {"type": form["type"], **{f["name"]: value(f, rng) for f in form.get("fields", [])}}}
def value(field, rng):
    if "one_of" in field: return rng.choice(field["one_of"])
    return rng.sample(field["of"], field["choose"]) if "of" in field else rng.randint(field["min"], field["max"])
def answer(m):
    if m.get("type") == "turn": return {"decision": m["decision"], **choose(m, random.Random(m["decision"]))}  # asked again: the same answer
    if m.get("type") == "hello": return {"challenge": m["challenge"], "name": "python starter", "games": ["cia", "demol", "mole", "molehill", "molemajority"]}
    return {}
def genuine(secret, headers, body):  # https://www.standardwebhooks.com
    stamp = headers.get("webhook-timestamp", "")
    if not stamp.isdecimal() or abs(time.time() - int(stamp)) > 300: return False
    key, text = base64.b64decode(secret.removeprefix("whsec_")), f"{headers.get('webhook-id')}.{stamp}.".encode() + body
    mine = b"v1," + base64.b64encode(hmac.digest(key, text, "sha256"))
    return any(hmac.compare_digest(mine, one.encode()) for one in headers.get("webhook-signature", "").split())
class Bot(BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm = "HTTP/1.1", True  # kept connections, and no 40 ms wait for each answer
    def do_POST(self):
        body, secret = self.rfile.read(int(self.headers.get("Content-Length", 0))), os.environ.get("MOLERUN_SECRET")
        try: status, out = (200, answer(json.loads(body))) if not secret or genuine(secret, self.headers, body) else (401, {})
        except json.JSONDecodeError: status, out = 400, {}
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(out := json.dumps(out).encode())))
        self.end_headers()
        self.wfile.write(out)
    def log_message(self, *args): pass
if __name__ == "__main__":
    if not os.environ.get("MOLERUN_SECRET"): print("MOLERUN_SECRET is not set: messages are accepted from anybody", file=sys.stderr)
    for s in (signal.SIGINT, signal.SIGTERM): signal.signal(s, lambda *_: os._exit(0))  # Ctrl-C and docker stop end it at once
    ThreadingHTTPServer.request_queue_size = 128  # many matches may begin at once
    with ThreadingHTTPServer((os.environ.get("HOST", "127.0.0.1"), int((sys.argv[1:] or [os.environ.get("PORT", 8000)])[0])), Bot) as server:
        print(f"http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()
