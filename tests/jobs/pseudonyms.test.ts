/** A pseudonymised export keeps the question and counts of a poll, and nothing that could identify a person. */
import { expect, test } from "vitest";
import { KnownNames } from "../../src/jobs/export/known-names.ts";
import { Pseudonyms } from "../../src/jobs/export/pseudonyms.ts";
import type { Exported } from "../../src/jobs/export/form.ts";

test("custom fields of a poll and its options are left out, as those of messages are", () => {
  const poll = {
    id: "p",
    name: "Lunch?",
    options: [{ id: "o", text: "Soup", cook: "Ana Lima" }],
    vote_counts_by_option: { o: 1 },
    vote_count: 1,
    created_by: { id: "ana" },
    created_by_id: "ana",
    asked_for: "Ana Lima",
    latest_votes_by_option: { o: [{ user_id: "ana" }] },
  };
  const message = {
    id: "m",
    cid: "messaging:ops",
    text: "",
    user: { id: "ana" },
    attachments: [],
    mentioned_users: [],
    poll,
    floor: "Ana Lima",
  };
  const one = {
    message,
    reactions: [],
    votes: [{ user_id: "ana" }],
    files: [],
    replies: [],
    paths: new Map(),
  };
  const pseudonymized = new Pseudonyms("a key", []).message(one as never as Exported);
  expect(pseudonymized.message.poll).toMatchObject({
    name: "Lunch?",
    options: [{ id: "o", text: "Soup" }],
    vote_count: 1,
  });
  expect(JSON.stringify(pseudonymized)).not.toMatch(/Ana|"ana"/);
});

const PEOPLE = [
  { id: "ana", name: "Ana Lima" },
  { id: "bo_k", name: "Bo" },
  { id: "mary-ann", name: "Mary  Ann O'Neil" },
  { id: "yamada", name: "山田太郎" },
  { id: "ölaf", name: "ÖLAF Ström" },
  { id: "7", name: "🌸" },
];

/** Everything an anonymized export has of a message whose fields all contain the text. */
function exported(text: string): string {
  const poll = {
    id: "p",
    name: text,
    description: text,
    options: [{ id: "o", text }],
    vote_counts_by_option: {},
  };
  const message = {
    id: text,
    cid: `messaging:${text}`,
    type: "system",
    text,
    html: text,
    i18n: { en_text: text },
    user: { id: "ana", name: "Ana Lima", nickname: text },
    attachments: [{ type: "file", title: text, fallback: text, asset_url: `https://files.example/${text}` }],
    mentioned_users: [{ id: "ana", name: "Ana Lima" }],
    quoted_message_id: text,
    quoted_message: { text },
    reaction_groups: { [text]: { count: 1 } },
    poll,
    custom: text,
    parent_id: text,
  };
  const reactions = [{ type: text, user_id: "ana", message_id: text, emoji_code: text }];
  const one = { message, reactions, votes: [], files: [{ name: text }], replies: [], paths: new Map() };
  const pseudonyms = new Pseudonyms("a key", PEOPLE);
  const channel = {
    id: text,
    cid: `messaging:${text}`,
    type: "messaging",
    name: text,
    team: text,
    about: text,
  };
  return JSON.stringify([pseudonyms.message(one as never as Exported), pseudonyms.channel(channel as never)]);
}

test.each([
  ["ana", /\bana\b/i],
  ["ask ANA about it", /\bana\b/i],
  ["written by Ana  Lima.", /ana\s+lima/i],
  ["ANA LIMA's", /ana\s+lima/i],
  ["ana@mail.example and https://x.example/ana?by=Ana", /\bana\b/i],
  ["#ana-general", /\bana\b/i],
  ["bo, BO and Bo!", /\bbo\b/i],
  ["mary-ann", /mary/i],
  ["MARY ANN O'NEIL was here", /mary ann/i],
  ["thanks 山田太郎さん", /山田太郎/],
  ["O\u0308laf and ölaf ström", /laf/i],
  ["a 🌸 for you", /🌸/u],
])("no field of an anonymized export names anybody of '%s'", (text, named) => {
  expect(exported(text)).not.toMatch(named);
});

test.each([
  ["Ana Lima said so", /lima/i],
  ["mary-ann", /ann/i],
  ["Mary Ann O'Neil and Mary Ann Smith", /ann|o'neil|smith/i],
])("of several names that begin alike the longest goes from '%s', with all its words", (text, rest) => {
  const people = [
    { id: "ana", name: "Ana Lima" },
    { id: "mary", name: "Mary Ann" },
    { id: "mary-ann", name: "Mary Ann O'Neil" },
    { id: "smith", name: "Mary Ann Smith" },
  ];
  for (const known of [people, people.toReversed()]) {
    const names = new KnownNames(known, (id) => `<${known.findIndex((one) => one.id === id)}>`);
    expect(names.replace(text)).not.toMatch(rest);
  }
});

test("parts of other words, other texts and the kinds of things stay", () => {
  const text = "a banana for Anabel and bob, and mary ann without more";
  expect(JSON.parse(exported(text))).toMatchObject([
    { message: { text, type: "system" } },
    { name: text, type: "messaging", cid: `messaging:${text}` },
  ]);
});
