/** WN-3: looks at people again before their message, when the last look is a while ago: who was deactivated or has opted out meanwhile gets nothing. */
import { CAMPAIGN_LOOK } from "../../../wire/constants.ts";
import { exclusionOf, type Exclusion, type Person } from "../audience/exclusions.ts";
import { fetchUsers } from "../audience/people.ts";
import { readOptOuts } from "../receipts/campaign-folder.ts";
import type { StartCall } from "./start-file.ts";

const NOBODY: ReadonlySet<string> = new Set();

export class Availability {
  readonly #call: StartCall;
  readonly #sender: string;
  #lookedAt: number;
  /** Those of the last look, and why they get nothing; undefined: everybody, by the check before the start. */
  #seen: Map<string, Exclusion | undefined> | undefined;

  /** Everybody has just been looked at. */
  constructor(call: StartCall, sender: string) {
    this.#call = call;
    this.#sender = sender;
    this.#lookedAt = call.now();
  }

  /** Whether the last look at this person is recent. */
  isFresh({ id }: Person): boolean {
    const isRecent = Math.abs(this.#call.now() - this.#lookedAt) < CAMPAIGN_LOOK;
    return isRecent && (this.#seen === undefined || this.#seen.has(id));
  }

  /** Why a person of the last look gets nothing. */
  exclusionOf({ id }: Person): Exclusion | undefined {
    return this.#seen?.get(id);
  }

  /** Looks at people, no more than a page of them. */
  async look(people: readonly Person[]): Promise<void> {
    const ids = people.map(({ id }) => id);
    const users = await fetchUsers({ ...this.#call, progress: () => {} }, ids);
    const rules = {
      sender: this.#sender,
      optedOut: new Set(readOptOuts(this.#call.machine).map(({ id }) => id)),
      received: NOBODY,
      waiting: NOBODY,
      unproved: NOBODY,
    };
    this.#seen = new Map(ids.map((id) => [id, exclusionOf(id, users.get(id), rules)]));
    this.#lookedAt = this.#call.now();
  }
}
