/** Finds actions that would do nothing now, so that the hint line leaves out their keys. */
import { hasCapability } from "../../../model/permissions.ts";
import { isOver } from "../../../wire/entities/campaign.ts";
import type { ActionName } from "../../keys/action-table.ts";
import type { KeyTable } from "../../keys/lookup.ts";
import { cannotPostReason } from "../../screen/posting.ts";
import { topPopup } from "../../screen/popup.ts";
import { boxOf, composerPlace, focusedList, topPanelOf, type ListName } from "../../screen/screen.ts";
import { messageIn, openEntry, selectedIn, targetChannel } from "../../screen/selectors.ts";
import type { Model } from "../../screen/store.ts";
import { fileLines } from "../channel-files/lines.ts";
import { shownEntries } from "../files/browser.ts";
import { listCursorIndex, entriesOf, loadingOf } from "../lists/entries.ts";
import { peopleOf } from "../map/people.ts";
import { allowsAction } from "../messages/allowed-actions.ts";
import { optionIdOf } from "../poll/fields.ts";
import { choicesOf } from "../popup/choices.ts";
import { lastTop } from "../popup/rows.ts";
import { selectedResult, foundLines } from "../search/lines.ts";
import { linesOf } from "../sidebar/lines.ts";
import type { StatusProps } from "./status-row.ts";

interface RuleInput {
  model: Model;
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

const inNormalMode: InactiveRule = ({ model }) => {
  const { undo, kills } = boxOf(model.screen).editor;
  return [...(undo.length ? [] : ["vimUndo" as const]), ...(kills.length ? [] : ["vimPut" as const])];
};

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

const inMembers: InactiveRule = ({ model: { state, screen } }) => {
  const entry = state.channels.get(topPanelOf(screen, "members")!.cid);
  return entry && entry.members.size > 0 ? [] : ["memberOpen", "lineDown"];
};

const inFiles: InactiveRule = ({ model: { state, screen } }) => {
  const panel = topPanelOf(screen, "files")!;
  const entry = state.channels.get(panel.cid);
  const lines = entry ? fileLines(entry, panel.found) : [];
  const line = lines[Math.min(panel.selected, lines.length - 1)];
  if (!line) return ["fileListOpen", "fileListSave", "fileListJump"];
  return line.file ? [] : ["fileListSave"];
};

const inPicture: InactiveRule = ({ model: { state, screen } }) => {
  const { cid, line } = topPanelOf(screen, "picture")!;
  const { id, parentId } = line;
  const message = messageIn(state, { cid, ...(parentId !== undefined && { parentId }) }, id);
  return message ? [] : ["pictureMessage"];
};

const inMap: InactiveRule = ({ model: { state, screen, look }, me }) => {
  const panel = topPanelOf(screen, "map")!;
  const entry = state.channels.get(panel.cid);
  const { length } = peopleOf({
    entry,
    message: messageIn(state, panel, panel.openedFor),
    theme: look.theme,
    me,
  });
  if (length === 0) return ["mapIn", "mapOut", "mapCentre", "mapNext", "mapAll", "mapOpen"];
  const isMoved = panel.centre !== undefined || panel.scale !== undefined;
  return [
    ...(length < 2 ? (["mapNext", "mapAll"] as const) : []),
    ...(isMoved ? [] : ["mapCentre" as const]),
  ];
};

const inCampaign: InactiveRule = ({ model }) => {
  const status = topPanelOf(model.screen, "campaign")?.campaign?.status;
  return [
    ...(isOver(status) ? ["campaignStop" as const] : []),
    ...(status === "stopped" ? [] : ["campaignResume" as const]),
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
  VIEW: inList,
  SEARCH: inSearch,
  MEMBERS: inMembers,
  FILES: inFiles,
  PICTURE: inPicture,
  MAP: inMap,
  CAMPAIGN: inCampaign,
  CHOOSE: inPopup,
};

export const inactiveActions = (mode: StatusProps["mode"], input: RuleInput): readonly ActionName[] =>
  RULES[mode]?.(input) ?? [];
