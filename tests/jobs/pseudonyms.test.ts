/** A pseudonymised export keeps the question and counts of a poll, and nothing that could identify a person. */
import { expect, test } from "vitest";
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
  const pseudonymized = new Pseudonyms("a key", () => undefined).message(one as never as Exported);
  expect(pseudonymized.message.poll).toMatchObject({
    name: "Lunch?",
    options: [{ id: "o", text: "Soup" }],
    vote_count: 1,
  });
  expect(JSON.stringify(pseudonymized)).not.toMatch(/Ana|"ana"/);
});
