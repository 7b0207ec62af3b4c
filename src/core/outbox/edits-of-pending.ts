/** Repeats an edit of the user when an older, unanswered one reaches the provider after it (D11). */
import type { AnyEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/entities/message.ts";
import { compareTimes } from "../../wire/time.ts";
import type { Clock } from "../base/ports.ts";
import type { StateMachine } from "../state/machine.ts";
import type { OutboxAction, OutboxRow } from "../base/outbox-row.ts";

type EditAction = Extract<OutboxAction, { kind: "edit" }>;
type Edit = Pick<EditAction, "set" | "unset">;

export type RepeatEdit = (message: Message, edit: Edit) => void;

/** The user's recent edits of one message. */
interface EditHistory {
  /** Edits with unanswered tries; `left`: how many of these may still arrive. */
  unanswered: { edit: Edit; left: number }[];
  /** The last accepted edit, and its time at the provider. */
  accepted?: { edit: Edit; at: string };
  /** The newest received version that matches an unanswered edit; the answer of a newer edit may still come. */
  latest?: Message;
  /** Time of the newest version that matches none of them: an edit of the user without an answer yet, or of somebody else. */
  otherAt?: string;
  /** Monotonic milliseconds. */
  expiresAt: number;
}

/** How long a late edit may still arrive, milliseconds, and how many messages are tracked. */
const HISTORY_MS = 10 * 60_000;
const MAX_HISTORIES = 200;

/** Whether the message looks as after this edit. */
export function matchesEdit(message: Message, { set, unset }: Edit): boolean {
  const fields = message as unknown as Record<string, unknown>;
  const same = (key: string): boolean =>
    key === "mentioned_users" || JSON.stringify(fields[key]) === JSON.stringify(set[key]);
  return Object.keys(set).every(same) && unset.every((key) => fields[key] === undefined);
}

const unansweredMatch = (
  history: EditHistory,
  message: Message,
): EditHistory["unanswered"][number] | undefined =>
  history.unanswered.find(({ edit, left }) => left > 0 && matchesEdit(message, edit));

export class EditsOfPending {
  readonly #clock: Clock;
  readonly #repeat: RepeatEdit;
  readonly #histories = new Map<string, EditHistory>();
  readonly close: () => void;

  constructor(machine: Pick<StateMachine, "on">, clock: Clock, repeat: RepeatEdit) {
    this.#clock = clock;
    this.#repeat = repeat;
    this.close = machine.on("message.updated", (event) => this.#onUpdated(event));
  }

  /** A row has ended with this many unanswered tries. */
  recordEnd({ action, messageId }: OutboxRow, accepted: Message | undefined, unanswered: number): void {
    if (action.kind !== "edit") return;
    const before = this.#find(messageId);
    if (!before && unanswered <= 0) return;
    const edit = { set: action.set, unset: action.unset };
    const history: EditHistory = before ?? { unanswered: [], expiresAt: 0 };
    history.expiresAt = this.#clock.monotonic() + HISTORY_MS;
    if (unanswered > 0) history.unanswered.push({ edit, left: unanswered });
    if (accepted) history.accepted = { edit, at: accepted.updated_at };
    this.#histories.delete(messageId);
    this.#histories.set(messageId, history);
    if (this.#histories.size > MAX_HISTORIES) this.#histories.delete(this.#histories.keys().next().value!);
    this.#repeatIfOverwritten(history);
  }

  /** Whether this version is a late edit of the user, not somebody else's change. */
  isOwnLateEdit(message: Message): boolean {
    const history = this.#find(message.id);
    return history !== undefined && unansweredMatch(history, message) !== undefined;
  }

  #find(id: string): EditHistory | undefined {
    const found = this.#histories.get(id);
    if (!found || found.expiresAt > this.#clock.monotonic()) return found;
    this.#histories.delete(id);
    return undefined;
  }

  /** At most once per unanswered try, so that two clients never overwrite each other endlessly. */
  #repeatIfOverwritten(history: EditHistory): void {
    const { latest: landed, accepted: newest, otherAt: other } = history;
    if (!landed || !newest || compareTimes(landed.updated_at, newest.at) <= 0) return;
    // Never overwrite a later change of somebody else; an edit of the user becomes `accepted` with its answer.
    if (other !== undefined && compareTimes(other, newest.at) > 0) return;
    if (matchesEdit(landed, newest.edit)) return;
    delete history.latest;
    const late = unansweredMatch(history, landed);
    if (!late) return;
    late.left -= 1;
    this.#repeat(landed, newest.edit);
  }

  #onUpdated(event: AnyEvent): void {
    const message = event.message as Message | undefined;
    const history = message && this.#find(message.id);
    if (!history || !message) return;
    if (history.accepted && compareTimes(message.updated_at, history.accepted.at) <= 0) return;
    if (unansweredMatch(history, message)) {
      history.latest = message;
      return this.#repeatIfOverwritten(history);
    }
    delete history.latest;
    if (!history.accepted || !matchesEdit(message, history.accepted.edit))
      history.otherAt = message.updated_at;
  }
}
