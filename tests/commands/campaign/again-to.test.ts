/** Who has not read a campaign that was sent by messages: up to the microsecond of the message, in each channel of one of the two (WN-7). */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { onlyUnread } from "../../../src/commands/campaign/flow/again-to.ts";
import type { StartCall } from "../../../src/commands/campaign/flow/start-file.ts";
import { Journal } from "../../../src/commands/campaign/receipts/journal.ts";
import { NOT_FOUND } from "../../../src/wire/errors.ts";

let folder: string;
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), "parley-again-")), "campaigns");
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

const SENT = "2026-11-22T10:00:00.000500Z";

/** How a person's copy and read state are found at the provider; a person without any has never read. */
interface Copy {
  lastRead?: string;
  gone?: "deleted" | "erased";
}

/** Those whom a second start is for, after one that reached these people. */
async function unreadAmong(people: Readonly<Record<string, Copy>>): Promise<string[]> {
  const names = Object.keys(people);
  const journal = new Journal({ folder }, "tea", () => Date.UTC(2026, 10, 22));
  journal.begin({
    kind: "begun",
    mode: "messages",
    hash: "h",
    file: "tea.yaml",
    by: "me",
    sender: "mira",
    sender_since: "2026",
    audience: names,
    left: {},
    counts: { wrong: 0, duplicates: 0 },
    guards: {},
  });
  for (const user of names)
    journal.write({ kind: "sent", user, message: `m-${user}`, cid: `messaging:${user}` });
  journal.close();
  const readOf = (id: string, last_read: string) => ({ user: { id }, last_read, unread_messages: 0 });
  const core = {
    call: async (name: string, { path: of, body }: { path?: { id: string }; body?: object }) => {
      if (name === "getMessage") {
        const { gone } = people[of!.id.slice("m-".length)]!;
        if (gone === "erased") throw Object.assign(new Error("gone"), { code: NOT_FOUND, status: 404 });
        return { message: { created_at: SENT, ...(gone === "deleted" && { deleted_at: SENT }) } };
      }
      const { filter_conditions: filter } = body as { filter_conditions: { cid: { $in: string[] } } };
      return {
        channels: filter.cid.$in.map((cid) => {
          const person = cid.slice("messaging:".length);
          const { lastRead } = people[person]!;
          // The sender has always read it.
          const read = [readOf("mira", "2027-01-01T00:00:00Z")];
          return {
            channel: { cid },
            read: lastRead === undefined ? read : [...read, readOf(person, lastRead)],
          };
        }),
      };
    },
  };
  const call = { core, machine: { folder }, signal: new AbortController().signal, progress: () => {} };
  const { only } = await onlyUnread(call as unknown as StartCall, { guards: {} } as never, "tea");
  return [...only!];
}

test("those have not read it whose channel was last read before the message, by a microsecond or more", async () => {
  expect(
    await unreadAmong({
      never: {},
      before: { lastRead: "2026-11-22T09:59:59.999999Z" },
      justBefore: { lastRead: "2026-11-22T10:00:00.000499Z" },
      exactly: { lastRead: SENT },
      inAnotherZone: { lastRead: "2026-11-22T12:00:00.0005+02:00" },
      beforeInAnotherZone: { lastRead: "2026-11-22T12:00:00.0004+02:00" },
      justAfter: { lastRead: "2026-11-22T10:00:00.000501Z" },
      after: { lastRead: "2026-11-23T10:00:00Z" },
    }),
  ).toEqual(["never", "before", "justBefore", "beforeInAnotherZone"]);
});

test("a message that is gone can be read by nobody any more", async () => {
  expect(await unreadAmong({ there: {}, deleted: { gone: "deleted" }, erased: { gone: "erased" } })).toEqual([
    "there",
  ]);
});

test("people on every page of channels are looked at", async () => {
  const people = Object.fromEntries(
    Array.from({ length: 95 }, (_, n): [string, Copy] => [`p${n}`, n % 2 === 0 ? {} : { lastRead: SENT }]),
  );
  expect(await unreadAmong(people)).toEqual(Object.keys(people).filter((_, n) => n % 2 === 0));
});

test("where everybody has read it, nothing is sent", async () => {
  await expect(unreadAmong({ ana: { lastRead: SENT }, bo: { lastRead: SENT } })).rejects.toThrow(
    "All 2 whom campaign tea has reached have read it.",
  );
});
