/** Message actions that bypass the outbox: pressing buttons and pinning (specification/messages.md §5.1). */
import { requireMessageId } from "../base/validate-call.ts";
import type { ApiCall } from "../base/api-types.ts";
import type { StateMachine } from "../state/machine.ts";
import type { AttachmentAction } from "../../wire/entities/attachment.ts";
import type { Message } from "../../wire/entities/message.ts";

export interface Actions {
  /**
   * Presses a button. Resolves to the message after the action, or undefined when it was removed; rejects with the
   * provider's refusal, which changes nothing.
   */
  act(
    message: Pick<Message, "id" | "cid">,
    action: Pick<AttachmentAction, "name" | "value">,
  ): Promise<Message | undefined>;
  /** Pins or unpins a message for everybody, optionally until `expires`; the answer replaces the message. */
  pin(message: Message, pinned: boolean, expires?: string): Promise<void>;
}

export function createActions({ call, machine }: { call: ApiCall; machine: StateMachine }): Actions {
  return {
    async act(message, { name, value }) {
      requireMessageId(message.id);
      const since = machine.revision();
      const reply = await call("runMessageAction", {
        path: { id: message.id },
        body: { form_data: { [name]: value ?? "" } },
      });
      machine.apply({
        kind: "actionAnswered",
        cid: message.cid,
        messageId: message.id,
        since,
        ...(reply.message && { message: reply.message }),
      });
      return reply.message;
    },
    async pin(message, pinned, expires) {
      const since = machine.revision();
      const { message: copy } = await call("updateMessagePartial", {
        path: { id: message.id },
        body: { set: { pinned, ...(expires !== undefined && { pin_expires: expires }) } },
      });
      machine.apply({ kind: "message", message: copy, since });
    },
  };
}
