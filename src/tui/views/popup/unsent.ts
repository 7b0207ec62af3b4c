/** The list of unsent messages: opens them, or drops those whose channel is gone. */
import { ApiError } from "../../../model/errors.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { NOT_ALLOWED, NOT_FOUND } from "../../../wire/errors.ts";
import { openChannel } from "../../navigation/open-channel.ts";
import type { Ports } from "../../ports/ports.ts";
import { askToConfirm, showError, openPicker, showNotice } from "../../screen/notices.ts";
import { returnToComposer } from "../composer/scheduled.ts";
import { jumpWithReturn } from "../messages/jump.ts";
import { unsentChoices } from "./goto.ts";

/** Maximum width of the text quoted in the question. */
const NAMED_CELLS = 40;

/** Opens the list, or goes directly to the only unsent message. */
export const openUnsent = (ports: Ports): void => {
  const choices = unsentChoices(ports.store.state, ports.core.unsent());
  const [first, ...more] = choices;
  if (!first) showNotice(ports, words.notices.nothingUnsent, "success");
  else if (more.length === 0) goToUnsent(ports, first.value);
  else openPicker(ports, { name: "goto", title: "Unsent", choices });
};

export function goToUnsent(ports: Ports, value: string): void {
  const [id, cid] = value.slice(value.indexOf(":") + 1).split(" ") as [string, string];
  const go = (): void => {
    if (value.startsWith("message:")) return jumpToUnsent(ports, value.slice("message:".length));
    openChannel(ports, cid);
    returnToComposer(ports, { cid }, id);
  };
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

/** `<id> <cid> [<parent>]` */
function jumpToUnsent(ports: Ports, target: string): void {
  const [id, cid, parentId] = target.split(" ") as [string, string, string?];
  jumpWithReturn(ports, { id, cid, ...(parentId !== undefined && { parent_id: parentId }) });
}
