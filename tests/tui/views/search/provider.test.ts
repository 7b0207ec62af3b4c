/** The screen's search with the embedded provider: typing, results, opening them, stepping through, and returning. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Core } from "../../../../src/core/core.ts";
import { createProvider, type Provider } from "../../../../src/provider/provider.ts";
import { scrollOf } from "../../../../src/tui/screen/screen.ts";
import { signToken } from "../../../../src/wire/token.ts";
import { coreOn } from "../../../support/core-on.ts";
import type { FakeCore } from "../../../support/fake-core.ts";
import { until } from "../../../support/fake-provider.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";

const SECRET = "a secret that is long enough for a test";
const [TEA, DEN] = ["messaging:tea", "messaging:den"];
let folder: string;
let provider: Provider;
let core: Core;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parley-search-"));
  provider = createProvider({ data: path.join(folder, "data"), secret: SECRET });
  await provider.listen();
  core = coreOn(provider.url, { apiKey: provider.apiKey });
  await core.connectUser({ id: "mira" }, signToken({ user_id: "mira" }, SECRET));
});
afterEach(async () => {
  await core.close();
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

async function sendText(cid: string, text: string, parentId?: string): Promise<string> {
  const sent = core.send({ cid, ...(parentId !== undefined && { parentId }) }, { text });
  const outcome = await sent.outcome;
  if (outcome.state !== "received") throw new Error(`not received: ${JSON.stringify(outcome)}`);
  return sent.id;
}

test("an old message and one in a thread are found, opened and returned from", async () => {
  for (const cid of [TEA, DEN]) await core.watch(cid, { members: ["mira"] });
  const old = await sendText(TEA, "the first kettle");
  for (let n = 0; n < 60; n++) await sendText(TEA, `filler ${n}`);
  const parent = await sendText(DEN, "a question");
  const reply = await sendText(DEN, "kettles, mostly", parent);
  // As after a start: only the newest page of each channel is loaded.
  const fresh = coreOn(provider.url, { apiKey: provider.apiKey });
  await fresh.connectUser({ id: "mira" }, signToken({ user_id: "mira" }, SECRET));
  try {
    await fresh.queryChannels({ filter_conditions: { members: { $in: ["mira"] } }, message_limit: 10 });
    const m = new ScreenDriver(Object.assign(fresh, { asked: [] }) as never as FakeCore, { open: DEN });
    const { search } = { search: () => m.screen.search };
    await m.press("C-f");
    await m.type("kett in:tea in:#den sort:oldest");
    await until("both are found", () => !search().found.loading && search().found.results.length === 2);
    expect(search().found.results.map(({ id }) => id)).toEqual([old, reply]);
    await m.press("enter");
    await until("the cursor is on the old one", () => (m.change((s) => s), m.selected()?.id === old));
    expect(m.screen.cid).toBe(TEA);
    await m.press("n");
    await until("the cursor is on the reply", () => (m.change((s) => s), m.selected()?.id === reply));
    expect(m.screen.panels.at(-1)).toMatchObject({ name: "thread", cid: DEN, key: parent });
    await m.press("N");
    await until("it is on the old one again", () => (m.change((s) => s), m.selected()?.id === old));
    await m.press("backspace");
    expect([m.screen.cid, m.screen.focus, scrollOf(m.screen, { cid: DEN })]).toEqual([DEN, "panel", {}]);
    await m.press("C-u");
    await m.type("is:thread");
    await until("the thread", () => !search().found.loading && search().found.held === undefined);
    expect(
      search()
        .found.results.map(({ id }) => id)
        .toSorted(),
    ).toEqual([parent, reply].toSorted());
  } finally {
    await fresh.close();
  }
});
