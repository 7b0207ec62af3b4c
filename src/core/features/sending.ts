/** Sends through the outbox, running the `beforeWrite` hook before a row is stored (specification/command-line.md §5). */
import { makeMessageId, splitCid } from "../../wire/ids.ts";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { ThreadRef } from "../../model/state.ts";
import type { CallArgs, OutgoingMessage, Sent } from "../base/api-types.ts";
import type { Random } from "../base/ports.ts";
import { callOf } from "../outbox/execute-row.ts";
import type { MessageChanges, Outbox } from "../outbox/outbox.ts";
import type { SendWait } from "../outbox/options.ts";
import type { OutboxAction } from "../base/outbox-row.ts";
import type { StepRunner } from "./steps.ts";

interface SendingDeps {
  outbox: Pick<Outbox, "send" | "preview"> & MessageChanges;
  steps: Pick<StepRunner, "beforeWrite" | "settled">;
  random: Random;
  userId(): string | undefined;
  wait?: SendWait | undefined;
  /** The composer's message was queued: its draft can be cleared. */
  sent(place: ThreadRef, outcome: Sent["outcome"]): void;
}

export interface Sending extends MessageChanges {
  send(place: ThreadRef, composition: OutgoingMessage): Sent;
  /** Queues a message without touching the draft of the channel or thread. */
  sendSeparately(place: ThreadRef, composition: OutgoingMessage): Sent;
}

export function createSending(deps: SendingDeps): Sending {
  const { outbox, steps } = deps;

  /** Runs `beforeWrite` with the call that the outbox row will make, then the change. */
  function checked(
    { id: messageId, cid }: Message,
    action: OutboxAction,
    run: () => Promise<void>,
  ): Promise<void> {
    const { name, args } = callOf({ messageId, cid, action });
    return steps.beforeWrite(name, args)?.then(run) ?? run();
  }

  /** Queues at once without a hook, else after the hook has agreed. */
  function queueChecked(
    place: ThreadRef,
    composition: OutgoingMessage,
    queue: (c: OutgoingMessage) => Sent,
  ): Sent {
    const body = outbox.preview(place, composition);
    const args = { path: splitCid(place.cid) ?? {}, body };
    const approval = steps.beforeWrite("sendMessage", args as CallArgs<EndpointName>);
    if (approval === undefined) return queue(composition);
    const id = composition.id ?? makeMessageId(deps.userId() ?? "", deps.random.uuid());
    return { id, outcome: approval.then(() => queue({ ...composition, id }).outcome) };
  }

  return {
    send: (place, composition) =>
      steps.settled(
        queueChecked(place, composition, (checkedMessage) => {
          const sent = outbox.send(place, checkedMessage, deps.wait);
          deps.sent(place, sent.outcome);
          return sent;
        }),
      ),
    sendSeparately: (place, composition) =>
      steps.settled(
        queueChecked(place, composition, (checkedMessage) =>
          outbox.send(place, checkedMessage, { ...deps.wait, keepDraft: true }),
        ),
      ),
    edit: (message, set, unset = []) =>
      checked(message, { kind: "edit", set, unset }, () => outbox.edit(message, set, unset)),
    remove(message, options = {}) {
      const { hard = false, forMe = false } = options;
      return checked(message, { kind: "delete", hard, forMe }, () => outbox.remove(message, options));
    },
    react: (message, type, options = {}) =>
      checked(message, { kind: "react", type, unique: options.unique ?? false, ...options }, () =>
        outbox.react(message, type, options),
      ),
    unreact: (message, type) =>
      checked(message, { kind: "unreact", type }, () => outbox.unreact(message, type)),
  };
}
