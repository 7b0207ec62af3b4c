/** Typing signals, local drafts and mentions of the composer (R-TYPE, R-DRAFT, D10, R-MENT). */
import { describe, expect, test } from "vitest";
import { createDrafts } from "../../../src/core/composer/drafts.ts";
import { createTyping } from "../../../src/core/composer/typing.ts";
import { createMemoryStore } from "../../../src/core/store/memory-store.ts";
import { StoreFailure, type LocalDraft } from "../../../src/core/store/store.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { miraToken, virtualCore } from "../../support/virtual-core.ts";
import { channel, CID, msg, silentLog, subject } from "../state/world.ts";
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
  test("R-TYPE-1: the first keystroke sends typing.start at once, further ones at most one in 2000 ms", async () => {
    const t = typing();
    for (let i = 0; i < 50; i++) {
      t.signals.typed(place, "x");
      await t.clock.advance(100);
    }
    expect(t.sent).toEqual(["start channel 0", "start channel 2000", "start channel 4000"]);
    t.signals.close();
    expect(t.clock.timers).toEqual([]);
  });
  test("R-TYPE-2: each thread has its own typing signal", () => {
    const t = typing();
    t.signals.typed(place, "x");
    t.signals.typed({ cid: CID, parentId: "m1" }, "x");
    expect(t.sent).toEqual(["start channel 0", "start m1 0"]);
    t.signals.close();
  });
  test("R-TYPE-8: typing a command sends nothing, and turning a text into a command stops the signal", () => {
    const t = typing();
    for (const text of ["/", "/g", "/giphy cats"]) t.signals.typed(place, text);
    expect(t.sent).toEqual([]);
    t.signals.typed(place, "//usr");
    t.signals.typed(place, "/usr");
    expect(t.sent).toEqual(["start channel 0", "stop channel 0"]);
    t.signals.close();
  });
  test("R-TYPE-4: typing.stop is sent on clearing, on sending and 7000 ms after the last keystroke, only after a start", async () => {
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
  test("R-TYPE-1: no signal without text, with the option or privacy setting off, or where config or capabilities forbid it", () => {
    const base = channel();
    const forbidden = [
      { ...base, channel: { ...base.channel, config: { typing_events: false } as never } },
      { ...base, channel: { ...base.channel, own_capabilities: ["send-message"] } },
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
    const allowed = typing({
      ...base,
      channel: { ...base.channel, own_capabilities: ["send-typing-events"] },
    });
    allowed.signals.typed(place, "x");
    expect(allowed.sent).toHaveLength(1);
    allowed.signals.close();
  });
});

describe("local drafts", () => {
  test("D10: a draft is in memory at once and on disk with its whole text 250 ms after the first unsaved keystroke", async () => {
    const clock = new VirtualClock();
    const store = createMemoryStore();
    const drafts = createDrafts({ store, clock, log: silentLog });
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
  test("R-DRAFT-4: an empty text deletes the stored draft; each thread has its own draft; flush writes at once", () => {
    const clock = new VirtualClock();
    const store = createMemoryStore();
    const drafts = createDrafts({ store, clock, log: silentLog });
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
  test.each<[string, Partial<LocalDraft>, boolean]>([
    ["an attachment", { attachments: [{ type: "file" }] }, true],
    ["a file being uploaded", { files: ["/home/a.png"] }, true],
    ["a file that waits for the send", { heldFiles: ["/home/a.png"] }, true],
    ["a quote", { quotedMessageId: "m1" }, true],
    ["lists without anything", { attachments: [], files: [], heldFiles: [] }, false],
  ])("R-DRAFT-4: a blank text with %s is kept: %o → %s", (_, content, isKept) => {
    const store = createMemoryStore();
    const drafts = createDrafts({ store, clock: new VirtualClock(), log: silentLog });
    drafts.save({ cid: CID, text: " ", ...content });
    drafts.flush();
    expect([drafts.get(place) !== undefined, store.drafts().length]).toEqual([isKept, isKept ? 1 : 0]);
    store.close();
  });
  test("when the disk refuses, the draft stays in memory, the fault is reported, and the next keystroke tries again", async () => {
    const clock = new VirtualClock();
    const store = createMemoryStore();
    const save = store.saveDraft.bind(store);
    const faults: (string | undefined)[] = [];
    store.saveDraft = () => {
      throw new StoreFailure("full", "the disk is full");
    };
    const drafts = createDrafts({ store, clock, log: silentLog, storage: (fault) => faults.push(fault) });
    drafts.save({ cid: CID, text: "a" });
    await clock.advance(300);
    expect(faults).toEqual(["the disk is full"]);
    expect(drafts.get(place)!.text).toBe("a");
    store.saveDraft = save;
    drafts.save({ cid: CID, text: "ab" });
    await clock.advance(300);
    expect(store.draft(CID)!.text).toBe("ab");
    expect(faults).toEqual(["the disk is full", undefined]);
    store.close();
  });
  test("a disk that works again gets the draft within seconds without a keystroke, and the fault is cleared", async () => {
    const clock = new VirtualClock();
    const store = createMemoryStore();
    const save = store.saveDraft.bind(store);
    const faults: (string | undefined)[] = [];
    store.saveDraft = () => {
      throw new StoreFailure("full", "the disk is full");
    };
    const drafts = createDrafts({ store, clock, log: silentLog, storage: (fault) => faults.push(fault) });
    drafts.save({ cid: CID, text: "a" });
    await clock.advance(6000);
    store.saveDraft = save;
    await clock.advance(5000);
    expect(store.draft(CID)!.text).toBe("a");
    expect([faults.at(0), faults.at(-1), clock.timers]).toEqual(["the disk is full", undefined, []]);
    store.close();
  });
});

describe("drafts while they are not copied to the provider", () => {
  const core = (store = createMemoryStore("mira")) => {
    const virtual = virtualCore({ typing: false }, { store });
    virtual.core.setUser({ id: "mira" }, miraToken());
    return { ...virtual, store };
  };
  test("R-DRAFT-1: writing, leaving, sending and closing make no draft request", async () => {
    const virtual = core();
    writeDraft(virtual.core, place, "a");
    virtual.core.left(CID);
    await virtual.clock.advance(5000);
    writeDraft(virtual.core, place, "");
    await virtual.clock.advance(5000);
    virtual.core.send(place, { text: "a" });
    await virtual.clock.advance(5000);
    await virtual.core.close();
    expect(virtual.calls.length).toBeGreaterThan(0);
    expect(virtual.calls.filter(({ what }) => what.includes("draft"))).toEqual([]);
  });
  test("R-DRAFT-3, R-DRAFT-5: quitting and signing out save the last text, and the next run opens it", async () => {
    const virtual = core();
    const close = virtual.store.close.bind(virtual.store);
    virtual.store.close = () => {};
    writeDraft(virtual.core, place, "half a sen");
    await virtual.core.disconnectUser();
    expect(virtual.store.draft(CID)!.text).toBe("half a sen");
    writeDraft(virtual.core, place, "half a sentence");
    virtual.core.composer(place).quote("m1");
    await virtual.core.close();
    const restarted = core(virtual.store);
    expect(draftOf(restarted.core, place)).toMatchObject({ text: "half a sentence", quotedMessageId: "m1" });
    expect(draftOf(restarted.core, { cid: CID, parentId: "m1" })).toBeUndefined();
    virtual.store.close = close;
    await restarted.core.close();
  });
  test("R-DRAFT-6, specification/drafts.md §4: a send removes the draft of its place, a refused send leaves it", async () => {
    const virtual = core();
    writeDraft(virtual.core, place, "x");
    writeDraft(virtual.core, { cid: CID, parentId: "m1" }, "reply");
    expect(() => virtual.core.send(place, { text: "x".repeat(5001) })).toThrow("too long");
    expect(() => virtual.core.send(place, { text: " " })).toThrow("empty");
    expect(draftOf(virtual.core, place)!.text).toBe("x");
    virtual.core.send(place, { text: "x" });
    expect(draftOf(virtual.core, place)).toBeUndefined();
    await virtual.clock.advance(1000);
    expect(virtual.store.drafts().map(({ text }) => text)).toEqual(["reply"]);
    await virtual.core.close();
  });
  test("R-DRAFT-8: the stored draft of an edit names the edited message and has no files", async () => {
    const virtual = core();
    virtual.core.composer(place).edit(msg(1));
    writeDraft(virtual.core, place, "changed");
    await virtual.clock.advance(1000);
    expect(virtual.store.draft(CID)).toMatchObject({ text: "changed", editingId: "m1" });
    expect(Object.keys(virtual.store.draft(CID)!).toSorted()).toEqual([
      "cid",
      "editingId",
      "text",
      "updatedAt",
    ]);
    await virtual.core.close();
  });
});
