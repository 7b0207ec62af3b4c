/** Channels that fail to load are not shown as none: the screen says why, asks again, and names the key that asks at once. */
import { afterEach, expect, test } from "vitest";
import { ApiError } from "../../../src/model/errors.ts";
import { loadAtStart } from "../../../src/tui/start/load.ts";
import { words } from "../../../src/text/words.ts";
import { FakeCore, channel, stateOf } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";

let m: Mounted | undefined;
afterEach(() => m?.unmount());

const TOO_MANY = new ApiError("Too many requests", { status: 429, code: 9, retryAfter: 12_000 });
const REFUSED = new ApiError("not allowed", { status: 403, code: 17 });

/** A start whose list of channels is answered with these errors in turn, then loaded. */
async function start(...errors: Error[]): Promise<{ m: Mounted; asked: () => number }> {
  const core = new FakeCore(stateOf([]));
  let asked = 0;
  core.queryChannels = async () => {
    const error = errors[asked++];
    if (error) throw error;
    core.change((state) => ({ ...state, channels: stateOf([channel("general")]).channels }));
    return ["messaging:general"];
  };
  m = await mount(core, { columns: 100, rows: 24 });
  loadAtStart(m.ports, Promise.resolve(), undefined);
  await m.settle();
  return { m, asked: () => asked };
}
test("a list that is refused for now is asked for again, and the screen says until when", async () => {
  const { m: at, asked } = await start(TOO_MANY);
  expect(at.screen.notLoaded).toMatchObject({ why: "Too many requests", retryAt: expect.any(Number) });
  expect(at.text()).toMatch(
    /Your channels could not be loaded: Too many requests\. Trying again in 1[0-3] s;/,
  );
  expect(at.text()).not.toContain(words.channel.first.title);
  at.pace.pause();
  await at.settle();
  expect(asked()).toBeGreaterThan(1);
  expect(at.screen.notLoaded).toBeUndefined();
  expect(at.screen.cid).toBe("messaging:general");
});

test("a list that is refused for good is asked for again by Ctrl-L only", async () => {
  const { m: at, asked } = await start(REFUSED);
  expect(at.text()).toContain("Your channels could not be loaded: not allowed. Ctrl-L tries again.");
  at.pace.pause();
  await at.settle();
  expect(asked()).toBe(1);
  await at.press("C-l");
  await at.settle();
  expect(asked()).toBeGreaterThan(1);
  expect(at.screen.notLoaded).toBeUndefined();
});
