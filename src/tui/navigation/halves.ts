/** Two channels side by side: opens the second half, moves the focus between them, and closes one. */
import { cidTitle, listedChannels } from "../../model/channels.ts";
import { ApiError } from "../../model/errors.ts";
import { words } from "../../text/words.ts";
import type { Action, Ports } from "../ports/ports.ts";
import { showError, showNotice } from "../screen/notices.ts";
import { besideOpened, halfClosed, halfSwitched, hasRoomForHalves } from "../screen/halves.ts";
import type { Screen } from "../screen/screen.ts";
import type { Reads } from "../screen/store.ts";
import type { NavigationPorts } from "./open-channel.ts";

/** Moves the focus to the other half. */
export function switchHalf(ports: NavigationPorts): void {
  const { cid } = ports.store.screen;
  ports.store.update(halfSwitched);
  halfEntered(ports, cid);
}

/** After the focus has moved from the half of this channel, where what arrives is new from now on. */
export function halfEntered({ core, store, boxes }: NavigationPorts, from: string | undefined): void {
  const { cid } = store.screen;
  if (cid === undefined || cid === from) return;
  if (from !== undefined) core.endLine(from);
  boxes.open({ cid });
  core.keep("channel", cid);
}

/** Closes the other half with a sentence: its channel was deleted, cannot be read any more, or was not found. */
function closeGone({ core, store }: Pick<Ports, "core" | "store">, cid: string): void {
  store.update((s) => (s.other?.cid === cid ? halfClosed(s) : s), false);
  showNotice({ core }, words.halves.gone(cidTitle(store.state, cid)), "warning");
}

/** To call after every change: the other half goes with its channel. */
export function closeGoneHalf(ports: Pick<Ports, "core" | "store">, model: Reads<"state" | "other">): void {
  const { other } = model.screen;
  if (other && model.state.channels.get(other.cid)?.unavailable) closeGone(ports, other.cid);
}

/** The provider has no such channel for the user; without an answer nobody knows. */
const isGone = (error: unknown): boolean => error instanceof ApiError && [403, 404].includes(error.status);

/** Shows a channel in the other half, as `opened` does that; it is watched like the one with the focus. */
function openBeside(ports: NavigationPorts, cid: string, opened = besideOpened): void {
  const { core, store, boxes } = ports;
  store.update((s) => opened(s, cid));
  boxes.open({ cid });
  if (store.state.channels.get(cid)?.watched) return;
  core.watchExisting(cid).then(
    () => boxes.open({ cid }),
    (error: unknown) => (isGone(error) ? closeGone(ports, cid) : showError(ports, error)),
  );
}

/** The channel for a new half: the previous one, else the first of the list. */
function channelFor({ store }: Pick<Ports, "store">): string | undefined {
  const { cid, lastCid } = store.screen;
  const listed = listedChannels(store.state).map((entry) => entry.cid);
  return lastCid !== undefined && lastCid !== cid && listed.includes(lastCid)
    ? lastCid
    : listed.find((one) => one !== cid);
}

/** Opens a channel, by default the previous one, in the other half. */
export function split(ports: NavigationPorts, chosen?: string): void {
  const { screen } = ports.store;
  const { halves, lines } = words;
  if (screen.cid === undefined) return showNotice(ports, lines.noChannel);
  if (!hasRoomForHalves(screen)) return showNotice(ports, halves.narrow, "warning");
  const cid = chosen ?? channelFor(ports);
  if (cid === undefined) showNotice(ports, halves.noOther);
  else if (cid === screen.cid) showNotice(ports, halves.same(cidTitle(ports.store.state, cid)));
  else openBeside(ports, cid);
}

/** Splits the messages, or closes the half without the focus, also while a narrow screen does not show it. */
export const splitOrClose: Action = (ports) => {
  const { other, columns, rows } = ports.store.screen;
  if (!other) return split(ports);
  ports.store.update(halfClosed);
  if (!hasRoomForHalves({ columns, rows }))
    showNotice(ports, words.halves.closedUnseen(cidTitle(ports.store.state, other.cid)));
};

/** What is saved of the two halves for the next start: their channels from left to right. */
export interface StoredHalves {
  readonly cids: readonly [string, string];
  readonly focused: "left" | "right";
}

export function storedHalves({ cid, other }: Pick<Screen, "cid" | "other">): StoredHalves | undefined {
  if (!other || cid === undefined) return undefined;
  return other.isLeft
    ? { cids: [other.cid, cid], focused: "right" }
    : { cids: [cid, other.cid], focused: "left" };
}

/** Opens the other half as it was; a channel that the start has opened by name takes the place of the one that had the focus. */
export function restoreHalves(ports: NavigationPorts, stored: unknown): void {
  const { cids, focused } = (stored ?? {}) as Partial<StoredHalves>;
  const [left, right] = Array.isArray(cids) ? (cids as unknown[]) : [];
  const { cid } = ports.store.screen;
  if (typeof left !== "string" || typeof right !== "string" || left === right) return;
  const isLeft = cid === right || (cid !== left && focused === "right");
  openBeside(ports, isLeft ? left : right, (s, beside) => ({
    ...besideOpened(s, beside),
    other: { cid: beside, isLeft },
  }));
}
