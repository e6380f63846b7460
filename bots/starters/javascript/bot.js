// A bot for molerun: node bot.js [PORT]. Put your strategy into choose(); the rest can stay as it is.
"use strict";
const crypto = require("node:crypto");
const http = require("node:http");

const GAMES = ["cia", "demol", "mole", "molehill", "molemajority"];

// choose answers a turn: {choose: k}, or {action: {...}} made of one of the offer's forms. turn.view is all you see;
// random(n) is a whole number from 0 to n-1.
function choose(turn, random) {
  const { list, forms } = turn.offer;
  if (list?.length) return { choose: random(list.length) };
  const form = forms[random(forms.length)];
  const action = { type: form.type };
  for (const field of form.fields ?? []) action[field.name] = value(field, random);
  return { action };
}

function value(field, random) {
  if (field.one_of) return field.one_of[random(field.one_of.length)];
  if (!field.of) return field.min + random(field.max - field.min + 1);
  const left = [...field.of];
  return Array.from({ length: field.choose }, () => left.splice(random(left.length), 1)[0]);
}

// dice gives random numbers that follow from a text: a decision that is asked again gets the same answer.
function dice(text) {
  let n = 0;
  return (sides) => crypto.createHash("sha256").update(`${text}/${n++}`).digest().readUIntBE(0, 6) % sides;
}

function answer(message) {
  switch (message.type) {
    case "hello":
      return { challenge: message.challenge, name: "javascript starter", games: GAMES };
    case "turn":
      return { decision: message.decision, ...choose(message, dice(message.decision)) };
    default:
      return {};
  }
}

// genuine tells whether the platform sent this: https://www.standardwebhooks.com
function genuine(secret, headers, body, now = Date.now() / 1000) {
  const stamp = headers["webhook-timestamp"] ?? "";
  if (!/^\d{1,15}$/.test(stamp) || Math.abs(now - Number(stamp)) > 300) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const mine = Buffer.from("v1," + crypto.createHmac("sha256", key).update(`${headers["webhook-id"]}.${stamp}.`).update(body).digest("base64"));
  return (headers["webhook-signature"] ?? "").split(" ").some((text) => {
    const one = Buffer.from(text);
    return one.length === mine.length && crypto.timingSafeEqual(one, mine);
  });
}

function reply(headers, body) {
  const secret = process.env.MOLERUN_SECRET;
  if (secret && !genuine(secret, headers, body)) return [401, {}]; // refuse what the platform did not send
  let message;
  try {
    message = JSON.parse(body);
  } catch {
    return [400, {}];
  }
  try {
    return [200, answer(message)];
  } catch (error) {
    console.error(error); // a slip in choose: the platform plays for you this once
    return [500, {}];
  }
}

// Node sends small packets at once (noDelay), so nothing waits 40 ms; kept connections are ended by the platform, not by us.
const server = http.createServer({ noDelay: true, keepAliveTimeout: 180_000 }, (request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const [status, out] = reply(request.headers, Buffer.concat(chunks));
    const text = JSON.stringify(out);
    response.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
    response.end(text);
  });
});

if (require.main === module) {
  if (!process.env.MOLERUN_SECRET) console.error("MOLERUN_SECRET is not set: messages are accepted from anybody");
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit()); // in a container nobody else would
  server.listen(Number(process.argv[2] ?? process.env.PORT ?? 8000), process.env.HOST ?? "127.0.0.1", () => {
    console.log(`http://127.0.0.1:${server.address().port}`);
  });
}

module.exports = { answer, choose, dice, genuine };
