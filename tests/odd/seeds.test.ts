/** The client behind a provider that writes something other than documented: what was not touched is shown and right, and what is lost is counted. */
import { expect, test } from "vitest";
import { channel, isNew, msg, msgs } from "../core/state/world.ts";
import { jsonReply } from "../support/fake-ports.ts";
import { helloFrame } from "../support/fake-provider.ts";
import { dice, type Dice } from "../support/seeded.ts";
import { miraToken, virtualCore, type VirtualCore } from "../support/virtual-core.ts";
import { changeOne } from "./change.ts";
import { seedsOf, VALUE_CORPUS } from "./corpus.ts";
import { cidOf, NAMES } from "./service.ts";
import { draw, shownIn } from "./shown.ts";

const listOf = () => ({
  channels: NAMES.map((name, n) => {
    const messages = msgs(10 * n + 1, 10 * n + 4).map((one) => ({ ...one, cid: cidOf(name) }));
    return channel(messages, { id: name, cid: cidOf(name) } as never);
  }),
  duration: "1ms",
});

async function run(seed: number): Promise<void> {
  const random = dice(seed);
  const answer = JSON.parse(JSON.stringify(listOf())) as ReturnType<typeof listOf>;
  const { path, how } = changeOne(answer, random);
  const what = `seed ${seed}: ${how} at ${path}`;
  const at = virtualCore(
    {},
    { unchecked: undefined as never },
    { "POST /channels": () => jsonReply(answer) },
  );
  const done = at.core.connectUser({ id: "mira" }, miraToken());
  await at.clock.settle();
  at.sockets.last.frame(helloFrame("mira"));
  await done;
  const failed = await at.core.queryChannels({ filter_conditions: {} }).then(
    () => undefined,
    (error: Error) => error,
  );
  // Only an answer that has nothing of what it is about may fail.
  if (failed) expect([what, failed.name, path]).toEqual([what, "TransportError", "channels"]);
  draw(at.core);
  if (!failed) judge(at, answer, path, how, what);
  await hear(at, random, what);
}

/** An odd event costs itself at most. */
async function hear(at: VirtualCore, random: Dice, what: string): Promise<void> {
  const event = JSON.parse(JSON.stringify(isNew(msg(50, { cid: cidOf("tea") })))) as Record<string, unknown>;
  event.cid = cidOf("tea");
  const changed = changeOne(event, random);
  at.sockets.last.frame(event);
  await at.clock.advance(100);
  expect([what, changed, at.core.state().link.phase]).toEqual([what, changed, "open"]);
  draw(at.core);
}

/** What was not touched is shown and right, and what is lost is counted. */
function judge(
  at: VirtualCore,
  answer: ReturnType<typeof listOf>,
  path: string,
  how: string,
  what: string,
): void {
  const [, channelAt, , list, messageAt] = /^channels\.(\d+)(\.(\w+)(?:\.(\d+))?)?/.exec(path) ?? [];
  const shown = shownIn(at.core);
  const listed = (answer.channels as unknown[] | null)?.length ?? 0;
  let lost = 0;
  NAMES.forEach((name, n) => {
    const wanted = listOf().channels[n]!.messages.map(({ text }) => text);
    const isTouched = path === "channels" || String(n) === channelAt;
    const texts = shown[cidOf(name)] ?? [];
    if (!isTouched && listed >= 2) expect([what, name, texts]).toEqual([what, name, wanted]);
    else if (isTouched && list === "messages" && messageAt !== undefined) {
      const rest = wanted.filter((_, i) => i !== Number(messageAt));
      expect([what, name, texts]).toEqual([what, name, expect.arrayContaining(rest)]);
      lost += Number(how !== "absent" && texts.length < wanted.length);
    } else if (isTouched && shown[cidOf(name)] === undefined) lost += Number(how !== "absent");
  });
  if (lost > 0 && path !== "channels") expect(at.core.oddities(), what).not.toEqual([]);
}

const { seeds, words } = seedsOf(VALUE_CORPUS);

test(`${words}: one odd value costs one entity, and is counted`, async () => {
  for (const seed of seeds) await run(seed);
}, 3_600_000);
