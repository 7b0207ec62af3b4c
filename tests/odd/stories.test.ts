/** Whole stories against a service that is other than documented: nothing is sent twice, lost or claimed, and what was not touched is shown and right. */
import { expect, test } from "vitest";
import type { Core, OutgoingMessage, SendOutcome, ThreadRef } from "../../src/core/core.ts";
import type { SocketPort, UploadSource } from "../../src/core/base/ports.ts";
import type { ClientMessage } from "../../src/model/state.ts";
import type { FakeCall } from "../support/fake-ports.ts";
import { dice, type Dice } from "../support/seeded.ts";
import { miraToken, virtualCore, type VirtualCore } from "../support/virtual-core.ts";
import { seedsOf, STORY_CORPUS, tryAll } from "./corpus.ts";
import { draw, shownIn } from "./shown.ts";
import { cidOf, NAMES, OddService } from "./service.ts";

/** Asks until the channels come, as the screen does. */
async function loadChannels(at: VirtualCore, what: string): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    const load = at.core.queryChannels({ filter_conditions: {}, state: true, watch: true });
    const isLoaded = load.then(
      () => true,
      () => false,
    );
    await advanceUntil(at.clock, isLoaded, what);
    if (await isLoaded) return;
    await at.clock.advance(4000);
  }
  throw new Error(`${what}: the channels never came`);
}

/** Lets time pass until a promise is settled. */
async function advanceUntil(
  clock: VirtualCore["clock"],
  promise: Promise<unknown>,
  what: string,
): Promise<void> {
  const state = { isDone: false };
  const end = (): void => void (state.isDone = true);
  promise.then(end, end);
  for (let n = 0; n < 120 && !state.isDone; n++) await clock.advance(1000);
  if (!state.isDone) throw new Error(`${what}: it never ended`);
}

const NOTES: UploadSource = {
  name: "notes.txt",
  size: 3,
  mimeType: "text/plain",
  async *open() {
    yield new Uint8Array([1, 2, 3]);
  },
  dimensions: async () => undefined,
};

async function tell(seed: number): Promise<void> {
  const random = dice(seed);
  const on = new Proxy({}, { get: () => (call: FakeCall) => service.answer(call) });
  const socket: SocketPort = (...opened) => service.socketPort(...opened);
  const at = virtualCore({}, { unchecked: undefined as never, socket, openFile: async () => NOTES }, on);
  const { clock } = at;
  const service = new OddService(clock, random.fork("service"));
  const what = `seed ${seed}: ${[...service.rules].join(", ")}`;
  const connected = at.core.connectUser({ id: "mira" }, miraToken());
  await advanceUntil(clock, connected, what);
  await loadChannels(at, what);
  const deeds = new Deeds();
  for (let step = 0; step < 12; step++) {
    act(at, service, random, deeds);
    await clock.advance(random.below(4000));
    draw(at.core);
  }
  service.calm = true;
  await clock.advance(15 * 60_000);
  draw(at.core);
  judge(at, service, deeds, what);
  void at.core.disconnectUser();
  await clock.advance(5000);
}

/** What was begun, and how it ended. */
class Deeds {
  readonly sends = new Map<string, SendOutcome | undefined>();
  /** Edits, deletes and reactions that were refused, with why. */
  readonly refusals: string[] = [];
  readonly polls: string[] = [];
  /** Channels of which it was told that they are read. */
  readonly marked = new Set<string>();
  /** Addresses that an upload gave, by the id of the message that holds it. */
  readonly files = new Map<string, string>();
  count = 0;

  send(core: Core, place: ThreadRef, message: OutgoingMessage): string {
    const { id, outcome } = core.send(place, message);
    this.sends.set(id, undefined);
    outcome.then(
      (result) => this.sends.set(id, result),
      (error: Error) => this.sends.set(id, { state: "failed", error } as never),
    );
    return id;
  }

  change(what: string, change: Promise<void>): void {
    change.catch((error: Error) => this.refusals.push(`${what}: ${error.message}`));
  }
}

/** Received messages of a channel that the client shows; `mine`: of its user. */
const shownOf = (core: Core, cid: string, mine: boolean): ClientMessage[] =>
  (core.state().channels.get(cid)?.sets ?? [])
    .flatMap(({ messages }) => [...messages])
    .filter(
      ({ status, type, user }) => status !== "sending" && type !== "deleted" && (!mine || user.id === "mira"),
    );

