// Tests of bot.js: node --test
"use strict";
const assert = require("node:assert");
const { test } = require("node:test");

const { answer, choose, dice, genuine } = require("./bot.js");

test("a list is answered with an index into it", () => {
  for (let k = 0; k < 100; k++) {
    const { choose: index } = choose({ offer: { list: [{ type: "pass" }, { type: "move", to: "d3" }] } }, dice(k));
    assert.ok(index === 0 || index === 1);
  }
});

test("a form is answered with an action made of it", () => {
  const fields = [
    { name: "who", one_of: ["ada", "bob"] },
    { name: "team", choose: 2, of: [0, 1, 2, 3] },
    { name: "speed", min: 1, max: 9, unit: "mm/s" },
  ];
  for (let k = 0; k < 100; k++) {
    const { action } = choose({ offer: { forms: [{ type: "go", fields }], examples: [] } }, dice(k));
    assert.deepStrictEqual(Object.keys(action).sort(), ["speed", "team", "type", "who"]);
    assert.strictEqual(action.type, "go");
    assert.ok(["ada", "bob"].includes(action.who));
    assert.strictEqual(action.team.length, 2);
    assert.strictEqual(new Set(action.team.filter((x) => [0, 1, 2, 3].includes(x))).size, 2);
    assert.ok(1 <= action.speed && action.speed <= 9);
  }
});

test("the same question gets the same answer", () => {
  const turn = { type: "turn", decision: "dec_1", offer: { list: Array(1000).fill({ type: "pass" }) } };
  assert.deepStrictEqual(answer(turn), answer(turn));
  assert.strictEqual(answer(turn).decision, "dec_1");
});

test("hello echoes the challenge", () => {
  assert.strictEqual(answer({ type: "hello", challenge: "abc" }).challenge, "abc");
});

test("unknown messages are answered with nothing", () => {
  assert.deepStrictEqual(answer({ type: "weather", rain: true }), {});
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
