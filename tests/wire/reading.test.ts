/** Answers and events are read by the shapes of the endpoint table, the events and the entities. */
import { expect, test } from "vitest";
import { endpoints, type EndpointName, type EndpointRow } from "../../src/wire/endpoints/index.ts";
import { EVENTS, EventEnvelope } from "../../src/wire/events.ts";
import { entity, list, need, partOf, text, type Field, type Shape } from "../../src/wire/entities/fields.ts";
import { shapeOf } from "../../src/wire/entities/index.ts";
import { answerProblem, eventProblem, isPlaceholder } from "../../src/wire/reading.ts";
import { sample } from "../support/wrong-values.ts";

test("every object of an answer or event has rows, also those that name an entity", () => {
  const seen = new Set<Shape>();
  const walk = (field: Field): void => {
    if (field.item) walk(field.item);
    if (field.kind !== "object") return;
    const shape = shapeOf(field)!;
    expect(typeof shape, JSON.stringify(field)).toBe("object");
    if (seen.has(shape)) return;
    seen.add(shape);
    Object.values(shape).forEach(walk);
  };
  for (const name of Object.keys(endpoints) as EndpointName[])
    Object.values((endpoints[name] as EndpointRow).answer?.() ?? {}).forEach(walk);
  for (const shape of [EventEnvelope, ...Object.values<Shape>(EVENTS)])
    Object.values<Field>(shape).forEach(walk);
  expect(seen.size).toBeGreaterThan(60);
});

test("a fault is found through entities that refer to each other", () => {
  const message = sample(entity("Message"), 0, true) as object;
  const quoting = { ...message, quoted_message: { ...message, quoted_message: { ...message, id: [] } } };
  const read = structuredClone(quoting);
  expect(answerProblem({ message: need(entity("Message")) }, { message: read })).toBeUndefined();
  // The invalid message is optional where it is quoted, so it alone is dropped.
  expect(read.quoted_message).not.toHaveProperty("quoted_message");
  expect(answerProblem({ message: need(entity("Message")) }, { message: { ...quoting, id: [] } })).toBe(
    "message.id must be a text",
  );
});

test("part of an entity needs only the rows that it names", () => {
  const answer = { mute: need(partOf("Channel", { cid: need(text()), tags: list(text()) })) };
  expect(answerProblem(answer, { mute: { cid: "a:b" } })).toBeUndefined();
  expect(answerProblem(answer, { mute: { id: "b" } })).toBe("mute.cid is missing");
  expect(answerProblem(answer, { mute: { cid: "a:b", tags: 5 } })).toBeUndefined();
});

test("an entity that is missing beside another is a problem of a read, and a placeholder of a finished write", () => {
  const pair: Shape = { poll: need(entity("Poll")), vote: need(entity("PollVote")) };
  const vote = sample(entity("PollVote"));
  for (const poll of [undefined, null]) {
    expect(answerProblem(pair, { vote, ...(poll === null && { poll }) })).toBe("poll is missing");
    const written: Record<string, unknown> = { vote, ...(poll === null && { poll }) };
    expect(answerProblem(pair, written, { done: true })).toBeUndefined();
    expect([isPlaceholder(written.poll), isPlaceholder(written.vote)]).toEqual([true, false]);
  }
});

test("a value that may be null may be missing, too", () => {
  const reminder = sample(entity("Reminder")) as Record<string, unknown>;
  for (const remindAt of [null, undefined, "2026-11-22T00:00:00Z"])
    expect(
      answerProblem(endpoints.createReminder.answer!(), { reminder: { ...reminder, remind_at: remindAt } }),
    ).toBeUndefined();
});

test("the time of a call is not read: it is a text, where an attachment has seconds", () => {
  expect(answerProblem(endpoints.getOG.answer!(), { duration: "1.00ms", title: "Tea" })).toBeUndefined();
});

test("an event lacks any key, and an unknown one has any", () => {
  expect(eventProblem({ type: "message.new" })).toBeUndefined();
  expect(eventProblem({ type: "custom.x", message: 5 } as never)).toBeUndefined();
  expect(eventProblem({ type: "message.new", message: 5 } as never)).toBe("message must be an object");
  expect(eventProblem({ type: "custom.x", cid: [] } as never)).toBe("cid must be a text");
});
