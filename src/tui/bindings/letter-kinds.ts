/** What a letter typed while browsing would do, by action: move, show, reach outside, or be seen by others (specification/screen.md §4.2). */
import { commands } from "../../commands/table.gen.ts";
import { findCommand } from "../../commands/line.ts";
import { numbered } from "../keys/numbered.ts";
import { actionRow, type ActionName } from "../keys/action-table.ts";
import type { Binding } from "../keys/lookup.ts";
import { pauseOf, bindingSteps } from "../keys/macros.ts";
import { focusedPanel, panelAction } from "../ports/panels.ts";
import { selectedIn } from "../screen/selectors.ts";
import { buttonsOf } from "../render/cards.ts";
import type { Model } from "../screen/store.ts";
import { allowsAction } from "../views/messages/allowed-actions.ts";

/**
 * `moves`: only the cursor. `shows`: only this screen, as it can be shown again as it was. `outside`: a request, a file, the
 * clipboard, another program. `others`: other people see it. `refused`: they would, but the message does not allow it, so that it only says why.
 */
export type LetterKind = "moves" | "shows" | "refused" | "outside" | "others";

const MOVES = [
  "lineDown",
  "lineUp",
  "firstLine",
  "lastLine",
  "halfPageUp",
  "halfPageDown",
  "pageUp",
  "pageDown",
  "dayBefore",
  "dayAfter",
  "firstUnread",
  "nextFound",
  "previousFound",
] as const satisfies ActionName[];

const OUTSIDE = [
  "copy",
  "copyLink",
  "copyId",
  "openLink",
  "playSound",
  "saveFile",
  "save",
  "markUnread",
  "markRead",
  "translate",
  "channelUp",
  "channelDown",
  "pinChannel",
  "archiveChannel",
  "quit",
] as const satisfies ActionName[];

const OTHERS = [
  "pin",
  "remove",
  "removeForMe",
  "edit",
  "reactFirst",
  ...Object.values(numbered("vote", (n) => `vote${n}` as const)),
  "stopLocation",
] as const satisfies ActionName[];

const KINDS: ReadonlyMap<string, LetterKind> = new Map([
  ...MOVES.map((name) => [name, "moves"] as const),
  ...OUTSIDE.map((name) => [name, "outside"] as const),
  ...OTHERS.map((name) => [name, "others"] as const),
]);

/** A command line on a key of the user's own is seen by others if its command changes something. */
function kindOfLine(line: string): LetterKind {
  const path = findCommand(line.slice(1))?.path;
  return path !== undefined && commands.find(path)?.changes === "provider" ? "others" : "shows";
}

/** Whether the message under the cursor refuses it. */
function isRefused(model: Model, binding: Binding, me: string | undefined): boolean {
  const { state, screen, now } = model;
  const message = screen.range === undefined ? selectedIn(model) : undefined;
  // Sharing can be stopped from anywhere, and a digit presses a button before it votes.
  if (!message || binding === "stopLocation" || buttonsOf(message).length > 0) return false;
  const action = /^vote\d$/.test(binding) ? "pollVote" : (binding as ActionName);
  return !allowsAction(action, message, { state, me, now });
}

const REACH: readonly LetterKind[] = ["moves", "shows", "refused", "outside", "others"];

/** Of several steps the kind of the one that reaches furthest. */
const furthest = (kinds: readonly LetterKind[]): LetterKind =>
  REACH.findLast((kind) => kinds.includes(kind)) ?? "shows";

/** The kind of a binding here: an answer to a failed message sends it again. `me` is the current user's id. */
export function letterKind(model: Model, binding: Binding, me: string | undefined): LetterKind {
  const steps = bindingSteps(binding);
  if (steps.length > 1) return furthest(steps.map((step) => letterKind(model, step as Binding, me)));
  if (binding.startsWith("/")) return kindOfLine(binding);
  if (pauseOf(binding) !== undefined) return "moves";
  if (binding === "reply" && selectedIn(model)?.status === "failed") return "others";
  const panel = focusedPanel(model.screen);
  const { letter } = (panel && panelAction(panel.of, binding)) ?? actionRow(binding as ActionName);
  const kind = KINDS.get(binding) ?? letter ?? "shows";
  return kind === "others" && KINDS.has(binding) && isRefused(model, binding, me) ? "refused" : kind;
}
