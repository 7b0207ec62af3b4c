/** Actions of popups: opening, typing, moving and choosing. */
import { segments } from "../../../text/graphemes.ts";
import { wholeDate } from "../../../text/times.ts";
import { parseWhen } from "../../../text/when.ts";
import { words } from "../../../text/words.ts";
import { gotoChoices } from "../../navigation/destinations.ts";
import { filterActions, filterChoices } from "../../screen/filter-choices.ts";
import { paletteChoices } from "./palette.ts";
import { openPlaces } from "../../navigation/open-places.ts";
import { openUnsent } from "./unsent.ts";
import { isAction, type KeyContext } from "../../keys/action-table.ts";
import { choicesOf, selectedChoice, withCursorOn } from "../../screen/choices.ts";
import { choiceIn, lastTop } from "./rows.ts";
import {
  canConfirm,
  popupChanged,
  popupPopped,
  popupPushed,
  popupTyped,
  queryOf,
  topPopup,
  type Choice,
  type ConfirmPopup,
  type Popup,
} from "../../screen/popup.ts";
import { keyPlaceOf, openPanelIn } from "../../ports/panels.ts";
import type { Screen } from "../../screen/screen.ts";
import { quitProgram } from "../../ports/quit.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { channelTitle } from "../../../model/channels.ts";
import { messageWords } from "../../../model/message-words.ts";
import { openSettings, openThemes } from "../preferences/settings.ts";
import { editKeys } from "../preferences/keys.ts";
import { openLevels, openQuiet } from "../preferences/do-not-disturb.ts";
import { beginLine } from "../composer/text-actions.ts";
import { shownEntries } from "../files/browser.ts";
import { allowsAction } from "../messages/allowed-actions.ts";
import { selectedRows } from "../messages/list.ts";
import { jumpTo } from "../messages/jump.ts";
import { openSearch } from "../search/actions.ts";
import { openTour } from "../tour/tour.ts";
import { pinnedIn } from "../sidebar/pinned.ts";
import { openPicker, showNotice } from "../../screen/notices.ts";
import { targetChannel, selectedIn } from "../../screen/selectors.ts";
import { cleanLineInput } from "../../editor/state.ts";

/** Runs an action or a command line; passed in by the handler table, which imports this file. */
type Runner = (ports: Ports, name: string) => void;

const openGoto: Action = (ports) => {
  const actions = allActions(ports);
  openPlaces(ports, () => {
    const places = gotoChoices(ports);
    // A query such as "poll" also finds actions.
    return {
      title: words.popups.goto,
      choices: ({ query }) => {
        const found = filterChoices(places, query);
        return query === "" ? found : withActions(found, filterActions(actions, query));
      },
    };
  });
};

/** Places, then actions; a view that is both, such as the inbox, is listed once, with the key of its action. */
function withActions(places: readonly Choice[], actions: readonly Choice[]): Choice[] {
  const byName = new Map(actions.map((action) => [action.runs, action]));
  const merged = places.map((place) => (place.runs && byName.get(place.runs)) || place);
  return [...new Set([...merged, ...actions])];
}

const openPalette = (ports: Pick<Ports, "store" | "keys">): void =>
  openPicker(ports, { title: words.popups.palette, choices: allActions(ports) });

/** All actions and commands, those of the focused pane first; `pinned1`–`pinned9` only for existing pinned channels. */
function allActions(ports: Pick<Ports, "store" | "keys">): Choice[] {
  const contexts =
    ports.store.screen.focus === "composer"
      ? (["write", "global", "browse"] as const)
      : (["browse", "global", "write"] as const);
  const pinned = pinnedIn(ports.store.get());
  return paletteChoices(ports.keys, contexts).flatMap((choice) => {
    const n = /^pinned(\d)$/.exec(choice.runs ?? "")?.[1];
    if (n === undefined) return choice;
    const entry = pinned[Number(n) - 1];
    return entry ? { ...choice, detail: channelTitle(entry, ports.store.state.me?.id) } : [];
  });
}

