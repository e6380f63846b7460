// A bot for molerun: node bot.ts [PORT]
// Put your strategy into choose(); the rest can stay as it is.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const NAME = "typescript starter";
const GAMES = ["cia", "demol", "mole", "molehill", "molemajority"];
const FIVE_MINUTES = 300; // in seconds
const THREE_MINUTES = 180_000; // in milliseconds
const MAX_BYTES = 4 << 20; // of a message
const SECRET = /^whsec_([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

// Message is what the platform sends; a turn has a view, all you see, and an
// offer, all you may do.
export interface Message {
  type?: string;
  challenge?: string;
  decision?: string;
  game?: string;
  seat?: number;
  view?: unknown;
  offer?: Offer;
}

// Offer is a list of every legal action, or forms: kinds of action, legal in
// every combination of their fields.
export interface Offer {
  list?: unknown[];
  forms?: Form[];
}

export interface Form {
  type: string;
  fields?: Field[];
}

// Field is one of one_of, or choose different members of of, or a whole number
// from min to max.
export interface Field {
  name: string;
  one_of?: unknown[];
  choose?: number;
  of?: unknown[];
  min?: number;
  max?: number;
}

// Answer is the action at place choose of the offer's list, or an action made
// from one of the offer's forms.
export type Answer = { choose: number } | { action: Record<string, unknown> };

// Random gives a whole number from 0 to sides-1.
export type Random = (sides: number) => number;

// choose answers a turn.
export function choose(turn: Message, random: Random): Answer {
  const { list = [], forms = [] } = turn.offer ?? {};
  if (list.length > 0) {
    return { choose: random(list.length) };
  }
  const form = one(forms, random);
  const action: Record<string, unknown> = { type: form.type };
  for (const field of form.fields ?? []) {
    action[field.name] = pick(field, random);
  }
  return { action };
}

// pick picks any value that the field of a form allows.
function pick(field: Field, random: Random): unknown {
  if (field.one_of) {
    return one(field.one_of, random);
  }
  if (field.of) {
    return several(field.of, field.choose ?? 0, random);
  }
  const { min = 0, max = min } = field;
  return min + random(max - min + 1);
}

function one<T>(all: T[], random: Random): T {
  const picked = all[random(all.length)];
  if (picked === undefined) {
    throw new Error("there is nothing to choose from");
  }
  return picked;
}

function several<T>(all: T[], count: number, random: Random): T[] {
  const left = [...all];
  const picked: T[] = [];
  while (picked.length < count && left.length > 0) {
    picked.push(...left.splice(random(left.length), 1));
  }
  return picked;
}

// dice gives random numbers that follow from a text: a decision that is asked
// again gets the same answer.
export function dice(text: string): Random {
  let thrown = 0;
  return (sides) => {
    const hash = createHash("sha256").update(`${text}/${thrown}`).digest();
    thrown += 1;
    return hash.readUIntBE(0, 6) % sides;
  };
}

// answer answers any message of the platform; unknown ones with {}.
export function answer(message: Message): object {
  switch (message.type) {
    case "hello":
      return { challenge: message.challenge, name: NAME, games: GAMES };
    case "turn":
      return { decision: message.decision, ...choose(message, dice(message.decision ?? "")) };
    default:
      return {};
  }
}

// genuine reports whether the platform sent this: https://www.standardwebhooks.com
export function genuine(secret: string, headers: IncomingHttpHeaders, body: string | Buffer, now = Date.now() / 1000): boolean {
  const stamp = String(headers["webhook-timestamp"] ?? "");
  if (!/^\d{1,15}$/.test(stamp) || Math.abs(now - Number(stamp)) > FIVE_MINUTES) {
    return false;
  }
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const hmac = createHmac("sha256", key);
  hmac.update(`${headers["webhook-id"]}.${stamp}.`);
  hmac.update(body);
  const good = Buffer.from("v1," + hmac.digest("base64"));
  const given = String(headers["webhook-signature"] ?? "").split(" ");
  return given.some((text) => same(Buffer.from(text), good));
}

// same compares in a time that does not depend on where two texts differ.
function same(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

// knownSecret returns MOLERUN_SECRET without quotes, spaces and marks that
// shells and editors leave around it.
function knownSecret(): string {
  return (process.env.MOLERUN_SECRET ?? "").replace(/^\W+|[^\w+/=]+$/g, "");
}

// reply is the status and the answer, as JSON, for one request.
function reply(headers: IncomingHttpHeaders, body: Buffer): [number, string] {
  const secret = knownSecret();
  if (secret && !genuine(secret, headers, body)) {
    return [401, "{}"]; // refuse what the platform did not send
  }
  let message: Message;
  try {
    message = JSON.parse(body.toString());
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

function handle(request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== "POST") { // a person, or a host's health check
    response.setHeader("Content-Type", "text/plain");
    response.end(`${NAME} is a bot of molerun and runs.\n`);
    return;
  }
  const send = ([status, text]: [number, string]) => {
    response.writeHead(status, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text),
    });
    response.end(text);
  };
  const chunks: Buffer[] = [];
  let size = 0;
  request.on("data", (chunk: Buffer) => {
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
function main(): void {
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
  const server = createServer(options, handle);
  const port = Number(process.argv[2] ?? process.env.PORT ?? 8000);
  server.listen(port, process.env.HOST ?? "127.0.0.1", () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

if (/(^|[\\/])bot\.[jt]s$/.test(process.argv[1] ?? "")) { // started, not imported by the test
  main();
}
