/** What an archive or export could not read is kept as the provider wrote it, counted, and ends with 9; a change whose answer lacks its entity is done. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signToken } from "../../src/wire/token.ts";
import { channel, msgs } from "../core/state/world.ts";
import { startFakeProvider, type FakeProvider } from "../support/fake-provider.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
let fake: FakeProvider;
beforeAll(async () => {
  home = makeHome();
  fake = await startFakeProvider();
  const token = signToken({ user_id: "mira" }, "s");
  await home.sh(
    `printf %s '${token}' | parley login fake --url ${fake.url} --key k3y --with-token --no-test`,
  );
});
afterAll(async () => {
  await fake.close();
  await home.end();
});

const CID = "messaging:tea";
const nameless = { text: "who am I", n: [1] };
const reduced = { attachments: "none at all", odd: { of: ["it"] } };

function answerWith(change: (messages: Record<string, unknown>[]) => unknown[]): void {
  const messages = msgs(1, 4).map((one) => ({ ...one, cid: CID })) as never as Record<string, unknown>[];
  const state = channel(messages as never, { id: "tea", cid: CID } as never);
  const answer = JSON.parse(JSON.stringify(state)) as typeof state & { messages: unknown[] };
  answer.messages = change(messages) as never;
  fake.on = {
    "POST /channels": ({ body }) => ({
      body: { channels: body.includes('"hidden":true') ? [] : [answer], duration: "" },
    }),
    "POST /channels/messaging/tea/query": () => ({ body: { ...answer, duration: "" } }),
    "GET /members": () => ({ body: { members: [{ user_id: "ana" }, { nobody: true }], duration: "" } }),
  };
}
const odd = (messages: Record<string, unknown>[]): unknown[] => [
  messages[0],
  nameless,
  { ...messages[1], ...reduced },
  ...messages.slice(2),
];
const rows = (file: string): { cid: string; kind: string; raw: Record<string, unknown> }[] =>
  readFileSync(path.join(home.folder, "work", file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as never);

test("an archive keeps them, an update that can read them forgets them, and an export writes them beside", async () => {
  answerWith(odd);
  const made = await home.sh("parley archive create kept --json=messages,gaps messaging:tea");
  expect(JSON.parse(made.out)).toEqual({ messages: 4, gaps: 3 });
  expect([made.code, made.err]).toEqual([
    9,
    expect.stringMatching(/3 items are not written as documented and kept as it came/),
  ]);
  const listed = await home.sh("parley archive stats kept --of missing --json=part");
  expect((JSON.parse(listed.out) as { part: string }[]).map(({ part }) => part.split(":")[1])).toEqual([
    "member",
    "message",
    "message",
  ]);

  const out = await home.sh("parley export --from kept --out tea.ndjson");
  expect([out.code, out.err]).toEqual([9, expect.stringContaining("in tea-unread.ndjson")]);
  const written = rows("tea-unread.ndjson");
  expect(written.map(({ cid, kind }) => `${cid} ${kind}`).toSorted()).toEqual([
    `${CID} member`,
    `${CID} message`,
    `${CID} message`,
  ]);
  expect(written.map(({ raw }) => raw)).toEqual(
    expect.arrayContaining([{ nobody: true }, nameless, expect.objectContaining(reduced)]),
  );
  await home.sh("parley export --from kept --anonymize --out secret.ndjson");
  expect((await home.sh("ls secret*")).out).toBe("secret.ndjson\n");
  const piped = await home.sh("parley export messaging:tea");
  expect([piped.code, piped.out.split("\n").length]).toEqual([9, 5]);
  expect(piped.err).toContain("With --out a file beside keeps it as it came");

  answerWith((messages) => messages);
  fake.on["GET /members"] = () => ({ body: { members: [{ user_id: "ana" }], duration: "" } });
  expect((await home.sh("parley archive update kept --look-back 400d")).code).toBe(9);
  const { out: left } = await home.sh("parley archive stats kept --of missing --json=part");
  // What has no id may be any of those that can be read now.
  expect((JSON.parse(left) as { part: string }[]).map(({ part }) => part.split(":")[1])).toEqual(["message"]);
});

test("a full page with an item that cannot be read is not the last one", async () => {
  const all = msgs(1, 303).map((one) => ({ ...one, cid: CID })) as never as Record<string, unknown>[];
  answerWith(() => []);
  fake.on["POST /channels/messaging/tea/query"] = ({ body }) => {
    const { messages: at = {} } = JSON.parse(body) as { messages?: { id_gt?: string } };
    const from = at.id_gt === undefined ? 0 : all.findIndex(({ id }) => id === at.id_gt) + 1;
    const page = all.slice(from, from + 300);
    return {
      body: {
        ...channel([], { id: "tea", cid: CID } as never),
        messages: from > 0 ? page : page.with(5, { text: "who am I" }),
        duration: "",
      },
    };
  };
  const made = await home.sh("parley archive create long --json=messages messaging:tea");
  expect([made.code, JSON.parse(made.out)]).toEqual([9, { messages: 302 }]);
});

test.each(["poll close p", "poll vote m-1 Tea", "message edit m-1 other", "channel freeze messaging:tea"])(
  "%s is done when it was answered, also without the entity",
  async (line) => {
    const poll = { id: "p", name: "Which?", options: [{ id: "o", text: "Tea" }] };
    const found = { message: { ...msgs(1, 1)[0], id: "m-1", poll }, poll, duration: "" };
    fake.on = new Proxy(
      {},
      { get: (_, call: string) => () => ({ body: call.startsWith("GET ") ? found : {} }) },
    );
    const { out, err, code } = await home.sh(`parley ${line} --yes`);
    expect([code, out]).toEqual([0, "done; the provider's answer does not say more\n"]);
    expect(err).toContain("not as documented");
    expect((await home.sh(`parley ${line} --yes --json`)).out).not.toContain('"id":""');
  },
);

test("a vote is done when only the vote was answered", async () => {
  const poll = { id: "p", name: "Which?", options: [{ id: "o", text: "Tea" }] };
  const found = { message: { ...msgs(1, 1)[0], id: "m-1", poll }, poll, duration: "" };
  const vote = {
    id: "v",
    poll_id: "p",
    option_id: "o",
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  };
  fake.on = new Proxy(
    {},
    { get: (_, call: string) => () => ({ body: call.startsWith("GET ") ? found : { vote, duration: "" } }) },
  );
  const { out, code } = await home.sh("PARLEY_DEBUG=1 parley poll vote m-1 Tea --yes");
  expect([code, out]).toEqual([0, "done; the provider's answer does not say more\n"]);
  const { out: data } = await home.sh("parley poll vote m-1 Tea --yes --json");
  expect(JSON.parse(data)).toMatchObject({ vote: { option_id: "o" } });
});