/** The actions of a context, without command lines. */
const actionChoices = (keys: Ports["keys"], context: KeyContext): Choice[] =>
  paletteChoices(keys, [context]).filter(({ runs = "" }) => isAction(runs) && !NAVIGATION_ACTIONS.has(runs));

/** Actions that navigate and do not act on the message or the channel. */
const NAVIGATION_ACTIONS: ReadonlySet<string> = new Set([
  "firstLine",
  "lastLine",
  "dayBefore",
  "dayAfter",
  "firstUnread",
  "menu",
  "jump",
  "jumpBack",
  "nextFound",
  "previousFound",
  "pins",
]);
/** Opens the menu of the selected message with the actions it allows. */
const openMenu = (ports: Pick<Ports, "core" | "store" | "keys" | "feeds">): void => {
  const model = ports.store.get();
  const message = selectedIn(model);
  if (!message) return;
  const { state, now } = model;
  const isOffered = ({ runs = "" }: Choice): boolean =>
    isAction(runs) && allowsAction(runs, message, { state, me: ports.core.userId, now });
  const choices = actionChoices(ports.keys, "browse").filter(isOffered);
  openPicker(ports, { title: messageWords(message), choices, clear: selectedRows(ports) });
};
/** Opens the menu of the selected channel, destructive actions last. */
function openSidebarMenu(ports: Pick<Ports, "core" | "store" | "keys">): void {
  if (!targetChannel(ports.store.get())) return showNotice(ports, words.sidebar.chooseFirst);
  const choices = actionChoices(ports.keys, "sidebar").toSorted(
    (a, b) => Number(a.destructive === true) - Number(b.destructive === true),
  );
  openPicker(ports, { title: words.sidebar.menu, choices });
}
/** The place of the keys of what has the focus; the box has those of everywhere, too. */
function focusedPlace(screen: Screen): string | undefined {
  const { of } = openPanelIn(screen) ?? {};
  if (screen.focus === "panel") return of ? keyPlaceOf(of) : "browse";
  return screen.focus === "messages" ? "browse" : screen.focus === "sidebar" ? "sidebar" : undefined;
}

/** Help begins with the keys of what has the focus. */
const openHelp = (ports: Pick<Ports, "store">): void =>
  ports.store.update((s) => {
    const first = focusedPlace(s);
    return popupPushed(s, { kind: "help", query: "", top: 0, ...(first !== undefined && { first }) });
  });

export const popupStep =
  (by: number) =>
  (ports: Pick<Ports, "store" | "keys">): void =>
    ports.store.update((s) =>
      popupChanged(s, (popup) => {
        if (popup.kind === "picker" || popup.kind === "files") {
          const { length } =
            popup.kind === "files" ? shownEntries(popup) : choicesOf(popup, ports.store.get());
          if (!length) return popup;
          const at = popup.selected + by;
          // A single step wraps around, a page stops at the ends.
          const selected =
            Math.abs(by) === 1 ? (at + length) % length : Math.max(0, Math.min(length - 1, at));
          return { ...popup, selected };
        }
        if (popup.kind === "help" || popup.kind === "sheet") {
          const last = lastTop(popup, { columns: s.columns, rows: s.rows, table: ports.keys });
          return { ...popup, top: Math.max(0, Math.min(last, Math.min(last, popup.top) + by)) };
        }
        return popup;
      }),
    );

/** Sets the query of a popup. */
const setQuery = ({ store }: Pick<Ports, "store">, query: string): void =>
  store.update((s) => popupTyped(s, query));

export function typeInPopup(ports: Pick<Ports, "store">, popup: Popup, text: string): void {
  if (popup.kind !== "sheet") setQuery(ports, queryOf(popup) + cleanLineInput(text));
}

