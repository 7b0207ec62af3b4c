/** Push templates render as the table says: values, paths, lists, conditions and helpers, each at its place in the JSON. */
import { describe, expect, test } from "vitest";
import {
  renderTemplate,
  unreadableTemplate,
} from "../../../src/provider/domain/admin/rules/push-template.ts";

const person = (id: string, name: string, more: object = {}) => ({ id, name, ...more });
const CY = person("cy", "Cy", { full: { name: "Cy O" } });
const VALUES = {
  event_type: "message.new",
  unread_count: 3,
  unread_channels: 0,
  isThread: false,
  isMentioned: true,
  sender: person("ada", 'Ada "A" \\', { tags: ["a", "b"], address: { street: "Elm" }, nick: "" }),
  receiver: person("bob", "Bob"),
  message: { id: "m1", text: "👋 hello\nworld" },
  channel: { id: "tea", type: "messaging", name: "Tea & cake" },
  members: [person("bob", "Bob"), CY, person("di", "Di"), person("ed", "Ed"), { id: "fay" }],
  otherMembers: [CY, person("di", "Di"), person("ed", "Ed"), { id: "fay" }],
  none: [],
};
const render = (template: string) => renderTemplate(template, VALUES);

/** The text that a template renders within a JSON string. */
function inString(template: string): string {
  const { text, mistake } = render(`{"x":"${template}"}`);
  expect(mistake).toBeUndefined();
  return (JSON.parse(text) as { x: string }).x;
}

describe("within a string of the JSON", () => {
  test.each([
    ["plain words", "plain words"],
    ["{{ sender.name }}", 'Ada "A" \\'],
    ["{{{ sender.name }}}", 'Ada "A" \\'],
    ["{{channel.name}}", "Tea & cake"],
    ["{{ message.text }}", "👋 hello\nworld"],
    ["{{ unread_count }}{{ unread_channels }}{{ isThread }}", "30false"],
    ["{{ sender.address.street }}", "Elm"],
    ["{{ sender.tags }} {{ sender.address }}", "[] {}"],
    ["{{ sender.tags.[0] }}{{ sender.tags.length }}", ""],
    ["{{ sender.missing }}{{ sender.missing.deep }}{{ constructor }}{{ sender.__proto__ }}", ""],
    ["{{! a note }}{{!-- {{ no }} --}}x", "x"],
    [" {{~ event_type ~}} ", "message.new"],
    ['{{{ " " }}}', " "],
    ["{{ this.event_type }} {{ @root.event_type }}", "message.new message.new"],
    ["{{ truncate message.text 5 }}", "👋 hel"],
    ["{{ truncate message.text 500 }}{{ truncate sender.missing 5 }}", "👋 hello\nworld"],
    ["{{ remainder otherMembers 3 }}", "1"],
    ["{{ json sender.address }}", '{"street":"Elm"}'],
    ["{{ lookup channel 'type' }}", "messaging"],
    ["{{ implodeMembers otherMembers }}", "Cy, Di, Ed and 1 other(s)"],
    ["{{ implodeMembers members limit=2 separator=' / ' suffixFmt='+%d' }}", "Bob / Cy +3"],
    ["{{ implodeMembers members limit=9 }}", "Bob, Cy, Di, Ed, fay"],
    ["{{ implodeMembers otherMembers limit=1 nameField='id' }}", "cy and 3 other(s)"],
    ["{{ implodeMembers none }}", ""],
    ["{{#if sender.name}}Y{{else}}N{{/if}}", "Y"],
    ["{{#if sender.nick}}Y{{else}}N{{/if}}", "N"],
    ["{{#if unread_channels}}Y{{else}}N{{/if}}", "N"],
    ["{{#if none}}Y{{else if isMentioned}}M{{else}}N{{/if}}", "M"],
    ["{{#unless isThread}}Y{{else}}N{{/unless}}", "Y"],
    ["{{#equal channel.type 'messaging'}}Y{{else}}N{{/equal}}", "Y"],
    ["{{#equal unread_count 3}}Y{{/equal}}{{#unequal unread_count 3}}N{{/unequal}}", "Y"],
    ["{{#unequal sender.missing 'x'}}Y{{/unequal}}", "Y"],
    ["{{#ifLt unread_count 3}}<{{/ifLt}}{{#ifLte unread_count 3}}<={{/ifLte}}", "<="],
    ["{{#ifGt unread_count 3}}>{{else}}not >{{/ifGt}}{{#ifGte unread_count '3'}}>={{/ifGte}}", "not >>="],
    ["{{#if (equal sender.id 'ada')}}Y{{/if}}", "Y"],
    ["{{#each otherMembers}}{{@index}}{{name}}{{#unless @last}},{{/unless}}{{/each}}", "0Cy,1Di,2Ed,3"],
    ["{{#each otherMembers}}{{#if @first}}{{this.id}} of {{../channel.id}}{{/if}}{{/each}}", "cy of tea"],
    ["{{#each sender.address}}{{@key}}={{this}}{{/each}}", "street=Elm"],
    ["{{#each sender.tags as |tag at|}}{{at}}{{tag}}{{/each}}", "0a1b"],
    ["{{#each none}}x{{else}}nobody{{/each}}", "nobody"],
    ["{{#with sender.address}}{{street}}{{/with}}{{#with sender.missing}}x{{else}}none{{/with}}", "Elmnone"],
    [
      "{{#sender}}{{id}}{{/sender}}{{#sender.tags}}[{{this}}]{{/sender.tags}}{{^none}}empty{{/none}}",
      "ada[a][b]empty",
    ],
    ["{{#each sender.tags}}{{unread_count}}{{this.unread_count}}{{/each}}", "33"],
    ["{{#isMentioned}}{{sender.id}}{{/isMentioned}}", "ada"],
  ])("%s", (template, expected) => {
    expect(inString(template)).toBe(expected);
  });
});

