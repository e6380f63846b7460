// Tests of bot.ts: node --test bot.test.ts
import assert from "node:assert";
import { test } from "node:test";

import { answer, choose, dice, genuine } from "./bot.ts";

test("a list is answered with an index into it", () => {
  for (let k = 0; k < 100; k++) {
    const chosen = choose({ offer: { list: [{ type: "pass" }, { type: "move", to: "d3" }] } }, dice(`${k}`));
    assert.ok("choose" in chosen && (chosen.choose === 0 || chosen.choose === 1));
  }
});

test("a form is answered with an action made of it", () => {
  const fields = [
    { name: "who", one_of: ["ada", "bob"] },
    { name: "team", choose: 2, of: [0, 1, 2, 3] },
    { name: "speed", min: 1, max: 9, unit: "mm/s" },
  ];
  for (let k = 0; k < 100; k++) {
    const chosen = choose({ offer: { forms: [{ type: "go", fields }] } }, dice(`${k}`));
    assert.ok("action" in chosen);
    const { type, who, team, speed, ...more } = chosen.action;
    assert.deepStrictEqual([type, more], ["go", {}]);
    assert.ok(who === "ada" || who === "bob");
    assert.ok(Array.isArray(team) && team.length === 2 && new Set(team.filter((x) => [0, 1, 2, 3].includes(x))).size === 2);
    assert.ok(typeof speed === "number" && 1 <= speed && speed <= 9);
  }
});

test("the same question gets the same answer", () => {
  const turn = { type: "turn", decision: "dec_1", offer: { list: Array(1000).fill({ type: "pass" }) } };
  assert.deepStrictEqual(answer(turn), answer(turn));
  assert.ok("decision" in answer(turn));
});

test("hello echoes the challenge", () => {
  const card = answer({ type: "hello", challenge: "abc" });
  assert.ok("challenge" in card && card.challenge === "abc");
});

test("unknown messages are answered with nothing", () => {
  assert.deepStrictEqual(answer({ type: "weather" }), {});
});

test("only genuine messages are taken", () => {
  const secret = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
  const body = '{"protocol":1,"type":"turn"}';
  const good = {
    "webhook-id": "dec_e10b910330c5436d01d1b6442362fa73",
    "webhook-timestamp": "1790000000",
    "webhook-signature": "v1,QZH6KClkyKzYz4QF+zxu5zw0I2UFRu/RuF68MAfd528=",
  };
  const at = 1790000100;
  assert.ok(genuine(secret, good, body, at));
  assert.ok(genuine(secret, { ...good, "webhook-signature": "v1,AAAA " + good["webhook-signature"] }, body, at));
  assert.ok(!genuine(secret, good, body + " ", at));
  assert.ok(!genuine(secret, { ...good, "webhook-id": "dec_1" }, body, at));
  assert.ok(!genuine(secret, {}, body, at));
  assert.ok(!genuine(secret, good, body, 1790000301));
});
