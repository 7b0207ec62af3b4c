/** In which time somebody answers on average: in the details of a conversation of two and in the menu of a person, where the app measures it. */
import { afterEach, expect, test } from "vitest";
import { averageAnswer } from "../../../src/model/channels.ts";
import { openPersonMenu } from "../../../src/tui/views/moderation/person-menu.ts";
import { FakeCore, channel, stateOf, user } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";
import { ScreenDriver } from "../../support/screen-driver.ts";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

function talk(seconds: number | undefined, others: readonly string[] = ["ana"]): FakeCore {
  const members = new Map(
    ["me", ...others].map((id) => [
      id,
      { user_id: id, user: user(id), channel_role: "channel_member" } as never,
    ]),
  );
  const entry = channel("!members-x", { name: "", members, memberCount: members.size });
  const ana = { ...user("ana"), ...(seconds !== undefined && { avg_response_time: seconds }) };
  return new FakeCore(stateOf([entry], { users: new Map([["ana", ana]]) }));
}

async function details(core: FakeCore): Promise<string> {
  const m = await mount(core, { columns: 120, rows: 30, open: "messaging:!members-x" });
  open.push(m);
  await m.press("C-t");
  return m.text();
}

test("the details of a conversation of two say in which time the other answers", async () => {
  expect(await details(talk(312))).toMatch(/answers +in 5 min 12 s on average/);
});

test("they say nothing without a measured time, or in a group", async () => {
  expect(await details(talk(undefined))).not.toContain("answers");
  expect(await details(talk(312, ["ana", "bo"]))).not.toContain("answers");
});

test.each([
  [45, "ana · answers in 45 s on average"],
  [0, "ana · answers in 0 s on average"],
  [undefined, "ana"],
])("the menu of a person with an average of %s seconds is titled %s", (seconds, title) => {
  const m = new ScreenDriver(talk(seconds), { open: "messaging:!members-x" });
  openPersonMenu(m.ports, "ana", "messaging:!members-x");
  expect(m.screen.popups).toMatchObject([{ kind: "picker", title }]);
});

test("a person of whom nothing is known has no average", () => {
  expect(averageAnswer(undefined)).toBeUndefined();
});
