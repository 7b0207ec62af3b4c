/** Which channel a start opens; a requested channel that does not exist is not created (specification/command-line.md §5). */
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFirst, openRequested } from "../../../src/tui/start/first-channel.ts";
import { FakeCore, channel, stateOf } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";

let core: FakeCore;
let m: Mounted;
const nothingOpen = (): void =>
  m.change((s) => {
    const next = { ...s };
    delete next.cid;
    return next;
  });
beforeEach(async () => {
  core = new FakeCore(stateOf([channel("general"), channel("ops")]));
  m = await mount(core);
  nothingOpen();
});
afterEach(() => m.unmount());

test("no other channel opens while the requested one is loading", () => {
  openFirst(m.ports, "messaging:later");
  expect(m.screen.cid).toBeUndefined();
  openFirst(m.ports, "messaging:ops");
  expect(m.screen.cid).toBe("messaging:ops");
});

test("a requested channel that does not exist is reported, and another one opens", async () => {
  const requests: string[] = [];
  core.call = async (name) => {
    requests.push(name);
    throw new Error("Channel messaging:nowhere does not exist");
  };
  core.watch = async (cid) => void requests.push(`watch ${cid}`);
  await openRequested(m.ports, "messaging:nowhere");
  expect(requests[0]).toBe("queryChannels");
  expect(requests.join()).not.toContain("nowhere");
  expect(m.state.notices.at(-1)).toMatchObject({
    level: "error",
    text: expect.stringContaining("nowhere"),
  });
  expect(["messaging:general", "messaging:ops"]).toContain(m.screen.cid);
});

test("a requested channel that is not listed is opened, and a person as a direct channel", async () => {
  await openRequested(m.ports, "messaging:public");
  expect(m.screen.cid).toBe("messaging:public");
  nothingOpen();
  core.openDirect = async ([user]) => `messaging:!members-${user}`;
  await openRequested(m.ports, "@bob");
  expect(m.screen.cid).toBe("messaging:!members-bob");
});

test("a channel opened meanwhile stays open", async () => {
  m.open("messaging:general");
  await openRequested(m.ports, "messaging:ops");
  expect(m.screen.cid).toBe("messaging:general");
});

test.each([
  ["by its id", "messaging:design", { cid: "team:design", name: "design" }],
  ["by its name", "messaging:Plans", { cid: "team:x7", name: "Plans" }],
])(
  "#name also opens the only channel of another type that is called so, %s",
  async (_, asked, { cid, name }) => {
    const [type, id] = cid.split(":") as [string, string];
    const entry = channel(id, { name });
    const design = { ...entry, cid, channel: { ...entry.channel, cid, type } };
    core.change(() => stateOf([channel("general"), design]));
    await m.settle();
    core.answers.set("queryChannels", () => ({ channels: [] }));
    await openRequested(m.ports, asked);
    expect(m.screen.cid).toBe(cid);
    expect(m.state.notices).toEqual([]);
  },
);
