/** Jumps to a message, and back to where the user was before. */
import {
  browsePlace,
  scrollOf,
  panelPlace,
  type Screen,
  type Jump,
  type Panel,
} from "../../screen/screen.ts";
import { placeKey } from "../../screen/place-key.ts";
import { messageId } from "../../../commands/message/permalink.ts";
import { ApiError } from "../../../model/errors.ts";
import { shownSet } from "../../../model/select.ts";
import type { ClientMessage, ThreadRef } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { parseWhen } from "../../../text/when.ts";
import { words } from "../../../text/words.ts";
import { NOT_FOUND } from "../../../wire/errors.ts";
import { isMessageId } from "../../../wire/ids.ts";
import { openChannel, openThread, type NavigationPorts } from "../../navigation/open-channel.ts";
import { staysAcross } from "../../ports/panels.ts";
import type { Ports } from "../../ports/ports.ts";
import { withScroll } from "../../screen/transitions.ts";
import { messageIn } from "../../screen/selectors.ts";
import { attempt, showError, showNotice } from "../../screen/notices.ts";
import type { ListPorts } from "./list.ts";
import { endJump, jumpToMessage, jumpToTime } from "./navigation.ts";

/** Number of positions remembered. */
const MAX_JUMPS = 20;

/** Adds the current position, unless it equals the last one. */
function withJump(screen: Screen): Screen {
  const { cid, panels, focus, jumps } = screen;
  if (cid === undefined) return screen;
  const place = browsePlace({ ...screen, focus: focus === "panel" ? "panel" : "messages" }) ?? { cid };
  const view = scrollOf(screen, place);
  const last = jumps.at(-1);
  if (last && placeKey(last.place) === placeKey(place) && last.view === view) return screen;
  return { ...screen, jumps: [...jumps, { cid, panels, focus, place, view }].slice(-MAX_JUMPS) };
}

/** The fields that locate a message. */
interface MessageRef {
  id: string;
  cid: string;
  parent_id?: string;
  show_in_channel?: boolean;
}

type JumpPorts = ListPorts & NavigationPorts;

/** The channel, or the thread for a reply that the channel does not show. */
export const placeOf = ({ cid, parent_id, show_in_channel }: Omit<MessageRef, "id">): ThreadRef =>
  parent_id === undefined || show_in_channel ? { cid } : { cid, parentId: parent_id };

/** Panels that stay open after a jump: the search, and in the same channel any but a thread. None where a panel covers the messages. */
function panelsBeside({ store }: JumpPorts, cid: string): Panel[] {
  const { screen, layout } = store.get();
  const staysOpen = (panel: Panel): boolean => staysAcross(panel) || (screen.cid === cid && !panel.place);
  return layout.beside ? screen.panels.filter(staysOpen) : [];
}

/** Puts the cursor on a message of the open channel; opens the panel of its thread if it is a reply. */
export function jumpBeside(
  ports: JumpPorts,
  cid: string,
  { id, parentId }: { id: string; parentId?: string | undefined },
): void {
  if (parentId !== undefined) void openThread(ports, { cid, parentId });
  jumpToMessage(ports, { cid, ...(parentId !== undefined && { parentId }) }, id);
}

/** Opens channel and thread of a message and puts the cursor on it; messages around it are loaded if needed. */
export function goToMessage(ports: JumpPorts, message: MessageRef): void {
  const { core, store } = ports;
  const { cid, parentId } = placeOf(message);
  const panels = panelsBeside(ports, cid);
  const isLoaded = store.state.channels.has(cid);
  if (store.screen.cid !== cid) openChannel(ports, cid, true);
  store.update((s) => ({ ...s, panels }));
  const go = (): void => {
    // The user may have opened another channel meanwhile.
    if (store.screen.cid === cid) jumpBeside(ports, cid, { id: message.id, parentId });
  };
  if (isLoaded) return go();
  const watched = core.watchExisting(cid).then(go, (error: unknown) => {
    if (store.screen.cid === cid) endJump(ports);
    throw error;
  });
  attempt(ports, watched);
}

/** Goes to a message, and remembers the current position for the jump back. */
export function jumpWithReturn(ports: JumpPorts, message: MessageRef): void {
  ports.store.update(withJump);
  goToMessage(ports, message);
}

/** Goes to the message with this id in any channel; `notFound` runs when the lookup fails. */
function goToId(ports: JumpPorts, id: string, notFound: (error: unknown) => void): void {
  const { cid } = ports.store.screen;
  const here = cid === undefined ? undefined : messageIn(ports.store.state, { cid }, id);
  if (here) return jumpWithReturn(ports, here);
  ports.core.call("getMessage", { path: { id } }).then(
    // Some providers answer without the message.
    ({ message }) => (message ? jumpWithReturn(ports, message) : notFound(undefined)),
    notFound,
  );
}

/** `:`: jumps to the id or address of a message, or to a date and time as people write them. */
export function jumpTo(ports: JumpPorts & Pick<Ports, "clock">, typed: string): void {
  const text = typed.trim();
  if (text === "") return;
  const id = messageId(text);
  if (id !== text) return goToId(ports, id, (error) => showError(ports, error));
  const { utc } = ports.store.get().look;
  let at: number;
  try {
    at = parseWhen(text, { now: ports.clock.now(), direction: "past", utc });
  } catch (error) {
    // Text that looks like a malformed time is not looked up as an id.
    if (!isMessageId(text) || /^\d{1,4}[-:./]\d/.test(text)) return showError(ports, error);
    return goToId(ports, text, (failure) => {
      const isMissing = failure === undefined || (failure instanceof ApiError && failure.code === NOT_FOUND);
      if (isMissing) showNotice(ports, words.acting.neither(cleanLine(text)), "warning");
      else showError(ports, failure);
    });
  }
  ports.store.update(withJump);
  jumpToTime(ports, at);
}

/** Goes to the message that this one quotes; true when it quotes one. */
export function goToQuoted(ports: JumpPorts, message: ClientMessage): boolean {
  const { quoted_message_id: id, quoted_message: quoted } = message;
  if (id === undefined) return false;
  if (!quoted || quoted.type === "deleted") showNotice(ports, words.message.quoteGone);
  else jumpWithReturn(ports, { ...quoted, id, cid: message.cid });
  return true;
}

/** Restores the scroll position of a jump, loading messages around its anchor if they are no longer held. */
function restoreView(ports: JumpPorts, { place, view }: Jump): void {
  const { core, store } = ports;
  const restore = (): void => store.update((s) => withScroll(s, place, view));
  const { anchor } = view;
  if (anchor && !messageIn(store.state, place, anchor.id))
    return attempt(ports, core.jumpTo(place, anchor.id).then(restore));
  const set = shownSet(store.state, place);
  if (!anchor && set && !set.isLatest) return attempt(ports, core.backToLatest(place).then(restore));
  restore();
}

/** Goes back to the position before the last jump. */
export function jumpBack(ports: JumpPorts): void {
  const { store } = ports;
  const jump = store.screen.jumps.at(-1);
  if (!jump) return showNotice(ports, words.notices.noWayBack);
  store.update((s): Screen => ({ ...s, jumps: s.jumps.slice(0, -1) }));
  if (store.screen.cid !== jump.cid) openChannel(ports, jump.cid);
  store.update((s): Screen => ({ ...s, panels: jump.panels, focus: jump.focus }));
  ports.boxes.open(panelPlace(store.screen) ?? { cid: jump.cid });
  restoreView(ports, jump);
}
