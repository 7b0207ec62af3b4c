/** The list of unsent messages: opens them, or drops those whose channel is gone. */
import { ApiError } from "../../../model/errors.ts";
import { channelTitle } from "../../../model/channels.ts";
import { shortText } from "../../../model/message-words.ts";
import type { ClientMessage, State } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { NOT_ALLOWED, NOT_FOUND } from "../../../wire/errors.ts";
import { openChannel } from "../../navigation/open-channel.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Choice } from "../../screen/popup.ts";
import { askToConfirm, openPicker, showError, showNotice } from "../../screen/notices.ts";
import { returnToComposer } from "../composer/scheduled.ts";
import { jumpWithReturn } from "../messages/jump.ts";

/** Maximum width of the text quoted in the question. */
const NAMED_CELLS = 40;

/** Messages that, or whose changes, have not reached the provider, loaded ones first. */
function unsentChoices(ports: Ports): Choice[] {
  const { state } = ports.store;
  const found = unsentIn(state);
  const choice = (label: string, cid: string, failed: boolean, choose: () => void): Choice => {
    const entry = state.channels.get(cid);
    return {
      label,
      detail: entry ? channelTitle(entry, state.me?.id) : cid,
      mark: failed ? words.message.failed : words.message.sending,
      choose,
    };
  };
  const loaded = [...found.values()].map((message) =>
    choice(shortText(message), message.cid, message.status === "failed", () =>
      goToUnsent(ports, message, () => jumpWithReturn(ports, message)),
    ),
  );
  const rows = ports.core
    .unsent()
    .filter(({ id, send_at, busy }) => !found.has(id) && send_at === undefined && !busy);
  const notLoaded = rows.map((row) => {
    const { id, cid, kind, state: at, text = "" } = row;
    // It is no longer shown anywhere, such as a reply to a deleted thread.
    const isLost = kind === "send" && at === "failed" && state.channels.has(cid);
    return choice(cleanLine(text), cid, at === "failed", () =>
      goToUnsent(ports, row, () => {
        if (!isLost) return jumpWithReturn(ports, { id, cid });
        openChannel(ports, cid);
        returnToComposer(ports, { cid }, id);
      }),
    );
  });
  return [...loaded, ...notLoaded];
}

function unsentIn({ channels }: State): Map<string, ClientMessage> {
  const found = new Map<string, ClientMessage>();
  for (const entry of channels.values())
    for (const { sets } of [entry, ...entry.threads.values()])
      for (const { messages } of sets)
        for (const message of messages)
          if (message.pendingChange || message.status === "sending" || message.status === "failed")
            found.set(message.id, message);
  return found;
}

/** Opens the list, or goes directly to the only unsent message. */
export const openUnsent = (ports: Ports): void => {
  const choices = unsentChoices(ports);
  const [first, ...more] = choices;
  if (!first) showNotice(ports, words.notices.nothingUnsent, "success");
  else if (more.length === 0) first.choose?.();
  else openPicker(ports, { title: "Unsent", choices });
};

/** Goes on once the channel is known to exist; else offers to drop the message. */
function goToUnsent(ports: Ports, { id, cid }: { id: string; cid: string }, go: () => void): void {
  const entry = ports.store.state.channels.get(cid);
  if (entry && !entry.unavailable) return go();
  ports.core.watchExisting(cid).then(go, (error: unknown) => {
    if (error instanceof ApiError && (error.code === NOT_FOUND || error.code === NOT_ALLOWED))
      askToDrop(ports, id);
    else showError(ports, error);
  });
}

/** A message for a channel that is gone can only be dropped; its text is added to the input history. */
function askToDrop(ports: Ports, id: string): void {
  const { core, boxes, store } = ports;
  const text = core.unsent().find((row) => row.id === id)?.text ?? "";
  askToConfirm(
    ports,
    { level: "mild", question: words.acting.dropGone(truncate(cleanLine(text), NAMED_CELLS)) },
    () => {
      boxes.remember(text);
      core.drop(id);
      core.dropUnsent(id);
      store.update((s) => s);
    },
  );
}
