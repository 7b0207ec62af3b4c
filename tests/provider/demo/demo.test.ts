/** The demo workspace: seeding is fast and reproducible, new users join its channels, and its guide answers them. */
import { StatementSync } from "node:sqlite";
import { afterEach, describe, expect, test, vi } from "vitest";
import { joinDemo, seedDemo, startGuide } from "../../../src/provider/demo/index.ts";
import { OPEN_CHANNELS, LOCATION_MESSAGE, LUNCH_MESSAGE } from "../../../src/provider/demo/seed.ts";
import { STORY } from "../../../src/provider/demo/story.ts";
import { createClock } from "../../../src/provider/base/clock.ts";
import { createProvider, type Provider } from "../../../src/provider/provider.ts";
import { robotHost } from "../../../src/provider/robots/provider-host.ts";
import type { RobotHost } from "../../../src/provider/robots/host.ts";
import type { AnyEvent } from "../../../src/wire/events.ts";
import type { Message } from "../../../src/wire/entities/message.ts";

const open: Provider[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

/** A clock that advances only one microsecond per reading, so that two workspaces can be compared. */
function stillClock(start: number): ReturnType<typeof createClock> {
  let micros = start;
  let timers: { due: number; run: () => void; id: number }[] = [];
  let ids = 0;
  return {
    now: () => ++micros,
    shift: (ms) => void (micros += ms * 1000),
    offset: () => 0,
    steadyNow: () => micros,
    after(ms, run) {
      const timer = { due: micros + ms * 1000, run, id: ids++ };
      timers.push(timer);
      return { cancel: () => void (timers = timers.filter((t) => t !== timer)) };
    },
    advance(ms) {
      const end = micros + ms * 1000;
      for (;;) {
        const next = timers.filter((t) => t.due <= end).toSorted((a, b) => a.due - b.due || a.id - b.id)[0];
        if (!next) break;
        timers = timers.filter((t) => t !== next);
        micros = Math.max(micros, next.due);
        next.run();
      }
      micros = Math.max(micros, end);
    },
  };
}

const START = Date.UTC(2026, 10, 20, 12) * 1000;

function workspace(): { provider: Provider; host: RobotHost; clock: ReturnType<typeof createClock> } {
  const clock = stillClock(START);
  const provider = createProvider({ data: ":memory:", clock, secret: "s".repeat(43) });
  open.push(provider);
  const host = robotHost(provider);
  return { provider, host, clock };
}

const list = (host: RobotHost, userId: string) =>
  host.perform("queryChannels", {
    body: {
      filter_conditions: { members: { $in: [userId] } },
      user_id: userId,
      limit: 30,
      message_limit: 100,
    },
  }).channels;

describe("the demo workspace", () => {
  test("is seeded with fewer than 100 statements per message", () => {
    const { host } = workspace();
    const proto = StatementSync.prototype;
    const spies = (["run", "get", "all", "iterate"] as const).map((name) => vi.spyOn(proto, name));
    try {
      seedDemo(host, { id: "kim", name: "Kim" });
      const statements = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
      const messages = STORY.reduce((sum, scene) => sum + scene.lines.length, 0);
      expect(statements).toBeGreaterThan(messages);
      expect(statements / messages).toBeLessThan(100);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });

  test("has channels of all five types with threads, reactions, a poll, a location, files, a deletion and a pin", () => {
    const { host } = workspace();
    seedDemo(host, { id: "kim" });
    const channels = list(host, "kim");
    expect(channels).toHaveLength(STORY.length);
    expect(new Set(channels.map((c) => c.channel.type))).toEqual(
      new Set(["messaging", "team", "livestream", "commerce", "gaming"]),
    );
    const all = channels.flatMap((c) => c.messages);
    expect(all.some((m) => m.reply_count >= 3)).toBe(true);
    expect(all.some((m) => Object.keys(m.reaction_groups).length > 0)).toBe(true);
    expect(all.find((m) => m.id === LUNCH_MESSAGE)?.poll?.vote_count).toBe(3);
    expect(all.find((m) => m.id === LOCATION_MESSAGE)?.shared_location?.end_at).toBeDefined();
    expect(all.some((m) => m.attachments.some((a) => a.type === "image"))).toBe(true);
    expect(all.some((m) => m.type === "deleted")).toBe(true);
    expect(channels.find((c) => c.channel.id === "ops")?.pinned_messages).toHaveLength(1);
  });

  test("leaves exactly the unread messages that the story lists, and no message in the future", () => {
    const { host } = workspace();
    seedDemo(host, { id: "kim" });
    for (const state of list(host, "kim")) {
      const scene = STORY.find((s) =>
        s.id
          ? s.id === state.channel.id
          : state.channel.member_count === 2 && state.members.some((m) => m.user_id === s.members[0]),
      )!;
      const read = state.read.find((r) => r.user.id === "kim");
      // A muted channel has no unread count.
      expect([state.channel.cid, read?.unread_messages ?? 0]).toEqual([
        state.channel.cid,
        scene.muted ? 0 : (scene.unread ?? 0),
      ]);
      for (const message of state.messages) expect(Date.parse(message.created_at) * 1000).toBeLessThan(START);
    }
  });

  test("is the same for the same seed and the same user", () => {
    const first = workspace();
    const second = workspace();
    seedDemo(first.host, { id: "kim" }, 7);
    seedDemo(second.host, { id: "kim" }, 7);
    const story = (host: RobotHost): unknown =>
      list(host, "kim").map((c) => [
        c.channel.cid,
        c.messages.map((m) => [m.id, m.text, m.created_at, Object.keys(m.reaction_groups)]),
      ]);
    expect(story(first.host)).toEqual(story(second.host));
  });

  test("adds a later user to its open channels, once, and the members there get the event", () => {
    const { host } = workspace();
    seedDemo(host, { id: "kim" });
    host.perform("upsertUsers", { body: { users: { bob: { id: "bob" } } } });
    const events: AnyEvent[] = [];
    host.onEvent((event) => events.push(event));
    expect(joinDemo(host, "bob")).toBe(true);
    const counted = events.filter(({ type }) => type === "channel.updated" || type === "member.added");
    expect(new Set(counted.map(({ cid }) => cid))).toEqual(new Set(OPEN_CHANNELS));
    expect(
      list(host, "bob")
        .map((c) => c.channel.cid)
        .toSorted(),
    ).toEqual([...OPEN_CHANNELS].toSorted());
    expect(joinDemo(host, "bob")).toBe(false);
  });
});

describe("the guide", () => {
  function withGuide() {
    const demo = workspace();
    seedDemo(demo.host, { id: "kim" });
    const events: AnyEvent[] = [];
    demo.host.onEvent((event) => events.push(event));
    const stop = startGuide(demo.host);
    const send = (text: string, restricted_visibility: string[] = []): string => {
      const id = `kim-${events.length}`;
      demo.host.perform("sendMessage", {
        path: { type: "messaging", id: "welcome" },
        body: { message: { id, text, user_id: "kim", restricted_visibility } },
      });
      return id;
    };
    const messages = (): Message[] =>
      events
        .filter((e) => e.type === "message.new")
        .map((e) => e.message as Message)
        .filter((m) => m.user.id === "guide");
    return { ...demo, events, say: send, messages, stop };
  }

  test("types first, then answers", () => {
    const { say: send, events, clock, messages } = withGuide();
    send("hello there");
    expect(events.some((e) => e.type === "typing.start" && e.user?.id === "guide")).toBe(true);
    expect(messages()).toHaveLength(0);
    clock.advance(2000);
    expect(messages()[0]?.text).toContain("Hello");
    expect(events.some((e) => e.type === "typing.stop")).toBe(true);
  });

  test("answers in a thread when asked for a thread", () => {
    const { say: send, clock, messages } = withGuide();
    const id = send("show me a thread");
    clock.advance(2000);
    expect(messages()[0]?.parent_id).toBe(id);
  });

  test("reacts when asked, and makes a poll in which it has voted", () => {
    const { say: send, clock, events, messages, host } = withGuide();
    send("a reaction please");
    clock.advance(2000);
    expect(events.some((e) => e.type === "reaction.new" && e.user?.id === "guide")).toBe(true);
    send("and a poll");
    clock.advance(2000);
    const poll = host.perform("getPoll", { path: { poll_id: messages().at(-1)!.poll_id! } }).poll;
    expect(poll.vote_count).toBe(1);
  });

  test("does not answer what only others may see, and answers those alone who see the question", () => {
    const { say: send, clock, messages } = withGuide();
    send("hello bo", ["bo"]);
    clock.advance(10_000);
    expect(messages()).toEqual([]);
    send("hello guide", ["guide", "bo"]);
    clock.advance(10_000);
    expect(messages().map((m) => m.restricted_visibility?.toSorted())).toEqual([["bo", "guide", "kim"]]);
  });

  test("does not answer its own messages, and stops answering when stopped", () => {
    const { say: send, clock, messages, stop } = withGuide();
    send("something else entirely");
    clock.advance(10_000);
    expect(messages()).toHaveLength(1);
    stop();
    send("still there?");
    clock.advance(10_000);
    expect(messages()).toHaveLength(1);
  });
});
