/** Gives out the people of a campaign one by one, each when its plan allows it, and waits until then. */
import { CommandError } from "../../base/define-command.ts";
import { CAMPAIGN_LOOK, CAMPAIGN_WAIT_LOOK, QUERY_USERS_LIMIT } from "../../../wire/constants.ts";
import type { Exclusion, Person } from "../audience/exclusions.ts";
import { openingOf, type Opening, type SendPlan } from "../plan/send-plan.ts";
import { Availability } from "./availability.ts";
import { isUnclear, MAX_ATTEMPTS, type SendFailure } from "./send-one.ts";
import type { StartCall } from "./start-file.ts";

/** What a queue tells of. */
interface QueueEvents {
  /** `until` in milliseconds since the epoch. */
  waits(until: number): void;
  leaves(person: Person, why: Exclusion): void;
}

export class CampaignQueue {
  readonly #call: StartCall;
  readonly #plan: SendPlan;
  readonly #left: Person[];
  readonly #events: QueueEvents;
  readonly #availability: Availability;
  readonly #end = new AbortController();
  #opening: Opening | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** `people`: just checked, in the order in which they get it. */
  constructor(
    call: StartCall,
    { plan = {}, people, sender }: { plan?: SendPlan | undefined; people: readonly Person[]; sender: string },
    events: QueueEvents,
  ) {
    this.#call = call;
    this.#plan = plan;
    this.#left = people.toReversed();
    this.#events = events;
    this.#availability = new Availability(call, sender);
  }

  /** How many have not been given out. */
  get size(): number {
    return this.#left.length;
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
      const person = this.#left.at(-1);
      if (person === undefined) return undefined;
      const { from } = this.#openingAt(this.#call.now());
      if (from > this.#call.now()) await this.#wait(from);
      else if (!this.#availability.isFresh(person)) await this.#look();
      else {
        this.#left.pop();
        const why = this.#availability.exclusionOf(person);
        if (why === undefined) return person;
        this.#events.leaves(person, why);
      }
    }
    return undefined;
  }

  #openingAt(now: number): Opening {
    if (this.#opening === undefined || now >= this.#opening.until) this.#opening = openingOf(this.#plan, now);
    if (this.#opening === undefined)
      throw new CommandError("rejected", "The hours of the campaign never open: every day is a quiet day.");
    return this.#opening;
  }

  /** Tries as often as a send does: a provider may be restarting. */
  async #look(): Promise<void> {
    const { machine, signal } = this.#call;
    for (let tries = 1; ; tries++)
      try {
        return await this.#availability.look(this.#left.slice(-QUERY_USERS_LIMIT[1]).toReversed());
      } catch (error) {
        if (!isUnclear(error as SendFailure) || tries === MAX_ATTEMPTS) throw error;
        await machine!.sleep(250 * 2 ** tries, signal);
      }
  }

  /** WN-4: waits in parts: a machine that slept, or whose clock was set, is noticed. Looking now and then keeps an embedded provider awake. */
  async #wait(until: number): Promise<void> {
    const { machine, now, signal } = this.#call;
    this.#events.waits(until);
    const ends = AbortSignal.any([signal, this.#end.signal]);
    let looked = now();
    for (let at = looked; at < until && !this.#end.signal.aborted; at = now()) {
      await machine!.sleep(Math.min(until - at, CAMPAIGN_LOOK), ends).catch(() => signal.throwIfAborted());
      if (now() - looked < CAMPAIGN_WAIT_LOOK) continue;
      looked = now();
      // One that does not answer is missed by the next send, if it is still gone then.
      await this.#look().catch((error: unknown) => {
        if (!isUnclear(error as SendFailure)) throw error;
      });
    }
  }
}
