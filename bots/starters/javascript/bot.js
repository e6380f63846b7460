// A bot for molerun: node bot.js [PORT]
// Put your strategy into choose(); the rest can stay as it is.
"use strict";

const crypto = require("node:crypto");
const http = require("node:http");

const NAME = "javascript starter";
const GAMES = ["cia", "demol", "mole", "molehill", "molemajority"];
const FIVE_MINUTES = 300; // in seconds
const THREE_MINUTES = 180_000; // in milliseconds
const MAX_BYTES = 4 << 20; // of a message
const SECRET = /^whsec_([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

// choose answers a turn; turn.view is all you see, turn.offer all you may do.
// The answer is {choose: k}, the action at place k of the offer's list, or
// {action: {...}}, made from one of the offer's forms.
// random(n) is a whole number from 0 to n-1.
function choose(turn, random) {
  const { list, forms } = turn.offer;
  if (list?.length) {
    return { choose: random(list.length) };
  }
  const form = forms[random(forms.length)];
  const action = { type: form.type };
  for (const field of form.fields ?? []) {
    action[field.name] = pick(field, random);
  }
  return { action };
}

// pick picks any value that the field of a form allows.
function pick(field, random) {
  if (field.one_of) {
    return field.one_of[random(field.one_of.length)];
  }
  if (field.of) {
    return pickSeveral(field.of, field.choose, random);
  }
  return field.min + random(field.max - field.min + 1);
}

function pickSeveral(all, count, random) {
  const left = [...all];
  const picked = [];
  while (picked.length < count) {
    picked.push(...left.splice(random(left.length), 1));
  }
  return picked;
}

// dice gives random numbers that follow from a text: a decision that is asked
// again gets the same answer.
function dice(text) {
  let thrown = 0;
  return (sides) => {
    const hash = crypto.createHash("sha256").update(`${text}/${thrown}`).digest();
    thrown += 1;
    return hash.readUIntBE(0, 6) % sides;
  };
}

// answer answers any message of the platform; unknown ones with {}.
function answer(message) {
  switch (message.type) {
    case "hello":
      return { challenge: message.challenge, name: NAME, games: GAMES };
    case "turn":
      return { decision: message.decision, ...choose(message, dice(message.decision)) };
    default:
      return {};
  }
}

// genuine reports whether the platform sent this: https://www.standardwebhooks.com
function genuine(secret, headers, body, now = Date.now() / 1000) {
  const stamp = headers["webhook-timestamp"] ?? "";
  if (!/^\d{1,15}$/.test(stamp) || Math.abs(now - Number(stamp)) > FIVE_MINUTES) {
    return false;
  }
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const hmac = crypto.createHmac("sha256", key);
  hmac.update(`${headers["webhook-id"]}.${stamp}.`);
  hmac.update(body);
  const good = Buffer.from("v1," + hmac.digest("base64"));
  const given = (headers["webhook-signature"] ?? "").split(" ");
  return given.some((text) => same(Buffer.from(text), good));
}

// same compares in a time that does not depend on where two texts differ.
function same(a, b) {
  return a.length === b.length && crypto.timingSafeEqual(a, b);
}

// knownSecret returns MOLERUN_SECRET without quotes, spaces and marks that
// shells and editors leave around it.
function knownSecret() {
  return (process.env.MOLERUN_SECRET ?? "").replace(/^\W+|[^\w+/=]+$/g, "");
}

// reply is the status and the answer, as JSON, for one request.
function reply(headers, body) {
  const secret = knownSecret();
  if (secret && !genuine(secret, headers, body)) {
    return [401, "{}"]; // refuse what the platform did not send
  }
  let message;
  try {
    message = JSON.parse(body);
  } catch {
    return [400, "{}"];
  }
  try {
    return [200, JSON.stringify(answer(message))];
  } catch (error) {
    console.error(error); // a slip in choose: the platform plays for you this once
    return [500, "{}"];
  }
}

function handle(request, response) {
  if (request.method !== "POST") { // a person, or a host's health check
    response.setHeader("Content-Type", "text/plain");
    response.end(`${NAME} is a bot of molerun and runs.\n`);
    return;
  }
  const send = ([status, text]) => {
    response.writeHead(status, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text),
    });
    response.end(text);
  };
  const chunks = [];
  let size = 0;
  request.on("data", (chunk) => {
    size += chunk.length;
    if (size <= MAX_BYTES) {
      chunks.push(chunk);
      return;
    }
    request.pause(); // the rest is never read
    response.setHeader("Connection", "close");
    send([413, "{}"]);
  });
  request.on("end", () => send(reply(request.headers, Buffer.concat(chunks))));
}

// main listens on the port of the command line, of PORT, or 8000.
function main() {
  const secret = knownSecret();
  if (!secret) {
    console.error("MOLERUN_SECRET is not set: messages are accepted from anybody");
  } else if (!SECRET.test(secret)) {
    console.error("MOLERUN_SECRET is no secret: want it whole, whsec_ and base64, as you got it when you registered the bot");
    process.exit(1);
  }
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => process.exit()); // in a container nobody else would
  }
  const options = {
    noDelay: true, // otherwise every answer may wait 40 ms
    keepAliveTimeout: THREE_MINUTES, // the platform ends connections, not we
  };
  const server = http.createServer(options, handle);
  const port = Number(process.argv[2] ?? process.env.PORT ?? 8000);
  server.listen(port, process.env.HOST ?? "127.0.0.1", () => {
    console.log(`http://127.0.0.1:${server.address().port}`);
  });
}

if (require.main === module) {
  main();
}

module.exports = { answer, choose, dice, genuine };
