/** Filling campaign templates (specification/campaigns.md §4.3). */
import { expect, test } from "vitest";
import {
  foreignIn,
  renderChannelId,
  renderText,
  renderValue,
  unfilledIn,
} from "../../src/wire/entities/template.ts";
import { cpuMilliseconds } from "../support/cpu-time.ts";

const OBJECTS = {
  sender: { id: "ada", name: "Ada" },
  receiver: { id: "bob", tea: { kind: "oolong", cups: 3, hot: false, none: null } },
  channel: { name: "{{sender.name}}" },
};

test.each([
  ["Hi {{receiver.id}} from {{ sender.name }}", "Hi bob from Ada"],
  ["{{SENDER.id}}{{Receiver.id}}", "adabob"],
  ["{{receiver.tea.kind}} {{receiver.tea.cups}} {{receiver.tea.hot}}", "oolong 3 false"],
  ["<{{receiver.nothing}}{{receiver.tea.none}}{{receiver.tea.kind.deeper}}>", "<>"],
  ["{{receiver.tea}}", '{"kind":"oolong","cups":3,"hot":false,"none":null}'],
  // An inserted value is not parsed as a template again.
  ["{{channel.name}}", "{{sender.name}}"],
  // Logic, filters and other objects are not supported.
  [
    "{{#if sender.id}} {{ sender.id | upper }} {{app.id}} {{ sender }}",
    "{{#if sender.id}} {{ sender.id | upper }} {{app.id}} {{ sender }}",
  ],
  ["{{sender.constructor}}{{sender.__proto__.x}}{{sender.toString}}", ""],
])("%s", (template, text) => {
  expect(renderText(template, OBJECTS)).toBe(text);
});

test("a channel target has no receiver, so its fields are empty", () => {
  expect(renderText("{{receiver.name}}!", { sender: OBJECTS.sender })).toBe("!");
});

test("texts in attachments and custom fields are filled, keys and numbers are not", () => {
  expect(
    renderValue({ "{{sender.id}}": ["{{sender.id}}", 1, { deep: "{{receiver.id}}" }, null] }, OBJECTS),
  ).toEqual({
    "{{sender.id}}": ["ada", 1, { deep: "bob" }, null],
  });
});

test("a channel id is reduced to its allowed characters, at most 64", () => {
  expect(renderChannelId("c {{receiver.id}}/{{sender.name}}:é", OBJECTS)).toBe("cbobAda");
  expect(renderChannelId("x".repeat(80), OBJECTS)).toHaveLength(64);
});

test("a text with many braces is rendered quickly", () => {
  const started = cpuMilliseconds();
  renderText("{{ sender.".repeat(20_000), OBJECTS);
  expect(cpuMilliseconds() - started).toBeLessThan(1000);
});

test.each([
  ["Hi *|FNAME|*, *|IF:VIP|*yes*|END:IF|*", ["*|FNAME|*", "*|IF:VIP|*", "*|END:IF|*"]],
  ["Hi %recipient.first_name% and %recipient_email%", ["%recipient.first_name%", "%recipient_email%"]],
  ["{% if receiver.vip %}{{ receiver.name }}{% endif %}", ["{% if receiver.vip %}", "{% endif %}"]],
  ["50% of *recipients* {a} | 20 %", []],
])("what other tools fill is found: %s", (template, found) => {
  expect(foreignIn(template)).toEqual(found);
  expect(unfilledIn(template)).toEqual(found);
});

test("a variable in three braces is found, and one beside a brace is not", () => {
  expect(
    unfilledIn('{{{ receiver.name }}} {{{Sender.id}}} {"a":{{ receiver.id }}} {{{receiver.id}} }'),
  ).toEqual(["{{{ receiver.name }}}", "{{{Sender.id}}}"]);
});

test("braces that are no variable are found whole, and variables are not", () => {
  expect(unfilledIn("{{receiver.id}} {{name}} {{{ user.x }}} {{${first}}} {{ a")).toEqual([
    "{{name}}",
    "{{{ user.x }}}",
    "{{${first}}}",
    "{{",
  ]);
});
