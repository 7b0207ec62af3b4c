/** Jumps to a message, and back to where one was. */
import { messageId } from "../../../commands/message/permalink.ts";
import { ApiError } from "../../../model/errors.ts";
import { shownSet } from "../../../model/select.ts";
import type { HeldMessage, ThreadRef } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { parseWhen } from "../../../text/when.ts";
import { words } from "../../../text/words.ts";
import { NOT_FOUND } from "../../../wire/errors.ts";
import { isMessageId } from "../../../wire/ids.ts";
import { openChannel, openPanel, type Opening } from "../../navigation/opening.ts";
import type { Ports } from "../../ports/ports.ts";
import { jumped } from "../../screen/jumps.ts";
import { viewed } from "../../screen/moves.ts";
import { topPanel, type Jump, type Panel, type Screen } from "../../screen/screen.ts";
import { messageIn } from "../../screen/selectors.ts";
import { attempt, fail, tell } from "../../screen/telling.ts";
import type { Lists } from "./list.ts";
import { arrived, jumpToMessage, jumpToTime } from "./moving.ts";

/** What tells where a message stands. */
interface MessageRef {
  id: string;
  cid: string;
  parent_id?: string;
  show_in_channel?: boolean;
}

type Going = Lists & Opening;

/** A reply that the channel does not show stands in its thread. */
export const placeOf = ({ cid, parent_id, show_in_channel }: Omit<MessageRef, "id">): ThreadRef =>
  parent_id === undefined || show_in_channel ? { cid } : { cid, parentId: parent_id };

/** Panels beside the messages that stay: the search, and in the same channel what is about it; over them they would hide what was gone to. */
function panelsBeside({ store }: Going, cid: string): Panel[] {
  const { screen, layout } = store.get();
  const stays = ({ kind }: Panel): boolean => kind === "search" || (screen.cid === cid && kind !== "thread");
  return layout.beside ? screen.panels.filter(stays) : [];
}

/** In the open channel: the cursor goes to the message, in the panel with the thread that it stands in. */
export function jumpBeside(
  ports: Going,
  cid: string,
  { id, parentId }: { id: string; parentId?: string | undefined },
): void {
  if (parentId !== undefined) openPanel(ports, { kind: "thread", cid, parentId });
  jumpToMessage(ports, { cid, ...(parentId !== undefined && { parentId }) }, id);
}

/** Opens the channel, and the thread, of a message and puts the cursor on it, loading around it where it is not held. */
export function goToMessage(ports: Going, message: MessageRef): void {
  const { core, store } = ports;
  const { cid, parentId } = placeOf(message);
  const beside = panelsBeside(ports, cid);
  const known = store.state.channels.has(cid);
  if (store.screen.cid !== cid) openChannel(ports, cid, true);
  store.now((s) => ({ ...s, panels: beside }));
  const go = (): void => {
    // Somebody who has gone on meanwhile is not taken back.
    if (store.screen.cid === cid) jumpBeside(ports, cid, { id: message.id, parentId });
  };
  if (known) go();
  else
    attempt(
      ports,
      core.watchExisting(cid).then(go, (error: unknown) => {
        if (store.screen.cid === cid) arrived(ports);
        throw error;
      }),
    );
}

/** The same, with a way back. */
export function jumpAway(ports: Going, message: MessageRef): void {
  ports.store.now(jumped);
  goToMessage(ports, message);
}

/** To the message with this id, wherever it stands; `absent` runs where there is none. */
function goToId(ports: Going, id: string, absent: (error: unknown) => void): void {
  const { cid } = ports.store.screen;
  const here = cid === undefined ? undefined : messageIn(ports.store.state, { cid }, id);
  if (here) return jumpAway(ports, here);
  ports.core.call("getMessage", { path: { id } }).then(
    // The answer of a provider that knows less than it should.
    ({ message }) => (message ? jumpAway(ports, message) : absent(undefined)),
    absent,
  );
}

/** `:`: the id or address of a message, or a date and time as people write them. */
export function jumpTo(ports: Going & Pick<Ports, "clock">, typed: string): void {
  const text = typed.trim();
  if (text === "") return;
  const id = messageId(text);
  if (id !== text) return goToId(ports, id, (error) => fail(ports, error));
  const { utc } = ports.store.get().look;
  let at: number;
  try {
    at = parseWhen(text, { now: ports.clock.now(), direction: "past", utc });
  } catch (error) {
    // What looks like a time and is none is no id either.
    if (!isMessageId(text) || /^\d{1,4}[-:./]\d/.test(text)) return fail(ports, error);
    return goToId(ports, text, (failure) => {
      const absent = failure === undefined || (failure instanceof ApiError && failure.code === NOT_FOUND);
      if (absent) tell(ports, words.acting.neither(cleanLine(text)), "warning");
      else fail(ports, failure);
    });
  }
  ports.store.now(jumped);
  jumpToTime(ports, at);
}

/** Enter: to the message that this one quotes; true when it quotes one. */
export function goToQuoted(ports: Going, message: HeldMessage): boolean {
  const { quoted_message_id: id, quoted_message: quoted } = message;
  if (id === undefined) return false;
  if (!quoted || quoted.type === "deleted") tell(ports, words.message.quoteGone);
  else jumpAway(ports, { ...quoted, id, cid: message.cid });
  return true;
}

/** The list stands as it stood; what is not held any more is loaded around its anchor. */
function putBack(ports: Going, { place, view }: Jump): void {
  const { core, store } = ports;
  const put = (): void => store.now((s) => viewed(s, place, view));
  const { anchor } = view;
  if (anchor && !messageIn(store.state, place, anchor.id))
    return attempt(ports, core.jumpTo(place, anchor.id).then(put));
  const set = shownSet(store.state, place);
  if (!anchor && set && !set.isLatest) return attempt(ports, core.backToLatest(place).then(put));
  put();
}

/** Back to where one was before the last jump. */
export function jumpBack(ports: Going): void {
  const { store } = ports;
  const jump = store.screen.jumps.at(-1);
  if (!jump) return tell(ports, words.notices.noWayBack);
  store.now((s): Screen => ({ ...s, jumps: s.jumps.slice(0, -1) }));
  if (store.screen.cid !== jump.cid) openChannel(ports, jump.cid);
  store.now((s): Screen => ({ ...s, panels: jump.panels, focus: jump.focus }));
  const panel = topPanel(store.screen);
  ports.boxes.open(
    panel?.kind === "thread" ? { cid: panel.cid, parentId: panel.parentId } : { cid: jump.cid },
  );
  putBack(ports, jump);
}