describe("outside strings", () => {
  test.each([
    ['{"badge":{{ unread_count }}}', { badge: 3 }],
    ['{"thread":{{ isThread }}}', { thread: false }],
    ['{"x":{{ sender.missing }}}', { x: "" }],
    ['{"channel":{{{ json channel }}}}', { channel: VALUES.channel }],
    ['{"channel":{{ json channel }},"y":"{{ sender.id }}"}', { channel: VALUES.channel, y: "ada" }],
    ['{"left":{{ remainder otherMembers 3 }}}', { left: 1 }],
    [
      '{"aps":{"alert":{"title":"{{ sender.id }} @ {{ channel.name }}","body":"{{ truncate message.text 2000 }}"},"badge":{{ unread_count }}}}',
      { aps: { alert: { title: "ada @ Tea & cake", body: VALUES.message.text }, badge: 3 } },
    ],
    [
      `{"title":"
        {{~#each otherMembers}}
          {{#ifLte @index 2}}
            {{~this.full.name}}{{#ifLt @index 2}}, {{/ifLt~}}
          {{~else if @last~}}
            {{{ " " }}}and {{remainder otherMembers 3}} other(s)
          {{~/ifLte~}}
        {{/each~}}"}`,
      { title: "Cy O, ,  and 1 other(s)" },
    ],
    ['{"a":{"b":{{#if isThread}}1{{else}}{"c":{{ unread_count }}}{{/if}}}}', { a: { b: { c: 3 } } }],
  ])("%s", (template, expected) => {
    const { text, mistake } = render(template);
    expect([mistake, JSON.parse(text)]).toEqual([undefined, expected]);
  });
});

test.each([
  ['{"x":"{{ sender.name"}', /^cannot be read: Parse error on line 1, near /],
  ['{"x":"{{#if sender}}"}', /^cannot be read: Parse error on line 1, near /],
  ['{"x":"{{#if sender}}{{/unless}}"}', /^cannot be read: if doesn't match unless/],
  ['{"x":"{{ shout sender.name }}"}', /^there is no helper shout$/],
  ['{"x":"{{#shout sender.name}}{{/shout}}"}', /^there is no helper shout$/],
  ['{"x":"{{#if isThread}}{{ shout sender.name }}{{/if}}"}', /^there is no helper shout$/],
  ['{"x":"{{#if isMentioned}}{{else}}{{#each none}}{{> header }}{{/each}}{{/if}}"}', /^partials and/],
  ['{"x":"{{#if (shout sender.name)}}{{/if}}"}', /^there is no helper shout$/],
  ['{"x":"{{#if}}{{/if}}"}', /^if needs a value$/],
  ['{"x":"{{#each}}{{/each}}{{#with}}{{/with}}"}', /^each needs a value$/],
  ['{"x":"{{ sender.name limit=3 }}"}', /^there is no helper sender\.name$/],
  ['{"x":"{{ truncate message.text }}"}', /^truncate needs a number$/],
  ['{"x":"{{#ifLt unread_count "many"}}{{/ifLt}}"}', /^ifLt needs a number$/],
  ['{"x":"{{> header }}"}', /^partials and decorators are not supported$/],
  ['{"x":{{ sender.id }}}', /^is not JSON once it is rendered$/],
  ["", /^is not JSON once it is rendered$/],
  [`{"x":"${"{{#each members}}".repeat(12)}${"{{/each}}".repeat(12)}"}`, /^takes more than 10000 steps$/],
  [
    `{"x":"${"{{#each members}}".repeat(4)}${"x".repeat(400)}${"{{/each}}".repeat(4)}"}`,
    /^renders more than 65536 characters$/,
  ],
])("the mistake in %s is told", (template, mistake) => {
  expect(render(template).mistake).toMatch(mistake);
});

test.each([
  ['{"x":"{{#if isThread}}{{ shout sender.name }}{{/if}}"}', "there is no helper shout"],
  ['{"x":"{{> header }}"}', "partials and decorators are not supported"],
  [
    '{"x":{{ unread_count }}, "y":"{{#if (equal sender.id 1)}}{{truncate message.text 5}}{{/if}}"}',
    undefined,
  ],
])("what can be rendered for no message is known without one: %s", (template, mistake) => {
  expect(unreadableTemplate(template)).toBe(mistake);
});
