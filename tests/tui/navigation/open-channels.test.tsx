/** Channels the user has not joined: completed where a channel is named, and listed for joining. */
import { afterEach, expect, test } from "vitest";
import { topPopup } from "../../../src/tui/screen/popup.ts";
import { choicesOf } from "../../../src/tui/screen/choices.ts";
import { FakeCore, channel, stateOf } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

async function screen(): Promise<Mounted> {
  const core = new FakeCore(stateOf([channel("general")]));
  core.answers.set("queryChannels", () => ({
    channels: [
      {
        channel: {
          cid: "livestream:garden",
          id: "garden",
          type: "livestream",
          name: "The garden",
          topic: "what grows",
          member_count: 12,
        },
      },
      { channel: { cid: "messaging:gear", id: "gear", type: "messaging" } },
      { channel: { cid: "messaging:general", id: "general", type: "messaging" } },
    ],
  }));
  const m = await mount(core, { columns: 100, rows: 24, keys: "default" });
  open.push(m);
  return m;
}
const labels = (m: Mounted): string[] => m.screen.completion?.items.map(({ label }) => label) ?? [];
const queries = (m: Mounted): unknown[] =>
  m.core.calls("call").flatMap(([name, args]) => (name === "queryChannels" ? [args] : []));

test("/join completes open channels a moment after the last key, with one request", async () => {
  const m = await screen();
  for (const letter of "/join #ge") m.send(letter);
  expect(queries(m)).toEqual([]);
  m.pace.tick(1000);
  await m.settle();
  expect(queries(m)).toMatchObject([
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

test("a channel of another type is found by its title and inserted with its full id", async () => {
  const m = await screen();
  await m.type("/join gard");
  m.pace.tick(1000);
  await m.settle();
  expect(labels(m)).toEqual(["livestream:garden"]);
  await m.press("tab");
  expect(m.ports.boxes.at().editor.text).toBe("/join livestream:garden ");
});

test("# in a message completes open channels after the joined ones; a refused request offers nothing", async () => {
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

test("/join alone lists open channels with topic and member count; Enter joins and opens one", async () => {
  const m = await screen();
  await m.type("/join\r");
  m.pace.tick(1000);
  await m.settle();
  expect(queries(m)).toMatchObject([{ body: { filter_conditions: { joined: false } } }]);
  expect(m.text()).toMatch(/▌ #The garden {2}what grows +12 members/);
  const offered = choicesOf(topPopup(m.screen), m.model);
  expect(offered.map(({ runs }) => runs)).toEqual(["/join livestream:garden", "/join messaging:gear"]);
  await m.type("gear");
  await m.press("enter");
  expect(m.core.calls("call").at(-1)).toMatchObject([
    "updateChannel",
    { path: { type: "messaging", id: "gear" }, body: { add_members: ["me"] } },
  ]);
  expect(m.screen.cid).toBe("messaging:gear");
  expect(m.ports.boxes.at().editor.text).toBe("");
});

test("a typed name is searched, and joined by its id if nothing is found", async () => {
  const m = await screen();
  m.core.answers.set("queryChannels", () => ({ channels: [] }));
  await m.type("/join\r");
  await m.type("#team:tea");
  m.pace.tick(1000);
  await m.settle();
  expect(queries(m).at(-1)).toMatchObject({
    body: {
      filter_conditions: { $or: [{ name: { $autocomplete: "team:tea" } }, { id: { $eq: "team:tea" } }] },
    },
  });
  expect(m.text()).toContain("▌ join team:tea");
  await m.press("C-u");
  expect(m.text()).toContain("no channel to join");
  await m.type("team:tea\r");
  expect(m.screen.cid).toBe("team:tea");
});

test.each(["/join #design ", "/join design"])(
  "%s opens the channel of the list that is called so, whatever its type",
  async (line) => {
    const entry = channel("design");
    const design = {
      ...entry,
      cid: "team:design",
      channel: { ...entry.channel, cid: "team:design", type: "team" },
    };
    const m = await mount(new FakeCore(stateOf([channel("general"), design])), { keys: "default" });
    open.push(m);
    await m.type(`${line}\r`);
    expect(m.screen.cid).toBe("team:design");
    expect(m.core.calls("call").map(([name]) => name)).not.toContain("updateChannel");
  },
);
