/** Whole stories against a service that is other than documented: nothing is sent twice, lost or claimed, and what was not touched is shown and right. */
import { expect, test } from "vitest";
import type { SendOutcome } from "../../src/core/core.ts";
import type { SocketPort } from "../../src/core/base/ports.ts";
import type { FakeCall } from "../support/fake-ports.ts";
import { dice } from "../support/seeded.ts";
import { miraToken, virtualCore, type VirtualCore } from "../support/virtual-core.ts";
import { seedsOf, STORY_CORPUS } from "./corpus.ts";
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

async function tell(seed: number): Promise<void> {
  const random = dice(seed);
  const on = new Proxy({}, { get: () => (call: FakeCall) => service.answer(call) });
  const socket: SocketPort = (...opened) => service.socketPort(...opened);
  const at = virtualCore({}, { unchecked: undefined as never, socket }, on);
  const { clock } = at;
  const service = new OddService(clock, random.fork("service"));
  const what = `seed ${seed}: ${[...service.rules].join(", ")}`;
  const connected = at.core.connectUser({ id: "mira" }, miraToken());
  await advanceUntil(clock, connected, what);
  await loadChannels(at, what);
  const outcomes = new Map<string, SendOutcome | undefined>();
  for (let step = 0; step < 12; step++) {
    act(at, service, random, outcomes);
    await clock.advance(random.below(4000));
    draw(at.core);
  }
  service.calm = true;
  await clock.advance(15 * 60_000);
  draw(at.core);
  judge(at, service, outcomes, what);
  void at.core.disconnectUser();
  await clock.advance(5000);
}

function act(
  at: VirtualCore,
  service: OddService,
  random: ReturnType<typeof dice>,
  outcomes: Map<string, SendOutcome | undefined>,
): void {
  const name = random.pick(NAMES);
  const kind = random.below(10);
  if (kind < 5) {
    const { id, outcome } = at.core.send({ cid: cidOf(name) }, { text: `mine ${outcomes.size}` });
    outcomes.set(id, undefined);
    outcome.then(
      (result) => outcomes.set(id, result),
      (error: Error) => outcomes.set(id, { state: "failed", error } as never),
    );
  } else if (kind < 9) service.say(name);
  else service.dropConnection();
}

function judge(
  at: VirtualCore,
  service: OddService,
  outcomes: Map<string, SendOutcome | undefined>,
  what: string,
): void {
  expect([what, at.core.state().link.phase]).toEqual([what, "open"]);
  for (const [id, outcome] of outcomes) {
    expect([what, id, "taken", service.taken.get(id)]).toEqual([what, id, "taken", 1]);
    expect([what, id, outcome?.state]).toEqual([what, id, "received"]);
  }
  expect([what, at.core.unsent()]).toEqual([what, []]);
  const shown = shownIn(at.core);
  for (const name of NAMES) {
    const cid = cidOf(name);
    if (service.touched.has(cid)) continue;
    expect([what, cid, shown[cid]]).toEqual([what, cid, service.textsOf(name)]);
  }
  if (service.counted > 0) expect([what, at.core.oddities().length]).not.toEqual([what, 0]);
}

const { seeds, words } = seedsOf(STORY_CORPUS);

test(`${words}: nothing is sent twice, lost or claimed, and what was not touched is shown`, async () => {
  for (const seed of seeds) await tell(seed);
}, 3_600_000);
