/** Finds actions that would do nothing now, so that the hint line leaves out their keys. */
import { hasCapability } from "../../../model/permissions.ts";
import type { ActionName } from "../../keys/action-table.ts";
import type { KeyTable } from "../../keys/lookup.ts";
import { focusedPanel } from "../../ports/panels.ts";
import { cannotPostReason, openEntry, selectedIn, targetChannel } from "../../screen/selectors.ts";
import { topPopup } from "../../screen/popup.ts";
import { composerPlace, focusedList, type ListName } from "../../screen/screen.ts";
import type { Reads } from "../../screen/store.ts";
import { shownEntries } from "../files/browser.ts";
import { listCursorIndex, entriesOf, loadingOf } from "../lists/entries.ts";
import { LIST_SLICES } from "../lists/pane.ts";
import { allowsAction } from "../messages/allowed-actions.ts";
import { optionIdOf } from "../poll/fields.ts";
import { choicesOf } from "../popup/choices.ts";
import { lastTop } from "../popup/rows.ts";
import { selectedResult, foundLines } from "../search/lines.ts";
import { linesOf } from "../sidebar/lines.ts";
import type { StatusProps } from "./status-row.ts";

/** The slices that the rules read. */
export const RULE_SLICES = [
  "focus",
  "popups",
  "search",
  "sidebar",
  "views",
  "columns",
  "rows",
  ...LIST_SLICES,
] as const;

interface RuleInput {
  model: Reads<(typeof RULE_SLICES)[number]>;
  /** The composer has a change to undo, and cut text to put. */
  box: { canUndo: boolean; canPut: boolean };
  keys: KeyTable;
  /** The current user's id. */
  me: string | undefined;
}

/** Returns the actions without effect in a mode. */
type InactiveRule = (given: RuleInput) => readonly ActionName[];

const MESSAGE_KEYS = [
  "reply",
  "react",
  "menu",
  "openMessage",
  "quote",
  "edit",
  "remove",
  "copy",
  "openLink",
  "pin",
  "vote1",
] as const satisfies ActionName[];

const inMessages: InactiveRule = ({ model, me }) => {
  const message = selectedIn(model);
  const { state, now } = model;
  return MESSAGE_KEYS.filter((action) => !message || !allowsAction(action, message, { state, me, now }));
};

const inComposer: InactiveRule = ({ model: { state, screen, now } }) => {
  const place = composerPlace(screen);
  const entry = place && state.channels.get(place.cid);
  return cannotPostReason(state, entry, now, {}) === undefined ? [] : ["send", "newline"];
};

const inNormalMode: InactiveRule = ({ box: { canUndo, canPut } }) => [
  ...(canUndo ? [] : ["vimUndo" as const]),
  ...(canPut ? [] : ["vimPut" as const]),
];

const inSidebar: InactiveRule = ({ model }) => {
  const lines = linesOf(model);
  const at = lines.findIndex(({ key }) => key === model.screen.sidebar.cursor);
  // While filtering, groups are not folded.
  const isFiltered = model.screen.sidebar.filter !== undefined;
  const inGroup = !isFiltered && lines.slice(0, at + 1).some(({ kind }) => kind === "group");
  return [
    ...(at < 0 ? ["sidebarOpen" as const] : []),
    ...(inGroup ? [] : ["fold" as const]),
    ...(targetChannel(model) ? [] : ["sidebarMenu" as const]),
  ];
};

/** Actions without effect in each list. */
const INACTIVE_IN_LIST: Readonly<Record<ListName, readonly ActionName[]>> = {
  inbox: ["remind"],
  threads: ["remind"],
  later: ["listAllRead"],
  drafts: ["listAllRead", "listReply", "remind"],
  pins: ["listAllRead"],
};

/** A list counts as not empty until its first page is loaded. */
const inList: InactiveRule = ({ model }) => {
  const list = focusedList(model.screen)!;
  const entries = entriesOf(model, list);
  if (entries.length === 0)
    return (loadingOf(model.lists, list)?.loaded ?? true)
      ? ["listOpen", "listClear", "listAllRead", "listReply", "remind"]
      : INACTIVE_IN_LIST[list];
  const isRead = list === "threads" && !entries[listCursorIndex(model.screen, list, entries)]?.newCount;
  const isFixed = list === "pins" && !hasCapability(openEntry(model), "pin-message");
  const allRead = list === "threads" && entries.every(({ newCount }) => newCount === 0);
  return [
    ...INACTIVE_IN_LIST[list],
    ...(isRead || isFixed ? ["listClear" as const] : []),
    ...(allRead ? ["listAllRead" as const] : []),
  ];
};

const inSearch: InactiveRule = ({ model: { state, screen } }) => {
  const { search } = screen;
  return selectedResult(foundLines(state, search), search.selected) ? [] : ["searchOpen"];
};

const inPopup: InactiveRule = ({ model, keys }) => {
  const { screen } = model;
  const popup = topPopup(screen);
  switch (popup?.kind) {
    case "picker": {
      const acceptsQuery = popup.accept !== undefined && popup.query !== "";
      if (acceptsQuery || choicesOf(popup, model).length > 0) return [];
      return ["popupAccept", "lineUp", "popupFavourite"];
    }
    case "files":
      return shownEntries(popup).length > 0 ? [] : ["filesTake", "filesMark", "filesComplete", "filesInto"];
    case "sheet":
      return lastTop(popup, { columns: screen.columns, rows: screen.rows, table: keys }) > 0
        ? []
        : ["lineUp"];
    case "poll":
      return optionIdOf(popup.field) === undefined ? ["formOptionRemove", "formOptionDown"] : [];
    default:
      return [];
  }
};

const RULES: Readonly<Partial<Record<StatusProps["mode"], InactiveRule>>> = {
  WRITE: inComposer,
  NORMAL: inNormalMode,
  VISUAL: inNormalMode,
  BROWSE: inMessages,
  LIST: inSidebar,
  VIEW: inList,
  SEARCH: inSearch,
  CHOOSE: inPopup,
};

/** Of the panel's own actions those that do not apply; without any that does, there is no line to move to. */
const inPanel: InactiveRule = ({ model, me }) => {
  const { of, panel } = focusedPanel(model.screen)!;
  const inactive = Object.entries(of.actions).flatMap(([name, { applies }]) =>
    (applies?.(model, panel, me) ?? true) ? [] : [`${of.name}.${name}` as const],
  );
  const none = inactive.length > 0 && inactive.length === Object.keys(of.actions).length;
  return none ? [...inactive, "lineDown"] : inactive;
};

export const inactiveActions = (mode: StatusProps["mode"], input: RuleInput): readonly ActionName[] =>
  (RULES[mode] ?? (focusedPanel(input.model.screen) ? inPanel : undefined))?.(input) ?? [];