function popupErase(ports: Pick<Ports, "store">): void {
  const popup = topPopup(ports.store.screen);
  if (!popup) return;
  const last = [...segments(queryOf(popup))].at(-1);
  if (last) setQuery(ports, queryOf(popup).slice(0, last.index));
}
/** Toggles the selected choice as a favourite, and keeps the cursor on it; does nothing where there are none. */
function popupFavourite({ store }: Pick<Ports, "store">): void {
  const popup = topPopup(store.screen);
  const choice = selectedChoice(popup, store.get());
  if (popup?.kind !== "picker" || !choice?.favourite) return;
  choice.favourite();
  store.update((s) => popupChanged(s, () => withCursorOn({ ...popup }, choice.label, store.get())));
}
const popupClear = (ports: Pick<Ports, "store">): void => setQuery(ports, "");

/** Handles y, n and Enter in a question; true if the key needs no further handling. */
export function answerKey(
  ports: Pick<Ports, "store">,
  popup: ConfirmPopup,
  chord: string,
  text: string | undefined,
): boolean {
  const close = (yes: boolean): true => {
    ports.store.update(popupPopped);
    if (yes) popup.yes();
    return true;
  };
  if (chord === "enter" && popup.question.level !== "moderate") return canConfirm(popup) ? close(true) : true;
  if (text === undefined || popup.question.level === "severe") return false;
  if (chord === "y" || chord === "Y") return close(true);
  if (chord === "n" || chord === "N") return close(false);
  return true;
}

/** Matches `search tea`, typed after `:`. */
const SEARCH_LINE = /^\s*search(?:\s+(.*))?$/s;

/** How one quits vim: in its profile `:` takes that, too. */
const QUIT_LINE = /^\s*(?:q|qa|quit|wq|x|wqa)!?\s*$/;

/** Shows the moment that the typed text means; any text is taken as it is. */
const jump: Action = (ports) =>
  openPicker(ports, {
    title: words.acting.jump,
    hint: words.popups.date,
    followsTime: true,
    choices: ({ query, now, utc }) => {
      try {
        if (query === "") return [];
        return [{ label: wholeDate(parseWhen(query, { now, direction: "past", utc }), { utc }) }];
      } catch {
        return [];
      }
    },
    accept: (typed) => {
      const searchMatch = SEARCH_LINE.exec(typed);
      if (searchMatch) openSearch(ports, searchMatch[1]);
      else if (QUIT_LINE.test(typed) && Object.keys(ports.keys.normal).length > 0) quitProgram(ports);
      else jumpTo(ports, typed);
    },
  });

/** Enter in a popup. */
export function popupAccept(ports: Ports, run: Runner): void {
  const popup = topPopup(ports.store.screen);
  if (popup?.kind !== "picker") {
    if (popup?.kind === "help" || popup?.kind === "sheet") ports.store.update(popupPopped);
    return;
  }
  const close = (): void => ports.store.update(popupPopped);
  if (popup.accept) {
    close();
    return popup.accept(popup.query);
  }
  const choice = selectedChoice(popup, ports.store.get());
  if (!choice?.choose && !choice?.runs && !choice?.missing) return;
  if (!popup.stays) close();
  if (choice.choose) choice.choose();
  else if (choice.runs) run(ports, choice.runs);
  else showNotice(ports, choice.note!);
}

/** Selects the choice under the mouse; false if there is none. */
export function selectChoiceAt(ports: Pick<Ports, "store">, at: { x: number; y: number }): boolean {
  const { screen } = ports.store;
  const popup = topPopup(screen);
  if (popup?.kind !== "picker") return false;
  const selected = choiceIn(popup, choicesOf(popup, ports.store.get()), screen, at);
  if (selected === undefined) return false;
  ports.store.update((s) => popupChanged(s, (top) => (top.kind === "picker" ? { ...top, selected } : top)));
  return true;
}

export const popupActions = {
  goto: openGoto,
  palette: openPalette,
  help: openHelp,
  unsent: openUnsent,
  menu: openMenu,
  jump,
  sidebarMenu: openSidebarMenu,
  theme: openThemes,
  keyFile: editKeys,
  quiet: openQuiet,
  notices: openLevels,
  tour: openTour,
  status: (ports) => beginLine(ports, "/status "),
  settings: (ports) => openSettings(ports),
  popupErase,
  popupClear,
  popupFavourite,
} satisfies Record<string, Action>;
