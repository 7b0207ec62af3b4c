/** Typing signals, local drafts and mentions of the composer (R-TYPE, R-DRAFT, D10, R-MENT). */
import { describe, expect, test } from "vitest";
import { createDrafts } from "../../../src/core/composer/drafts.ts";
import { createTyping } from "../../../src/core/composer/typing.ts";
import { createMemoryStore } from "../../../src/core/store/memory-store.ts";
import { StoreFailure } from "../../../src/core/store/store.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { miraToken, virtualCore } from "../../support/virtual-core.ts";
import { channel, CID, msg, quiet, subject } from "../state/world.ts";
import { draftOf, writeDraft } from "../../support/drafts.ts";

const place = { cid: CID };

describe("typing signals", () => {
  const typing = (state = channel(), publishes = true) => {
    const s = subject(state);
    const sent: string[] = [];
    const signals = createTyping({
      clock: s.clock,
      state: s.machine.state,
      send: (where, type) =>
        sent.push(`${type.slice(7)} ${where.parentId ?? "channel"} ${s.clock.monotonic()}`),
      publishes: () => publishes,
    });
    return { ...s, sent, signals };
  };
  test("R-TYPE-1: the first stroke at once, then at most one start in 2000", async () => {
    const t = typing();
    for (let i = 0; i < 50; i++) {
      t.signals.typed(place, "x");
      await t.clock.advance(100);
    }
    expect(t.sent).toEqual(["start channel 0", "start channel 2000", "start channel 4000"]);
    t.signals.close();
    expect(t.clock.timers).toEqual([]);
  });
  test("R-TYPE-2: each thread has its own", () => {
    const t = typing();
    t.signals.typed(place, "x");
    t.signals.typed({ cid: CID, parentId: "m1" }, "x");
    expect(t.sent).toEqual(["start channel 0", "start m1 0"]);
    t.signals.close();
  });
  test("R-TYPE-8: a command is written without a word of it; what was told before ends", () => {
    const t = typing();
    for (const text of ["/", "/g", "/giphy cats"]) t.signals.typed(place, text);
    expect(t.sent).toEqual([]);
    t.signals.typed(place, "//usr");
    t.signals.typed(place, "/usr");
    expect(t.sent).toEqual(["start channel 0", "stop channel 0"]);
    t.signals.close();
  });
  test("R-TYPE-4: stop on clearing, on sending and after 7000 without a stroke, only if a start was sent", async () => {
    const t = typing();
    t.signals.typed(place, "");
    t.signals.sent(place);
    expect(t.sent).toEqual([]);
    t.signals.typed(place, "x");
    t.signals.typed(place, "");
    t.signals.typed(place, "y");
    t.signals.sent(place);
    t.signals.typed(place, "z");
    await t.clock.advance(6999);
    t.signals.typed(place, "zz");
    await t.clock.advance(7001);
    t.signals.sent(place);
    expect(t.sent.map((each) => each.split(" ")[0])).toEqual([
      "start",
      "stop",
      "start",
      "stop",
      "start",
      "start",
      "stop",
    ]);
    expect(t.sent.at(-1)).toBe("stop channel 13999");
  });
  test("R-TYPE-1: silent without text, when switched off, or where channel or capability forbid", () => {
    const off = channel();
    const forbidden = [
      { ...off, channel: { ...off.channel, config: { typing_events: false } as never } },
      { ...off, channel: { ...off.channel, own_capabilities: ["send-message"] } },
    ];
    for (const state of forbidden) {
      const t = typing(state);
      t.signals.typed(place, "x");
      expect(t.sent).toEqual([]);
    }
    const t = typing(channel(), false);
    t.signals.typed(place, "x");
    expect(t.sent).toEqual([]);
    const hidden = typing();
    hidden.machine.apply({
      kind: "me",
      me: {
        ...hidden.machine.state().me!,
        privacy_settings: { typing_indicators: { enabled: false } },
      } as never,
    });
    hidden.signals.typed(place, "x");
    expect(hidden.sent).toEqual([]);
    const allowed = typing({ ...off, channel: { ...off.channel, own_capabilities: ["send-typing-events"] } });
    allowed.signals.typed(place, "x");
    expect(allowed.sent).toHaveLength(1);
    allowed.signals.close();
  });
});

