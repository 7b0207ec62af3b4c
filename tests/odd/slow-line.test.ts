/** Lists and archives behind a proxy on which only small pages are answered in time: they are read whole. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseObject } from "../../src/wire/json-object.ts";
import { Home } from "../support/home.ts";
import * as here from "../support/shell-here.ts";
import { startAnswerProxy, type AnswerProxy } from "./answer-proxy.ts";
import { FORMS, rewrite } from "./service.ts";

/** Items of the largest page that is answered. */
const MOST = 4;

let home: Home;
let proxy: AnswerProxy | undefined;
/** The sizes of the pages that were not answered. */
const refused: number[] = [];
/** How the pages are written. */
let write: (answer: Record<string, unknown>) => void = () => undefined;

const limitOf = (fields: unknown): number => Number((fields as { limit?: unknown } | undefined)?.limit ?? 0);

/** The largest page that a call asks for by name. */
function pageOf(url: URL, body: string): number {
  const asked = [parseObject(body), parseObject(url.searchParams.get("payload") ?? "")];
  const pages = asked.flatMap((one) => [one, one?.messages, one?.members].map(limitOf));
  return Math.max(Number(url.searchParams.get("limit") ?? 0), ...pages);
}

const LISTS = [
  "channel list",
  "message list -c messaging:tea",
  "message replies tea-1",
  "message reactions tea-1",
  "member list -c messaging:tea",
  "user list",
  "thread list",
  "search hello",
  "reminder list",
];

beforeAll(async () => {
  home = new Home({ here });
  const people = Array.from({ length: 9 }, (_, n) => `u${n}`);
  const numbers = people.map((_, n) => n + 1);
  for (const line of [
    "parley channel create messaging:tea",
    `parley user upsert ${people.join(" ")}`,
    `parley member add -c messaging:tea ${people.join(" ")}`,
    `for n in ${numbers.join(" ")}; do parley send messaging:tea --id tea-$n "hello $n"; done`,
    `for n in ${numbers.join(" ")}; do parley thread reply tea-$n "answer $n"; done`,
    `for n in ${numbers.join(" ")}; do parley thread reply tea-1 "more $n"; done`,
    `for u in ${people.join(" ")}; do parley message react tea-1 like --as $u; done`,
    `for n in ${numbers.join(" ")}; do parley channel create messaging:room-$n --name "Room $n"; done`,
    `for n in ${numbers.join(" ")}; do parley reminder set tea-$n --in \${n}h; done`,
  ]) {
    const { code, err } = await home.sh(line);
    expect([line, code, err]).toEqual([line, 0, expect.not.stringContaining("error")]);
  }
});
afterAll(async () => {
  proxy?.close();
  await home.end();
});

test("every list is the same as without the proxy, and an archive misses nothing", async () => {
  const read = async (line: string): Promise<[string, number | null, string]> => {
    const { code, out } = await home.sh(`parley ${line} --retries 0`);
    return [line, code, out];
  };
  const plain = [];
  for (const line of LISTS) plain.push(await read(`${line} --all --json`));
  const lines = plain.map(([, , out]) => (JSON.parse(out) as unknown[]).length);
  expect(lines.every((length) => length > 2 * MOST)).toBe(true);
  plain.push(await read("export messaging:tea"));
  proxy = await startAnswerProxy(home, {
    write: (answer) => write(answer),
    refuse({ url, body }) {
      if (pageOf(url, body) <= MOST) return undefined;
      refused.push(pageOf(url, body));
      return 504;
    },
  });
  for (const [line, ...expected] of plain)
    expect([line, ...(await read(line)).slice(1)]).toEqual([line, ...expected]);
  expect(refused.length).toBeGreaterThan(LISTS.length);
  const made = await read("archive create kept --json=channels,messages,replies,gaps,members");
  const counts = { channels: 10, messages: 9, replies: 18, gaps: 0, members: 19 };
  expect([made[1], JSON.parse(made[2])]).toEqual([0, counts]);
});

test("a page without an answer is asked for once in each size, whatever --retries says", async () => {
  for (const line of LISTS) {
    refused.length = 0;
    const { code } = await home.sh(`parley ${line} --all --json --retries 3`);
    expect([line, code, refused.length > 0]).toEqual([line, 0, true]);
    expect([line, refused.every((size, n) => n === 0 || size !== refused[n - 1])]).toEqual([line, true]);
  }
});

test.each(["lists in another order", "items twice"])(
  "with %s every list ends and misses nothing",
  async (form) => {
    /** Without what is in another order inside an item. */
    const keysIn = (out: string): Set<string> =>
      new Set(
        (JSON.parse(out) as { [key: string]: unknown; message?: { id: string } }[]).map(
          ({ id, cid, user_id, type, parent_message_id, message_id, message }) =>
            JSON.stringify([id, cid, user_id, type, parent_message_id, message_id, message?.id]),
        ),
      );
    for (const line of LISTS) {
      const all = `parley ${line} --all --json --retries 0`;
      const whole = keysIn((await home.sh(`${all} --profile local`)).out);
      write = (answer) => rewrite(answer, FORMS[form]!);
      const { code, out } = await home.sh(all);
      write = () => undefined;
      expect([line, code, keysIn(out)]).toEqual([line, 0, whole]);
      if (form === "items twice")
        expect([line, (JSON.parse(out) as unknown[]).length]).toEqual([line, whole.size]);
    }
  },
);
