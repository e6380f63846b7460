// A client of a platform, written against the types that openapi-typescript makes of the document: it registers, enters the
// scheduled tournament, reads and exports.
import createClient from "openapi-fetch";
import type { paths, webhooks } from "./molerun.js";

declare const process: { argv: string[] }; // of node

const baseUrl: string = process.argv[2]!;
const open = createClient<paths>({ baseUrl });

type Finished = webhooks["match.finished"]["post"]["requestBody"]["content"]["application/json"];
const finished: Finished["type"] = "match.finished"; // the messages of webhooks have types too

function must<T>(what: string, answer: { data?: T; error?: { code: string; detail: string } }): T {
  if (answer.error || answer.data === undefined) {
    throw new Error(`${what}: ${answer.error?.code}: ${answer.error?.detail}`);
  }
  return answer.data;
}

const account = must("register", await open.POST("/v1/users", { body: { name: "typescript" } }));
const mine = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${account.token.token}` } });

const { bot } = must("bot", await mine.POST("/v1/bots", { body: { name: "typed", url: "https://bot.example/" } }));
const cups = must("list", await open.GET("/v1/tournaments", { params: { query: { status: "scheduled" } } }));
const id: string = cups.data[0]!.id;
const entering = { params: { path: { id } }, body: { bot_id: bot.id } };
must("enter", await mine.POST("/v1/tournaments/{id}/entries", entering));

const again = await mine.POST("/v1/tournaments/{id}/entries", entering);
if (again.error?.code !== "name_taken") {
  throw new Error(`entered twice: got ${again.error?.code}, want name_taken`);
}
const entries = must("read", await open.GET("/v1/tournaments/{id}/entries", { params: { path: { id } } }));
if (!entries.data.some((e) => e.bot_id === bot.id)) {
  throw new Error("the entry is not listed");
}
const table = must("export", await open.GET("/v1/tournaments/{id}/export", {
  params: { path: { id }, query: { format: "ndjson" } },
  parseAs: "text",
}));
console.log(finished, id, typeof table);
