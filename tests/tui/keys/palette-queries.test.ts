/** What the palette and the list of channels offer first for recorded queries: a title that starts with the word beats a hidden keyword. */
import { expect, test } from "vitest";
import { actionRow, type ActionName } from "../../../src/tui/keys/action-table.ts";
import { KEY_TABLES } from "../../../src/tui/bindings/key-tables.ts";
import { paletteActions } from "../../../src/tui/keys/lookup.ts";
import { filterChoices } from "../../../src/tui/screen/filter-choices.ts";
import { paletteChoices } from "../../../src/tui/views/popup/palette.ts";

const CONTEXTS = ["write", "global", "browse"] as const;
const choices = paletteChoices(KEY_TABLES.default, CONTEXTS);
const first = (query: string): string | undefined => filterChoices(choices, query)[0]?.runs;

/** Each query of a line has the same first answer. */
const RECORDED: readonly [string, ActionName | `/${string}`][] = [
  ["mark, mark read, mark this, mark channel, mark as read", "markRead"],
  ["mute, mute channel, mute this channel", "muteChannel"],
  ["create channel, create a channel, new channel, make channel, create", "newChannel"],
  ["inbox, inbox mentions", "inbox.show"],
  ["status", "status"],
  ["poll, new poll, make poll, survey", "newPoll"],
  ["do not disturb, dnd, disturb", "quiet"],
  ["theme, colours, dark, light", "theme"],
  ["quit, exit, bye, quit parley", "quit"],
  ["threads", "threads.show"],
  ["drafts", "drafts.show"],
  ["search, find", "search.show"],
  ["attach, upload", "attach"],
  ["tour", "/tour"],
  ["tutorial", "tour"],
  ["members, people", "members.show"],
  ["settings", "settings"],
  ["redraw, refresh", "redraw"],
  ["suspend", "suspend"],
  ["reconnect", "reconnect"],
  ["leave this channel", "leaveChannel"],
  ["only unread", "unreadOnly"],
  ["archive", "archiveChannel"],
  ["share location, share my location, gps", "shareLocation"],
];

test.each(RECORDED.flatMap(([queries, name]) => queries.split(", ").map((query) => [query, name] as const)))(
  "%s offers %s first",
  (query, name) => expect(first(query)).toBe(name),
);

test("each action is first for its whole title", () => {
  const missed = paletteActions(CONTEXTS).filter((name) => first(actionRow(name).title) !== name);
  expect(missed).toEqual([]);
});

test("each action is among the first five for the first two words of its title", () => {
  const missed = paletteActions(CONTEXTS).filter((name) => {
    const query = actionRow(name)
      .title.split(/[^\p{L}\p{N}-]+/u)
      .slice(0, 2)
      .join(" ");
    const found = filterChoices(choices, query);
    const at = found.findIndex(({ runs }) => runs === name);
    const before = found
      .slice(0, at)
      .filter(({ label }) => !label.toLowerCase().startsWith(query.toLowerCase()));
    return at < 0 || before.length > 4;
  });
  expect(missed).toEqual([]);
});

test("the beginning of a channel's name comes before a keyword that begins alike", () => {
  const status = { label: "Status: shown to others beside your name", keywords: "away lunch afk busy" };
  const found = filterChoices([status, { label: "#lunch" }], "lun");
  expect(found[0]?.label).toBe("#lunch");
});

test("a title that is typed from its beginning is first from its second word on, letter by letter", () => {
  const wrong = choices
    .filter(({ label, destructive, missing }) => !label.startsWith("/") && !destructive && !missing)
    .flatMap(({ label }) => {
      const [words = ""] = /^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)+/u.exec(label) ?? [];
      const from = words.indexOf(" ") + 2;
      return Array.from({ length: Math.max(0, words.length - from + 1) }, (_, n) => words.slice(0, from + n));
    })
    .filter(
      (typed) => !filterChoices(choices, typed)[0]!.label.toLowerCase().startsWith(typed.toLowerCase()),
    );
  expect(wrong).toEqual([]);
});