async function sendPoll(core: Core, cid: string, deeds: Deeds): Promise<void> {
  const { poll } = core.composer({ cid }, { transient: true });
  poll.edit({ type: "name", value: `poll ${deeds.count}` } as never);
  const id = poll.state().form.id;
  deeds.polls.push(id);
  const form = { ...poll.state().form, name: "Which", options: [{ id: "a", text: "Tea" }] };
  await poll.submit(form as never).then(
    () => deeds.send(core, { cid }, { text: `poll ${deeds.count}`, custom: { poll_id: id } }),
    () => undefined,
  );
}

async function sendFile(core: Core, cid: string, deeds: Deeds): Promise<void> {
  const composer = core.composer({ cid }, { transient: true });
  await composer.attachments.attach(["notes.txt"]).then(
    ([upload]) => {
      const { attachment } = upload!;
      const id = deeds.send(core, { cid }, { text: `file ${deeds.count}`, attachments: [attachment] });
      deeds.files.set(id, attachment.asset_url ?? "");
    },
    () => undefined,
  );
}

function act({ core }: VirtualCore, service: OddService, random: Dice, deeds: Deeds): void {
  const cid = cidOf(random.pick(NAMES));
  const kind = random.below(16);
  const [any] = shownOf(core, cid, false);
  const [mine] = shownOf(core, cid, true);
  deeds.count += 1;
  if (kind < 4) deeds.send(core, { cid }, { text: `mine ${deeds.count}` });
  else if (kind < 6 && any) deeds.send(core, { cid, parentId: any.id }, { text: `reply ${deeds.count}` });
  else if (kind < 8 && mine) deeds.change("edit", core.edit(mine, { text: `edited ${deeds.count}` }));
  else if (kind < 9 && mine) deeds.change("delete", core.remove(mine));
  else if (kind < 10 && any) deeds.change("react", core.react(any, random.pick(["like", "love"])));
  else if (kind < 11) void sendPoll(core, cid, deeds);
  else if (kind < 12) void sendFile(core, cid, deeds);
  else if (kind < 13) {
    const marked = (): void => void deeds.marked.add(cid);
    core.markRead(cid).then(marked, () => undefined);
  } else if (kind < 15) service.say(random.pick(NAMES));
  else service.dropConnection();
}

function judgeDeeds({ core }: VirtualCore, service: OddService, deeds: Deeds, what: string): void {
  const { stored, rules } = service;
  for (const [id, outcome] of deeds.sends) {
    expect([what, id, "taken", stored.taken.get(id)]).toEqual([what, id, "taken", 1]);
    expect([what, id, outcome?.state]).toEqual([what, id, "received"]);
  }
  for (const id of deeds.polls)
    expect([what, id, (stored.taken.get(id) ?? 0) <= 1]).toEqual([what, id, true]);
  for (const [id, address] of deeds.files) {
    expect([what, service.stored.files]).toEqual([what, expect.arrayContaining([address])]);
    expect([what, stored.messages.get(id)?.attachments[0]?.asset_url]).toEqual([what, address]);
  }
  if (!rules.has("one changed value")) expect([what, deeds.refusals]).toEqual([what, []]);
  expect([what, stored.reads]).toEqual([what, expect.arrayContaining([...deeds.marked])]);
  expect([what, core.unsent()]).toEqual([what, []]);
}

function judge(at: VirtualCore, service: OddService, deeds: Deeds, what: string): void {
  expect([what, at.core.state().link.phase]).toEqual([what, "open"]);
  judgeDeeds(at, service, deeds, what);
  const shown = shownIn(at.core);
  for (const name of NAMES) {
    const cid = cidOf(name);
    if (service.touched.has(cid)) continue;
    expect([what, cid, shown[cid]]).toEqual([what, cid, service.textsOf(name)]);
    for (const { id, own_reactions: own } of shownOf(at.core, cid, false)) {
      const stored = service.stored.messages.get(id)?.own_reactions ?? [];
      const types = (list: typeof own): string[] => list.map(({ type }) => type).toSorted();
      expect([what, id, types(own)]).toEqual([what, id, types(stored)]);
    }
  }
  if (service.counted > 0) expect([what, at.core.oddities().length]).not.toEqual([what, 0]);
}

const { seeds, words } = seedsOf(STORY_CORPUS);

test(`${words}: nothing is sent twice, lost or claimed, and what was not touched is shown`, async () => {
  await tryAll(seeds, tell);
}, 3_600_000);
