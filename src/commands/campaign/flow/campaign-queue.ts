/** Gives out the people of a campaign one by one, each when its plan allows it, and waits until then. */
import { CommandError } from "../../base/define-command.ts";
import { CAMPAIGN_LOOK, CAMPAIGN_WAIT_LOOK, QUERY_USERS_LIMIT } from "../../../wire/constants.ts";
import type { Exclusion, Person } from "../audience/exclusions.ts";
import { afterOpenTime } from "../plan/hours.ts";
import { zoneGroups } from "../plan/read-plan.ts";
import { openingOf, spreadStep, type Opening, type SendPlan } from "../plan/send-plan.ts";
import { Availability } from "./availability.ts";
import { isUnclear, MAX_ATTEMPTS, type SendFailure } from "./send-one.ts";
import type { StartCall } from "./start-file.ts";

/** What a queue tells of. */
interface QueueEvents {
  /** `until` in milliseconds since the epoch; `zone` where the people are who are waited for. */
  waits(until: number, zone: string | undefined): void;
  leaves(person: Person, why: Exclusion): void;
}

interface Queued {
  plan?: SendPlan | undefined;
  /** Just checked, in the order in which they get it. */
  people: readonly Person[];
  sender: string;
  /** When the run began, and when it last sent, in milliseconds since the epoch. */
  since: number;
  last?: number | undefined;
  /** How many it was for when it began. */
  all: number;
}

/** People who may be sent to at the same time: all, or those of a zone. */
interface Group {
  zone: string | undefined;
  /** The next one last. */
  left: Person[];
  opening?: Opening | undefined;
}

export class CampaignQueue {
  readonly #call: StartCall;
  readonly #plan: SendPlan;
  readonly #run: { since: number; all: number };
  readonly #events: QueueEvents;
  readonly #availability: Availability;
  readonly #end = new AbortController();
  #groups: Group[];
  /** Nobody is given out before this time. */
  #slot: number;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(call: StartCall, { plan = {}, people, sender, since, last, all }: Queued, events: QueueEvents) {
    this.#call = call;
    this.#plan = plan;
    this.#run = { since, all };
    this.#groups = zoneGroups(plan, people).map((group) => ({
      zone: group.zone,
      left: group.people.toReversed(),
    }));
    this.#events = events;
    this.#availability = new Availability(call, sender);
    this.#slot = last === undefined ? 0 : this.#slotAfter(last, people.length);
  }

  /** How many have not been given out. */
  get size(): number {
    return this.#groups.reduce((sum, { left }) => sum + left.length, 0);
  }

  /** Ends a wait at once: nobody more is given out. */
  end(): void {
    this.#end.abort();
  }

  /** The next person, when they may be sent to; undefined at the end. Rejects when the run is aborted. */
  take(): Promise<Person | undefined> {
    const taken = this.#turn.then(() => this.#next());
    this.#turn = taken;
    return taken;
  }

  async #next(): Promise<Person | undefined> {
    while (!this.#end.signal.aborted) {
      const group = this.#nextGroup();
      const person = group?.left.at(-1);
      if (!group || person === undefined) return undefined;
      const { from } = group.opening!;
      if (from > this.#call.now()) await this.#wait(from, group);
      else if (!this.#availability.isFresh(person)) await this.#look(group);
      else {
        group.left.pop();
        const why = this.#availability.exclusionOf(person);
        if (why !== undefined) this.#events.leaves(person, why);
        else {
          this.#slot = this.#slotAfter(this.#call.now(), this.size + 1);
          return person;
        }
      }
    }
    return undefined;
  }

  /** The group whose moment is the next. */
  #nextGroup(): Group | undefined {
    const at = Math.max(this.#call.now(), this.#slot);
    this.#groups = this.#groups.filter(({ left }) => left.length > 0);
    for (const group of this.#groups) group.opening = this.#openingAt(group, at);
    let next = this.#groups[0];
    for (const group of this.#groups) if (group.opening!.from < next!.opening!.from) next = group;
    return next;
  }

  #openingAt({ zone, opening }: Group, at: number): Opening {
    if (opening && at < opening.until) return { ...opening, from: Math.max(at, opening.from) };
    const next = openingOf(this.#plan, { since: this.#run.since, zone }, at);
    if (next) return next;
    throw new CommandError("rejected", "The hours of the campaign never open: every day is a quiet day.");
  }

  /** The moment of the next person after one at `at`, if what is left of the plan is for `parts` people. */
  #slotAfter(at: number, parts: number): number {
    if (!this.#plan.spread) return 0;
    const step = spreadStep(this.#plan, this.#run, { now: Math.max(at, this.#call.now()), parts });
    return afterOpenTime(this.#plan.hours, at, step) ?? at;
  }

  /** Tries as often as a send does: a provider may be restarting. */
  async #look({ left }: Group): Promise<void> {
    const { machine, signal } = this.#call;
    for (let tries = 1; ; tries++)
      try {
        return await this.#availability.look(left.slice(-QUERY_USERS_LIMIT[1]).toReversed());
      } catch (error) {
        if (!isUnclear(error as SendFailure) || tries === MAX_ATTEMPTS) throw error;
        await machine!.sleep(250 * 2 ** tries, signal);
      }
  }

  /** WN-4: waits in parts: a machine that slept, or whose clock was set, is noticed. Looking now and then keeps an embedded provider awake. */
  async #wait(until: number, group: Group): Promise<void> {
    const { machine, now, signal } = this.#call;
    this.#events.waits(until, group.zone);
    const ends = AbortSignal.any([signal, this.#end.signal]);
    let looked = now();
    for (let at = looked; at < until && !this.#end.signal.aborted; at = now()) {
      await machine!.sleep(Math.min(until - at, CAMPAIGN_LOOK), ends).catch(() => signal.throwIfAborted());
      if (now() - looked < CAMPAIGN_WAIT_LOOK) continue;
      looked = now();
      // One that does not answer is missed by the next send, if it is still gone then.
      await this.#look(group).catch((error: unknown) => {
        if (!isUnclear(error as SendFailure)) throw error;
      });
    }
  }
}
