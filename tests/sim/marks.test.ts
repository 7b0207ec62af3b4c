/** Stories of people who mark read and unread on several devices at once: the unread numbers end as the provider's (D9, R-READ-6). */
import { expect, test } from "vitest";
import type { Client } from "../../src/core/client.ts";
import type { HeldMessage } from "../../src/core/state/model.ts";
import { SimWorld } from "./world.ts";

const CIDS = ["messaging:a", "messaging:b"];
const FIRST = Number(process.env.PARLEY_SIM_SEED ?? 0);
const SEEDS = Number(process.env.PARLEY_SIM_SEEDS ?? 1);
/** Stories in which each a different race was lost once. */
const LOST = [200001, 200040, 200054, 200137, 200309];

function newest(core: Client, cid: string): HeldMessage[] {
  const set = core
    .state()
    .channels.get(cid)
    ?.sets.find((each) => each.isLatest);
  return [...(set?.messages ?? [])].filter(
    (message) => (message.status ?? "received") === "received" && message.type !== "deleted",
  );
}

/** Half of what people do is what they always do; the other half is about what is read. */
async function story(seed: number): Promise<string[]> {
  const world = new SimWorld(seed);
  const { story: told, dice } = world;
  const act = told.act.bind(told);
  const quietly = (promise: Promise<unknown>): void => void promise.catch(() => undefined);
  told.act = (client): void => {
    const roll = dice.below(100);
    const { core } = client;
    const cid = dice.pick(CIDS);
    const list = newest(core, cid);
    if (roll < 45) return act(client);
    if (roll < 65) return core.seen(cid);
    if (roll < 75) return quietly(core.markRead(cid));
    if (roll < 85) return told.send(client, { cid });
    if (roll < 92) {
      const mine = list.filter(
        ({ id, user }) => user.id === client.userId && !told.threads.some(({ parentId }) => parentId === id),
      );
      if (mine.length === 0) return;
      const message = dice.pick(mine);
      const hard = dice.chance(0.4);
      if (hard) told.destroyed.add(message.id);
      return quietly(core.remove(message, { hard }));
    }
    if (list.length > 0) quietly(core.markUnread(cid, dice.pick(list).id));
  };
  try {
    await world.setUp();
    await world.play(90, 18);
    await world.quiet();
    // A mark as unread moves the cursor back, and only its own user is told: that is no fault here.
    return (await world.judge()).filter((fault) => fault.includes("(D9)"));
  } finally {
    await world.close();
  }
}

const seeds = FIRST > 0 ? Array.from({ length: SEEDS }, (_, n) => FIRST + n) : LOST;

test.each(seeds)(
  "the unread numbers of story %i end as the provider's",
  { timeout: 60_000 },
  async (seed) => {
    expect(await story(seed), `PARLEY_SIM_SEED=${seed} npx vitest run tests/sim/marks.test.ts`).toEqual([]);
  },
);
