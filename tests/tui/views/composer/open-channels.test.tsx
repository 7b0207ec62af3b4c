/** Channels that one has not joined, completed where a channel is named. */
import { afterEach, expect, test } from "vitest";
import { FakeCore, channel, stateOf } from "../../../support/fake-core.ts";
import { mount } from "../../../support/mount.tsx";
import type { Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

async function screen(): Promise<Mounted> {
  const core = new FakeCore(stateOf([channel("general")]));
  core.answers.set("queryChannels", () => ({
    channels: [
      { channel: { cid: "livestream:garden", id: "garden", type: "livestream", name: "The garden" } },
      { channel: { cid: "messaging:gear", id: "gear", type: "messaging" } },
      { channel: { cid: "messaging:general", id: "general", type: "messaging" } },
    ],
  }));
  const m = await mount(core, { columns: 100, rows: 24, keys: "default" });
  open.push(m);
  return m;
}
const labels = (m: Mounted): string[] => m.screen.completion?.items.map(({ label }) => label) ?? [];
const asked = (m: Mounted): unknown[] =>
  m.core.calls("call").flatMap(([name, args]) => (name === "queryChannels" ? [args] : []));

test("/join offers them a moment after the last key, asked for once, each as it is named to be joined", async () => {
  const m = await screen();
  for (const letter of "/join #ge") m.send(letter);
  expect(asked(m)).toEqual([]);
  m.pace.tick(1000);
  await m.settle();
  expect(asked(m)).toMatchObject([
    {
      body: {
        filter_conditions: { joined: false, $or: [{ name: { $autocomplete: "ge" } }, { id: { $eq: "ge" } }] },
      },
    },
  ]);
  expect(labels(m)).toEqual(["#general", "#gear"]);
  expect(m.text()).toContain("you can join it");
  await m.type("ar");
  await m.press("tab");
  expect(m.ports.boxes.at().editor.text).toBe("/join #gear ");
});

test("a name of another type is found by its title and written in full", async () => {
  const m = await screen();
  await m.type("/join gard");
  m.pace.tick(1000);
  await m.settle();
  expect(labels(m)).toEqual(["livestream:garden"]);
  await m.press("tab");
  expect(m.ports.boxes.at().editor.text).toBe("/join livestream:garden ");
});

test("# in a message offers them behind the own ones; what is refused offers nothing", async () => {
  const m = await screen();
  await m.type("see #gar");
  m.pace.tick(1000);
  await m.settle();
  expect(labels(m)).toEqual(["#The garden"]);
  m.core.answers.set("queryChannels", () => Promise.reject(new Error("no")));
  await m.type(" #zz");
  m.pace.tick(1000);
  await m.settle();
  expect(labels(m)).toEqual([]);
});
