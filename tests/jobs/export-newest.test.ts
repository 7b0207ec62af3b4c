/** `newest` takes exactly so many messages of each channel, also among equal times, duplicates and threads. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { newDatabase, type OpenArchive } from "../../src/jobs/archive/open.ts";
import { ArchiveReader } from "../../src/jobs/archive/read.ts";
import { ArchiveWriter } from "../../src/jobs/archive/writer.ts";
import { SelectedMessages, type Selection } from "../../src/jobs/export/select.ts";
import type { Message } from "../../src/wire/entities/message.ts";
import { message } from "../support/fake-core.ts";

const CID = "messaging:ops";
let archive: OpenArchive;
beforeEach(() => void (archive = newDatabase(":memory:")));
afterEach(() => archive.close());

/** Rows such as `b 2`: id and second; `text` is the id unless given, a parent makes a reply. */
function write(...rows: [id: string, second: number, more?: Partial<Message>][]): void {
  const writer = new ArchiveWriter(archive, { n: 1, now: () => "2026-01-01T00:00:00Z" }, false);
  const page = rows.map(([id, second, more]) => ({
    message: message(id, "ana", more?.text ?? id, {
      cid: CID,
      created_at: `2026-01-01T00:00:0${second}.5Z`,
      ...more,
    }) as Message,
    reactions: [],
  }));
  writer.messages(page, { cid: CID, part: "messages" });
}

const selection = (more: Partial<Selection>): SelectedMessages =>
  new SelectedMessages(new ArchiveReader(archive.db), {
    channels: [],
    threads: "nested",
    reactions: true,
    attachments: "link",
    dedupe: false,
    ...more,
  });
const idsOf = (more: Partial<Selection>): string =>
  [...selection(more).messages(CID)]
    .map(({ message, replies }) => [message.id, ...replies.map((one) => one.message.id)].join("+"))
    .join(" ");

test.each([
  [1, "d", true],
  [2, "c d", true],
  [3, "b c d", true],
  [4, "a b c d", false],
  [5, "a b c d", false],
])("of four messages, three at the same time, the newest %i are %s", (newest, expected, isCut) => {
  write(["a", 1], ["c", 2], ["b", 2], ["d", 2]);
  expect(idsOf({ newest })).toBe(expected);
  expect(selection({ newest }).isCut(CID)).toBe(isCut);
});

test("a range is applied before the number", () => {
  write(["a", 1], ["b", 2], ["c", 3], ["d", 4]);
  const range = { since: "2026-01-01T00:00:02Z", until: "2026-01-01T00:00:04Z" };
  expect([idsOf({ newest: 1, ...range }), idsOf({ newest: 5, ...range })]).toEqual(["c", "b c"]);
});

test("nested replies come with their message and are not counted; flat ones are counted by their own time", () => {
  const reply = (parent_id: string): Partial<Message> => ({ parent_id });
  write(
    ["a", 1, { reply_count: 1 }],
    ["b", 2, { reply_count: 1 }],
    ["c", 3],
    ["r", 4, reply("b")],
    ["s", 5, reply("a")],
  );
  expect(idsOf({ newest: 2 })).toBe("b+r c");
  expect(idsOf({ newest: 2, threads: "none" })).toBe("b c");
  expect(idsOf({ newest: 3, threads: "flat" })).toBe("c r s");
});

test("duplicates are dropped before messages are counted, also those of one second at the bound", () => {
  write(["a", 1], ["b", 2, { text: "x" }], ["c", 2, { text: "y" }], ["d", 2, { text: "x" }], ["e", 3]);
  expect([1, 2, 3, 4].map((newest) => idsOf({ newest, dedupe: true }))).toEqual([
    "e",
    "c e",
    "b c e",
    "a b c e",
  ]);
  expect([3, 4].map((newest) => selection({ newest, dedupe: true }).isCut(CID))).toEqual([true, false]);
});

test("the same words in a thread and beside it are no repeat", () => {
  const said = { text: "yes" };
  write(["a", 1, { reply_count: 1 }], ["b", 2, said], ["r", 2, { ...said, parent_id: "a" }], ["c", 2, said]);
  expect(idsOf({ threads: "flat", dedupe: true })).toBe("a b r");
});

test.each<[string, Partial<Message>, number, boolean]>([
  ["the same", {}, 2, true],
  ["a later second", {}, 3, false],
  ["another text", { text: "no" }, 2, false],
  ["another person", { user: { id: "bo" } as Message["user"] }, 2, false],
  ["another file", { attachments: [{ type: "file", asset_url: "https://a.example/2" }] }, 2, false],
  ["no file", { attachments: [] }, 2, false],
])(
  "a repeat has the person, words and files of the first within its second: %s",
  (_, more, second, isRepeat) => {
    const said = { text: "yes", attachments: [{ type: "file", asset_url: "https://a.example/1" }] };
    write(["a", 2, said], ["b", second, { ...said, ...more }]);
    expect(idsOf({ dedupe: true })).toBe(isRepeat ? "a" : "a b");
    expect(idsOf({ dedupe: false })).toBe("a b");
  },
);

test("a message at the very end of the range is exported, and a quote of it leads there", () => {
  write(["a", 1], ["b", 2]);
  const range = { since: "2026-01-01T00:00:01.5Z", until: "2026-01-01T00:00:02.5Z" };
  const later = message("z", "ana", "z", { cid: CID, created_at: "2026-01-01T00:00:09Z" }) as Message;
  expect(idsOf(range)).toBe("a b");
  expect(["a", "b"].map((id) => selection(range).isExported(id, later))).toEqual([true, true]);
});

test.each([
  [{ attachments: "none", reactions: true }, [0, 1]],
  [{ attachments: "link", reactions: false }, [1, 0]],
  [{ attachments: "none", reactions: false }, [0, 0]],
  [{ attachments: "link", reactions: true }, [1, 1]],
] as const)(
  "with %j so many attachments and reactions are in a message, and in the one that it quotes",
  (more, counts) => {
    const both = {
      attachments: [{ type: "file" }],
      reaction_groups: { like: { count: 1 } },
      latest_reactions: [{ type: "like" }],
    } as unknown as Partial<Message>;
    const quoted = message("q", "ana", "q", { cid: CID, ...both }) as Message;
    write(["a", 1, { ...both, quoted_message: quoted, quoted_message_id: "q" }]);
    const [{ message: shown } = {}] = [...selection(more).messages(CID)];
    for (const one of [shown, shown?.quoted_message])
      expect([one?.attachments.length, Object.keys(one?.reaction_groups ?? {}).length]).toEqual(counts);
    expect(shown?.quoted_message?.latest_reactions).toHaveLength(counts[1]);
  },
);

test("what is left out because of its number, or with its message, is not quoted by an import", () => {
  write(["a", 1, { reply_count: 1 }], ["r", 2, { parent_id: "a" }], ["b", 3]);
  const later = message("z", "ana", "z", { cid: CID, created_at: "2026-01-01T00:00:09Z" }) as Message;
  const quotable = (newest: number, more: Partial<Selection> = {}): string[] =>
    ["a", "r", "b"].filter((id) => selection({ newest, ...more }).isExported(id, later));
  expect([quotable(1), quotable(2), quotable(2, { threads: "flat" })]).toEqual([
    ["b"],
    ["a", "r", "b"],
    ["r", "b"],
  ]);
});
