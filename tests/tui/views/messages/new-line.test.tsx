/** The new-messages line with real state: above messages that arrived unseen, never above messages that are read on arrival. */
import { afterEach, expect, test } from "vitest";
import { READ_AFTER } from "../../../../src/wire/constants.ts";
import { createStateMachine } from "../../../../src/core/state/machine.ts";
import type { State } from "../../../../src/model/state.ts";
import { FakeCore, stateOf } from "../../../support/fake-core.ts";
import { mount, type MountOptions, type Mounted } from "../../../support/mount.tsx";
import { fixedRandom, VirtualClock } from "../../../support/virtual-clock.ts";
import { at, channel, CID, isNew, me, msg, msgs, silentLog, user } from "../../../core/state/world.ts";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const ownRead = (upTo: number, unread: number) => ({
  user: user("me"),
  last_read: at(upTo),
  unread_messages: unread,
});

/** A core with the real state machine, so `seen` and `left` have the same effect as in the program. */
class StateCore extends FakeCore {
  readonly machine = createStateMachine({
    clock: new VirtualClock(Date.UTC(2026, 0, 2)),
    random: fixedRandom(),
    log: silentLog,
    userId: () => "me",
  });
  constructor(newest = 3, unread = 0) {
    super(stateOf([]));
    this.machine.apply({ kind: "me", me: { ...me(), id: "me" } });
    this.answer(newest, newest - unread, unread);
  }
  /** Applies a channel answer as the provider returns it after a query or a recovery. */
  answer(newest: number, readUpTo: number, unread: number): void {
    this.machine.apply({
      kind: "channels",
      states: [channel(msgs(1, newest), { read: [ownRead(readUpTo, unread)] })],
      messageLimit: 25,
      watched: true,
    });
  }
  receiveMessage(n: number): void {
    this.machine.dispatch([isNew(msg(n))]);
  }
  override state(): State {
    return this.machine?.state() ?? stateOf([]);
  }
  override subscribe(listener: () => void): () => void {
    return this.machine.subscribe(listener);
  }
  override seen(cid: string, ...upTo: string[]): void {
    super.seen(cid, ...upTo);
    if (upTo.length === 0) this.machine.apply({ kind: "seen", cid });
  }
  override endLine(cid: string): void {
    super.endLine(cid);
    this.machine.apply({ kind: "channelClosed", cid });
  }
}

async function show(core: StateCore, options: MountOptions = {}): Promise<Mounted> {
  const m = await mount(core, { open: CID, ...options });
  open.push(m);
  return m;
}
const line = (m: Mounted): string | undefined => /\d+ new(?= ──)/.exec(m.text())?.[0];
const everDrawn = (m: Mounted): boolean => m.writes.join("").match(/\d new(?! message)/) !== null;

test("messages that arrive while reading get no line, not even for one frame", async () => {
  const core = new StateCore();
  const m = await show(core);
  core.receiveMessage(4);
  await m.settle();
  core.receiveMessage(5);
  await m.settle();
  expect(m.text()).toContain("text 5");
  expect(everDrawn(m)).toBe(false);
  expect(core.state().channels.get(CID)!.unread).toBe(0);
});

test("messages loaded by a recovery while reading get no line", async () => {
  const core = new StateCore();
  const m = await show(core);
  core.machine.apply({ kind: "stale" });
  await m.settle();
  core.answer(6, 3, 3);
  await m.settle();
  expect(m.text()).toContain("text 6");
  expect(everDrawn(m)).toBe(false);
});

test("what was unread when the channel was opened keeps its line while more arrive", async () => {
  const core = new StateCore(5, 2);
  const m = await show(core);
  expect(line(m)).toBe("2 new");
  core.receiveMessage(6);
  await m.settle();
  expect(core.state().channels.get(CID)!.firstUnreadId).toBe("m4");
  expect(line(m)).toBeDefined();
});

test("what arrived before the screen caught up keeps its line", async () => {
  const core = new StateCore();
  core.machine.apply({ kind: "stale" });
  const m = await show(core);
  core.answer(6, 3, 3);
  await m.settle();
  expect(line(m)).toBe("3 new");
});

test.each(["shown", "focused"] as const)(
  "messages that arrive without window focus get a line, each time (%s)",
  async (readOn) => {
    const core = new StateCore();
    const m = await show(core, { readOn });
    for (const n of [4, 6]) {
      await m.type("\x1b[O");
      core.receiveMessage(n);
      await m.settle();
      await m.type("\x1b[I");
      expect(core.state().channels.get(CID)!.firstUnreadId).toBe(`m${n}`);
      expect(line(m)).toBe("1 new");
      m.pace.tick(READ_AFTER);
      core.receiveMessage(n + 1);
      await m.settle();
    }
  },
);
