/** Every answer and event with one odd value: what is other than documented is refused in words or counted, and what is documented loses nothing. */
import { expect, test } from "vitest";
import { decodeReply } from "../../src/core/http/decode.ts";
import { endpoints, type EndpointName, type EndpointRow } from "../../src/wire/endpoints/index.ts";
import { object, optional, type Shape } from "../../src/wire/entities/fields.ts";
import { EventEnvelope, EVENTS } from "../../src/wire/events.ts";
import { eventProblem } from "../../src/wire/reading.ts";
import { dice } from "../support/seeded.ts";
import { sample } from "../support/wrong-values.ts";
import { changeOne } from "./change.ts";
import { ANSWER_CORPUS, seedsOf, tryAll } from "./corpus.ts";
import { oddPlaces } from "./documented.ts";

type Json = Record<string, unknown>;
const copyOf = (value: Json): Json => JSON.parse(JSON.stringify(value)) as Json;
const answerOf = (name: EndpointName): Shape => (endpoints[name] as EndpointRow).answer?.() ?? {};
const ANSWERED = (Object.keys(endpoints) as EndpointName[]).filter(
  (name) => Object.keys(answerOf(name)).length > 1,
);
const HEARD = Object.keys(EVENTS) as (keyof typeof EVENTS)[];

/** Without what is null: the sample of what may be anything. */
const sampleOf = (shape: Shape, bare: boolean): Json => sample(object(shape), 0, bare) as Json;

/** What was counted of an answer, and why it was refused. */
function readAnswer(
  name: EndpointName,
  answer: Json,
): { counted: string[]; lost: boolean; refused?: string } {
  const counted: string[] = [];
  let lost = false;
  const note = (field: string, isLost = false): void => {
    counted.push(field);
    lost ||= isLost;
  };
  try {
    decodeReply(name, { status: 200, headers: {}, text: JSON.stringify(answer) }, "r1", { note });
    return { counted, lost };
  } catch (error) {
    return { counted, lost, refused: (error as Error).message };
  }
}

function readEvent(event: Json): ReturnType<typeof readAnswer> {
  const counted: string[] = [];
  let lost = false;
  const refused = eventProblem(event as { type: string }, (field, isLost = false) => {
    counted.push(field);
    lost ||= isLost;
  });
  return { counted, lost, ...(refused !== undefined && { refused }) };
}

const { seeds, words } = seedsOf(ANSWER_CORPUS);

test(`${words}: an answer that is other than documented is counted, and one that is as documented loses nothing`, async () => {
  await tryAll(seeds, (seed) => {
    const random = dice(seed);
    const name = random.pick(ANSWERED);
    const shape = answerOf(name);
    const answer = copyOf(sampleOf(shape, random.chance(0.3)));
    const { path, how } = changeOne(answer, random);
    const places = oddPlaces(shape, answer);
    const { counted, lost, refused } = readAnswer(name, copyOf(answer));
    const what = `seed ${seed}: ${name}, ${how} at ${path}`;
    // Of a list of entities with names each is read once, and that is counted; the shapes do not say which they are.
    if (how !== "doubled")
      expect([what, places, counted.length > 0]).toEqual([what, places, places.length > 0]);
    if (places.length === 0) expect([what, lost, refused]).toEqual([what, false, undefined]);
  });
}, 3_600_000);

test(`${words}: the same of events, and each costs itself at most`, async () => {
  await tryAll(seeds, (seed) => {
    const random = dice(seed);
    const type = random.pick(HEARD);
    const shape = optional({ ...EventEnvelope, ...EVENTS[type] }) as Shape;
    const event = copyOf({ ...sampleOf(shape, random.chance(0.3)), type });
    const { path, how } = changeOne(event, random);
    const places = event.type === type ? oddPlaces(shape, event) : [];
    const { counted, lost, refused } =
      typeof event.type === "string" ? readEvent(copyOf(event)) : { counted: [], lost: false, refused: "" };
    const what = `seed ${seed}: ${type}, ${how} at ${path}`;
    if (event.type !== type) return;
    const isTold = counted.length > 0 || refused !== undefined;
    if (how !== "doubled") expect([what, places, isTold]).toEqual([what, places, places.length > 0]);
    if (places.length === 0) expect([what, lost, refused]).toEqual([what, false, undefined]);
  });
}, 3_600_000);
