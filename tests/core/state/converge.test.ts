/** Reducers are idempotent by id: the same events in any order, any number of times, lead to the same state (D3, D7). */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  EMPTY_INTERNAL_STATE,
  type InternalState,
  type ReduceContext,
} from "../../../src/core/state/internal-state.ts";
import { reduceInto } from "../../../src/core/state/reduce.ts";
import { StateDraft } from "../../../src/core/state/state-draft.ts";
import type { AnyEvent } from "../../../src/wire/events.ts";
import type { Message, Reaction } from "../../../src/wire/entities/message.ts";
import { at, channel, event, isNew, msg, msgs, subject, user, type Subject } from "./world.ts";

function reduce(before: InternalState, events: readonly AnyEvent[], context: ReduceContext): InternalState {
  const draft = new StateDraft(before, context);
  reduceInto(draft, events);
  return draft.finish();
}

/** A minimal provider: generates a realistic history of events, each with its own time. */
function history(choices: { kind: number; n: number; who: number }[]): AnyEvent[] {
  let clock = 100;
  const store = new Map<string, Message>();
  const events: AnyEvent[] = [];
  const who = (n: number): string => ["ada", "bob", "eve"][n % 3]!;
  for (const { kind, n, who: w } of choices) {
    clock += 1;
    const list = [...store.values()];
    const held = list[n % Math.max(1, list.length)];
    if (kind === 0 || !held) {
      const steps = msg(clock, {
        user: user(who(w)),
        ...(w === 2 && held && { quoted_message_id: held.id, quoted_message: held }),
      });
      store.set(steps.id, steps);
      events.push(isNew(steps));
    } else if (kind === 1 && held.type !== "deleted") {
      const next = { ...held, text: `edit ${clock}`, updated_at: at(clock) };
      store.set(held.id, next);
      events.push(event("message.updated", clock, { message: next }));
    } else if (kind === 2) {
      store.delete(held.id);
      events.push(event("message.deleted", clock, { message: held, hard_delete: true }));
    } else if (kind === 3 && held.type !== "deleted") {
      const next: Message = {
        ...held,
        type: "deleted",
        text: "",
        deleted_at: at(clock),
        updated_at: at(clock),
      };
      store.set(held.id, next);
      events.push(event("message.deleted", clock, { message: next }));
    } else if (kind === 4) {
      const mine = held.latest_reactions.find((r) => r.user_id === who(w));
      const one: Reaction = mine ?? {
        type: "love",
        user_id: who(w),
        message_id: held.id,
        score: 1,
        created_at: at(clock),
        updated_at: at(clock),
      };
      const latest = mine ? held.latest_reactions.filter((r) => r !== mine) : [one, ...held.latest_reactions];
      const next: Message = {
        ...held,
        latest_reactions: latest,
        reaction_groups: latest.length
          ? {
              love: {
                count: latest.length,
                sum_scores: latest.length,
                first_reaction_at: at(0),
                last_reaction_at: at(0),
              },
            }
          : {},
      };
      store.set(held.id, next);
      events.push(event(mine ? "reaction.deleted" : "reaction.new", clock, { message: next, reaction: one }));
    } else if (kind === 5) events.push(event("message.read", clock, { user: user(who(w)) }));
    else if (kind === 6)
      events.push(
        event("notification.mark_unread", clock, {
          user: user("ada"),
          last_read_at: at(50),
          unread_messages: 3,
        }),
      );
  }
  return events;
}

function comparable(s: Subject): unknown {
  const entry = s.entry();
  const messages = entry.sets
    .flatMap((set) => [...set.messages])
    .map((message) => ({
      ...message,
      // The copy in a quote is as new as its source: compared by what is shown.
      quoted_message: message.quoted_message && {
        text: message.quoted_message.text,
        type: message.quoted_message.type,
      },
    }));
  const read = [...entry.read.values()].map(({ user: who, last_read }) => [who.id, last_read]).toSorted();
  return { messages, read, unread: entry.unread, last: entry.channel.last_message_at };
}

const choices = fc.array(fc.record({ kind: fc.nat(6), n: fc.nat(50), who: fc.nat(2) }), { maxLength: 40 });

test("events in any order and duplicated converge to one state", () => {
  fc.assert(
    fc.property(
      choices,
      fc.array(fc.nat(), { maxLength: 120 }),
      fc.infiniteStream(fc.nat()),
      (steps, copies, random) => {
        const events = history(steps);
        const rank = new Map(events.map((each) => [each, random.next().value as number]));
        const duplicated = [
          ...copies.map((i) => events[i % Math.max(1, events.length)]!).filter(Boolean),
          ...events,
        ];
        const base = channel(msgs(1, 5), {
          read: [{ user: user("ada"), last_read: at(5), unread_messages: 0 }],
        });
        const inOrder = subject(base);
        inOrder.machine.dispatch(events);
        const shuffled = subject(base);
        const order = duplicated.toSorted((a, b) => rank.get(a)! - rank.get(b)!);
        for (let i = 0; i < order.length; i += 7) shuffled.machine.dispatch(order.slice(i, i + 7));
        shuffled.machine.dispatch(events.toReversed());
        expect(comparable(shuffled)).toEqual(comparable(inOrder));
      },
    ),
    { numRuns: 400 },
  );
});

test("reducing is pure: equal input gives equal output, and the input is not changed", () => {
  const context = { me: "ada", now: Date.parse(at(1000)), monotonic: 0 };
  const world = reduce(EMPTY_INTERNAL_STATE, [event("message.new", 1, { message: msg(1) })], context);
  const text = JSON.stringify([...world.refetchRequested]);
  const events = history(Array.from({ length: 30 }, (_, i) => ({ kind: i % 5, n: i, who: i })));
  const once = reduce(world, events, context);
  const again = reduce(world, events, context);
  expect(JSON.stringify([...world.refetchRequested])).toBe(text);
  expect([...once.heldEvents]).toEqual([...again.heldEvents]);
  expect(once.state).toEqual(again.state);
});
