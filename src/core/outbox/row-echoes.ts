/** Shows outbox rows as echoes in the state, at once or when their channel is loaded (D1). */
import type { User } from "../../wire/entities/user.ts";
import { SignInNeeded } from "../http/token.ts";
import { heldIn } from "../../model/select.ts";
import type { ClientMessage } from "../../model/state.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import type { OutboxOptions } from "./options.ts";
import type { RowSender } from "./row-sender.ts";

export class RowEchoes {
  readonly #options: OutboxOptions;
  readonly #sender: RowSender;
  /** `seq` of rows whose channel is not loaded yet. */
  readonly #hidden = new Set<number>();
  readonly close: () => void;

  constructor(options: OutboxOptions, sender: RowSender) {
    this.#options = options;
    this.#sender = sender;
    this.close = options.machine.subscribe(() => this.#showLoaded());
  }

  /** The current user; throws `SignInNeeded` when nobody is signed in. */
  author(): User {
    const { machine } = this.#options;
    const id = this.#options.userId();
    if (id === undefined) throw new SignInNeeded("Nobody is signed in, so nothing can be sent");
    return this.#options.user?.() ?? machine.state().me ?? { id };
  }

  show(row: OutboxRow, fresh: boolean): void {
    const { machine } = this.#options;
    if (!machine.state().channels.has(row.cid)) this.#hidden.add(row.seq);
    machine.apply({ kind: "queued", row, user: this.author(), fresh });
  }

  /** The shown message of a row. `user` is its author: another user may be signed in by now, or none. */
  messageOf(row: OutboxRow, user: User): ClientMessage {
    const input = row.action.kind === "send" ? row.action.message : { id: row.messageId };
    return (
      this.#loadedMessage(row) ??
      // In a one-shot command the channel is not loaded, but the outcome needs a message.
      ({
        ...input,
        cid: row.cid,
        user,
        status: row.state === "failed" ? "failed" : "sending",
      } as unknown as ClientMessage)
    );
  }

  #loadedMessage(row: OutboxRow): ClientMessage | undefined {
    const state = this.#options.machine.state();
    const { cid, messageId } = row;
    const parentId = row.action.kind === "send" ? row.action.message.parent_id : undefined;
    const held = heldIn(state, { cid }, messageId);
    return held || parentId === undefined ? held : heldIn(state, { cid, parentId }, messageId);
  }

  /** Shows rows whose channel has been loaded since. */
  #showLoaded(): void {
    const { machine } = this.#options;
    for (const seq of this.#hidden) {
      const row = this.#sender.find((each) => each.seq === seq);
      if (row && !machine.state().channels.has(row.cid)) continue;
      if (row && this.#options.userId() === undefined) continue;
      this.#hidden.delete(seq);
      if (row) machine.apply({ kind: "queued", row, user: this.author(), fresh: false });
    }
  }
}
