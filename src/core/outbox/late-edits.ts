/** Repeats an own edit when an older one arrives at the provider after it (D11). */
import type { AnyEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/entities/message.ts";
import { compareTimes } from "../../wire/time.ts";
import type { Clock } from "../base/ports.ts";
import type { StateMachine } from "../state/machine.ts";
import type { OutboxAction, OutboxRow } from "../base/outbox-row.ts";

type EditAction = Extract<OutboxAction, { kind: "edit" }>;
type Edit = Pick<EditAction, "set" | "unset">;

/** Makes an edit again over the version that came late. */
export type LateAgain = (message: Message, edit: Edit) => void;

/** What is known of the own edits of one message. */
interface Known {
  /** Edits with tries that nobody answered: each may land once more as often as it says. */
  open: { edit: Edit; left: number }[];
  /** The one accepted last, and the provider's moment of it. */
  newest?: { edit: Edit; at: string };
  /** The newest version seen that is one of the open ones: the answer of a newer edit may come after it. */
  landed?: Message;
  /** Moment of the newest version that is none of these: an own edit whose answer is still to come, or somebody else's. */
  other?: string;
  /** Monotonic milliseconds. */
  until: number;
}

/** Milliseconds in which a copy may still come, and messages remembered. */
const REMEMBERED = 10 * 60_000;
const MESSAGES = 200;

/** Whether the message reads as the edit left it. */
export function readsAs(message: Message, { set, unset }: Edit): boolean {
  const held = message as unknown as Record<string, unknown>;
  const same = (key: string): boolean =>
    key === "mentioned_users" || JSON.stringify(held[key]) === JSON.stringify(set[key]);
  return Object.keys(set).every(same) && unset.every((key) => held[key] === undefined);
}

const openOf = (known: Known, message: Message): Known["open"][number] | undefined =>
  known.open.find(({ edit, left }) => left > 0 && readsAs(message, edit));

export class LateEdits {
  readonly #clock: Clock;
  readonly #again: LateAgain;
  readonly #messages = new Map<string, Known>();
  readonly close: () => void;

  constructor(machine: Pick<StateMachine, "on">, clock: Clock, again: LateAgain) {
    this.#clock = clock;
    this.#again = again;
    this.close = machine.on("message.updated", (event) => this.#look(event));
  }

  /** A row has come to its end; so many of its tries were not answered. */
  ended({ action, messageId }: OutboxRow, accepted: Message | undefined, unanswered: number): void {
    if (action.kind !== "edit") return;
    const before = this.#known(messageId);
    if (!before && unanswered <= 0) return;
    const edit = { set: action.set, unset: action.unset };
    const mine: Known = before ?? { open: [], until: 0 };
    mine.until = this.#clock.monotonic() + REMEMBERED;
    if (unanswered > 0) mine.open.push({ edit, left: unanswered });
    if (accepted) mine.newest = { edit, at: accepted.updated_at };
    this.#messages.delete(messageId);
    this.#messages.set(messageId, mine);
    if (this.#messages.size > MESSAGES) this.#messages.delete(this.#messages.keys().next().value!);
    this.#restore(mine);
  }

  /** Whether this version is an own edit that came late, and nobody else's change. */
  isOwn(message: Message): boolean {
    const mine = this.#known(message.id);
    return mine !== undefined && openOf(mine, message) !== undefined;
  }

  #known(id: string): Known | undefined {
    const found = this.#messages.get(id);
    if (!found || found.until > this.#clock.monotonic()) return found;
    this.#messages.delete(id);
    return undefined;
  }

  /** Once for each copy that can still come, so that two clients never answer each other for ever. */
  #restore(mine: Known): void {
    const { landed, newest, other } = mine;
    if (!landed || !newest || compareTimes(landed.updated_at, newest.at) <= 0) return;
    // What somebody else wrote meanwhile is not taken back; an own edit is the newest as soon as it is answered.
    if (other !== undefined && compareTimes(other, newest.at) > 0) return;
    if (readsAs(landed, newest.edit)) return;
    delete mine.landed;
    const late = openOf(mine, landed);
    if (!late) return;
    late.left -= 1;
    this.#again(landed, newest.edit);
  }

  #look({ message: told }: AnyEvent): void {
    const message = told as Message | undefined;
    const mine = message && this.#known(message.id);
    if (!mine || !message) return;
    if (mine.newest && compareTimes(message.updated_at, mine.newest.at) <= 0) return;
    if (openOf(mine, message)) {
      mine.landed = message;
      return this.#restore(mine);
    }
    delete mine.landed;
    if (!mine.newest || !readsAs(message, mine.newest.edit)) mine.other = message.updated_at;
  }
}
