/** Finds actions that would do nothing now, so that the hint line leaves out their keys. */
import type { ActionName } from "../../keys/action-table.ts";
import type { KeyTable } from "../../keys/lookup.ts";
import { focusedPanel, keyPlaceOf, PANEL_SLICES, type PanelHint } from "../../ports/panels.ts";
import { cannotPostReason, selectedIn, targetChannel } from "../../screen/selectors.ts";
import { topPopup } from "../../screen/popup.ts";
import { composerPlace, type Panel } from "../../screen/screen.ts";
import type { Reads } from "../../screen/store.ts";
import { shownEntries } from "../files/browser.ts";
import { allowsAction } from "../messages/allowed-actions.ts";
import { optionIdOf } from "../poll/fields.ts";
import { choicesOf } from "../../screen/choices.ts";
import { lastTop } from "../popup/rows.ts";
import { linesOf } from "../sidebar/lines.ts";
import type { StatusProps } from "./status-row.ts";

/** The slices that the rules read. */
export const RULE_SLICES = [
  "focus",
  "popups",
  "sidebar",
  "views",
  "columns",
  "rows",
  ...PANEL_SLICES,
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
  "saveFile",
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
  CHOOSE: inPopup,
};

/** What does not apply of the panel's own actions and of those that it hints. */
const inPanel: InactiveRule = ({ model, me }) => {
  const { of, panel } = focusedPanel(model.screen)!;
  const applies = ({ applies: test }: Pick<PanelHint<Panel>, "applies">): boolean =>
    test?.(model, panel, me) ?? true;
  const own = Object.entries(of.actions).map(([name, action]) => ({
    ...action,
    action: `${keyPlaceOf(of)}.${name}` as const,
  }));
  return [...own, ...(of.hints ?? [])].flatMap((one) => (applies(one) ? [] : [one.action as ActionName]));
};

export const inactiveActions = (mode: StatusProps["mode"], input: RuleInput): readonly ActionName[] =>
  (RULES[mode] ?? (focusedPanel(input.model.screen) ? inPanel : undefined))?.(input) ?? [];