describe("local drafts", () => {
  test("D10: in memory at once, on disk 250 after the first unsaved stroke, whole text", async () => {
    const clock = new VirtualClock();
    const store = createMemoryStore();
    const drafts = createDrafts({ store, clock, log: quiet });
    for (let i = 1; i <= 10; i++) {
      drafts.save({ cid: CID, text: "x".repeat(i * 1000) });
      expect(drafts.get(place)!.text).toHaveLength(i * 1000);
      await clock.advance(50);
    }
    // 500 ms of typing, a key every 50 ms: two saves, the second 250 ms after the first key since the first save.
    expect(store.draft(CID)!.text.length).toBeGreaterThanOrEqual(5000);
    await clock.advance(250);
    expect(store.draft(CID)!.text).toHaveLength(10_000);
    store.close();
  });
  test("R-DRAFT-4: an empty composition deletes the stored draft; each thread has its own; flush writes now", () => {
    const clock = new VirtualClock();
    const store = createMemoryStore();
    const drafts = createDrafts({ store, clock, log: quiet });
    drafts.save({ cid: CID, text: "a" });
    drafts.save({ cid: CID, parentId: "m1", text: "b" });
    drafts.flush();
    expect(
      drafts
        .all()
        .map((draft) => draft.text)
        .toSorted(),
    ).toEqual(["a", "b"]);
    drafts.save({ cid: CID, text: " " });
    expect(drafts.get(place)).toBeUndefined();
    drafts.flush();
    expect(store.drafts().map((draft) => draft.text)).toEqual(["b"]);
    expect(clock.timers).toEqual([]);
    store.close();
  });
  test("a disk that refuses keeps the draft in memory, tells, and the next stroke tries again", async () => {
    const clock = new VirtualClock();
    const store = createMemoryStore();
    const save = store.saveDraft.bind(store);
    const told: (string | undefined)[] = [];
    store.saveDraft = () => {
      throw new StoreFailure("full", "the disk is full");
    };
    const drafts = createDrafts({ store, clock, log: quiet, storage: (fault) => told.push(fault) });
    drafts.save({ cid: CID, text: "a" });
    await clock.advance(300);
    expect(told).toEqual(["the disk is full"]);
    expect(drafts.get(place)!.text).toBe("a");
    store.saveDraft = save;
    drafts.save({ cid: CID, text: "ab" });
    await clock.advance(300);
    expect(store.draft(CID)!.text).toBe("ab");
    expect(told).toEqual(["the disk is full", undefined]);
    store.close();
  });
  test("a disk that works again has the draft within seconds, without a stroke, and is no trouble any more", async () => {
    const clock = new VirtualClock();
    const store = createMemoryStore();
    const save = store.saveDraft.bind(store);
    const told: (string | undefined)[] = [];
    store.saveDraft = () => {
      throw new StoreFailure("full", "the disk is full");
    };
    const drafts = createDrafts({ store, clock, log: quiet, storage: (fault) => told.push(fault) });
    drafts.save({ cid: CID, text: "a" });
    await clock.advance(6000);
    store.saveDraft = save;
    await clock.advance(5000);
    expect(store.draft(CID)!.text).toBe("a");
    expect([told.at(0), told.at(-1), clock.timers]).toEqual(["the disk is full", undefined, []]);
    store.close();
  });
});

describe("drafts while the provider's copy is off", () => {
  const core = (store = createMemoryStore("mira")) => {
    const at = virtualCore({ typing: false }, { store });
    at.core.setUser({ id: "mira" }, miraToken());
    return { ...at, store };
  };
  test("R-DRAFT-1: writing, leaving, sending and closing make no draft call", async () => {
    const at = core();
    writeDraft(at.core, place, "a");
    at.core.left(CID);
    await at.clock.advance(5000);
    writeDraft(at.core, place, "");
    await at.clock.advance(5000);
    at.core.send(place, { text: "a" });
    await at.clock.advance(5000);
    await at.core.close();
    expect(at.calls.length).toBeGreaterThan(0);
    expect(at.calls.filter(({ what }) => what.includes("draft"))).toEqual([]);
  });
  test("R-DRAFT-3, R-DRAFT-5: what was written last is kept on quit and on sign-out, and taken up when the place is opened again", async () => {
    const at = core();
    const close = at.store.close.bind(at.store);
    at.store.close = () => {};
    writeDraft(at.core, place, "half a sen");
    await at.core.disconnectUser();
    expect(at.store.draft(CID)!.text).toBe("half a sen");
    writeDraft(at.core, place, "half a sentence");
    at.core.composer(place).quote("m1");
    await at.core.close();
    const again = core(at.store);
    expect(draftOf(again.core, place)).toMatchObject({ text: "half a sentence", quotedMessageId: "m1" });
    expect(draftOf(again.core, { cid: CID, parentId: "m1" })).toBeUndefined();
    at.store.close = close;
    await again.core.close();
  });
  test("R-DRAFT-6, specification/drafts.md §4: a send takes the draft of its place with it; a discarded one leaves it", async () => {
    const at = core();
    writeDraft(at.core, place, "x");
    writeDraft(at.core, { cid: CID, parentId: "m1" }, "reply");
    expect(() => at.core.send(place, { text: "x".repeat(5001) })).toThrow("too long");
    expect(() => at.core.send(place, { text: " " })).toThrow("empty");
    expect(draftOf(at.core, place)!.text).toBe("x");
    at.core.send(place, { text: "x" });
    expect(draftOf(at.core, place)).toBeUndefined();
    await at.clock.advance(1000);
    expect(at.store.drafts().map(({ text }) => text)).toEqual(["reply"]);
    await at.core.close();
  });
  test("R-DRAFT-8: an edit is kept apart from a message: it names what it edits and holds no files on their way", async () => {
    const at = core();
    at.core.composer(place).edit(msg(1));
    writeDraft(at.core, place, "changed");
    await at.clock.advance(1000);
    expect(at.store.draft(CID)).toMatchObject({ text: "changed", editingId: "m1" });
    expect(Object.keys(at.store.draft(CID)!).toSorted()).toEqual(["cid", "editingId", "text", "updatedAt"]);
    await at.core.close();
  });
});
