/** A push template is refused before it is stored if no values make JSON of it. */
import { expect, test } from "vitest";
import { requireUsableTemplate } from "../../../src/commands/push/template/check.ts";
import { renderTemplate } from "../../../src/provider/domain/admin/rules/push-template.ts";

const VALUES = { unread_count: 3, sender: { name: 'A "b"' }, members: [{ id: "bo" }, { id: "cy" }] };

test.each([
  "{}",
  '{"aps":{"alert":"{{ sender.name }}"}}\n',
  '{"a":"{{{ sender.name }}} {{ sender.missing }}"}',
  '{"n":{{ unread_count }},"less":-{{unread_count}},"all":{{{json members}}}}',
  '{{! a note with "quotes }}{"a":{{sender.missing}}}',
  '{{!-- a note with {{ braces }} and "quotes --}}{"a":1}{{!-- second --}}',
  '{"a":"{{implodeMembers members separator=" and "}}","b":"\\"{{sender.name}}\\""}',
  '{"a":"{{"{"}}"}',
  '[{{#each members}}{{#unless @first}},{{/unless}}"{{id}}"{{/each}}]',
  '{{#if isThread}}{"a":1}{{else}}{"b":2}{{/if}}',
])("%j is JSON once it is rendered, and is taken", (template) => {
  expect(renderTemplate(template, VALUES).mistake).toBeUndefined();
  expect(() => requireUsableTemplate(template)).not.toThrow();
});

test.each(["", "{", "hello {{ sender.name }}", '{"a":"{{ sender.name }}}', '{"a":{{ unread_count }}'])(
  "%j is no JSON, and is refused",
  (template) => {
    expect(() => requireUsableTemplate(template)).toThrow("The template is not JSON");
  },
);

test("comments without an end are left to the provider, however many begin; one that is closed is none of the JSON", () => {
  for (const begin of ["{{!", "{{~!--"])
    expect(() => requireUsableTemplate(`{"a":1}${begin.repeat(20_000)}`)).not.toThrow();
  expect(() => requireUsableTemplate('{"a":1}{{! one }}{{!-- two }}')).toThrow("The template is not JSON");
});

test("a placeholder of another tool is named before the rest", () => {
  expect(() => requireUsableTemplate("{% if x %}")).toThrow("{% if x %} is an instruction of another tool");
});
