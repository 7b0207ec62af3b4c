/** Actions of popups: opening, typing, moving and choosing. */
import { segments } from "../../../text/graphemes.ts";
import { words } from "../../../text/words.ts";
import { gotoChoices } from "../../navigation/destinations.ts";
import { actionOf, paletteChoices } from "./goto.ts";
import { goToUnsent, openUnsent } from "./unsent.ts";
import { isAction } from "../../keys/action-table.ts";
import { choicesOf } from "./choices.ts";
import { choiceIn, lastTop } from "./rows.ts";
import { toggleFavouriteEmoji, preferredEmoji, recordEmojiUse } from "../../screen/emoji-use.ts";
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
  type Picker,
  type Popup,
} from "../../screen/popup.ts";
import { browsePlace } from "../../screen/screen.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { channelTitle } from "../../../model/channels.ts";
import { messageWords } from "../../../model/message-words.ts";
import type { HeldMessage } from "../../../model/state.ts";
import { changeSetting, INVALID_VALUE, onSettingChosen, openSettings } from "../preferences/settings.ts";
import { editKeys } from "../preferences/keys.ts";
import { openLevels, openQuiet, chooseQuiet, chooseLevel } from "../preferences/do-not-disturb.ts";
import { openThemes } from "../preferences/theme.ts";
import { openCampaign } from "../campaigns/actions.ts";
import { insertSnippet } from "../composer/snippets.ts";
import { openScheduledMenu, runScheduledChoice } from "../composer/scheduled.ts";
import { sendAt } from "../composer/submit.ts";
import { onFileChosen } from "../composer/uploads.ts";
import { beginLine } from "../composer/text-actions.ts";
import { shownEntries } from "../files/browser.ts";
import { decodeFiles, saveFiles } from "../files/save-files.ts";
import { setReminder } from "../lists/reminders.ts";
import { sendReport } from "../moderation/report.ts";
import { runPersonChoice } from "../moderation/person-menu.ts";
import { onPollChosen } from "../poll/card.ts";
import { forwardTo } from "../messages/forward.ts";
import { onLocationChosen } from "../map/share-location.ts";
import { followAddress } from "../messages/actions.ts";
import { allowsAction } from "../messages/allowed-actions.ts";
import { toggleReaction } from "../messages/react.ts";
import { refreshJoinList } from "../../navigation/join-list.ts";
import { profileChoices } from "../../navigation/profiles.ts";
import { openChannel, openDirect, openPanel } from "../../navigation/open-channel.ts";
import { jumpTo } from "../messages/jump.ts";
import { openSearch } from "../search/actions.ts";
import { openTour, onTourChosen } from "../tour/tour.ts";
import { switchProfile } from "../../ports/quit.ts";
import { onSectionChosen } from "../sidebar/arrangement.ts";
import { pinnedIn } from "../sidebar/pinned.ts";
import { showNotice, attempt, openPicker } from "../../screen/notices.ts";
import { targetChannel, messageIn, selectedIn } from "../../screen/selectors.ts";
import { cleanLineInput } from "../../editor/state.ts";

/** Runs a chosen action; passed in by the handler table, which imports this file. */
type Runner = (ports: Ports, action: string) => void;

const openGoto = (ports: Pick<Ports, "store" | "profiles" | "keys">): void =>
  openPicker(ports, {
    name: "goto",
    title: words.popups.goto,
    choices: [...gotoChoices(ports.store.state, ports.store.screen.cid), ...profileChoices(ports)],
    actions: allActions(ports),
  });
const openPalette = (ports: Pick<Ports, "store" | "keys">): void =>
  openPicker(ports, { name: "palette", title: words.popups.palette, choices: allActions(ports) });
/** All actions and commands, those of the focused pane first; `pinned1`–`pinned9` only for existing pinned channels. */
function allActions(ports: Pick<Ports, "store" | "keys">): Choice[] {
  const contexts =
    ports.store.screen.focus === "composer"
      ? (["write", "global", "browse"] as const)
      : (["browse", "global", "write"] as const);
  const pinned = pinnedIn(ports.store.get());
  return paletteChoices(ports.keys, contexts).flatMap((choice) => {
    const n = /^pinned(\d)$/.exec(actionOf(choice.value) ?? "")?.[1];
    if (n === undefined) return choice;
    const entry = pinned[Number(n) - 1];
    return entry ? { ...choice, detail: channelTitle(entry, ports.store.state.me?.id) } : [];
  });
}
/** Browse actions that navigate and do not act on the message. */
const NAVIGATION_ACTIONS: ReadonlySet<string> = new Set([
  "browseFirst",
  "browseLast",
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
const openMenu = (ports: Pick<Ports, "core" | "store" | "keys">): void => {
  const model = ports.store.get();
  const message = selectedIn(model);
  if (!message) return;
  const { state, now } = model;
  const isOffered = ({ value }: Choice): boolean => {
    const action = actionOf(value);
    if (action === undefined || NAVIGATION_ACTIONS.has(action)) return false;
    return allowsAction(action, message, { state, me: ports.core.userId, now });
  };
  const choices = paletteChoices(ports.keys, ["browse"]).filter(isOffered);
  openPicker(ports, { name: "palette", title: messageWords(message), choices });
};
/** Opens the menu of the selected channel, destructive actions last. */
function openSidebarMenu(ports: Pick<Ports, "core" | "store" | "keys">): void {
  if (!targetChannel(ports.store.get())) return showNotice(ports, words.sidebar.chooseFirst);
  const choices = paletteChoices(ports.keys, ["sidebar"])
    .filter((c) => actionOf(c.value) !== undefined)
    .toSorted((a, b) => Number(a.destructive === true) - Number(b.destructive === true));
  openPicker(ports, { name: "palette", title: words.sidebar.menu, choices });
}
const openHelp = (ports: Pick<Ports, "store">): void =>
  ports.store.update((s) => popupPushed(s, { kind: "help", query: "", top: 0 }));

/** The current choices of a picker. */
function choicesIn({ store }: Pick<Ports, "store">, popup: Popup): readonly Choice[] {
  const { now, look } = store.get();
  return choicesOf(popup, now, look.utc, look.maps?.atlas?.places);
}

export const popupStep =
  (by: number) =>
  (ports: Pick<Ports, "store" | "keys">): void =>
    ports.store.update((s) =>
      popupChanged(s, (popup) => {
        if (popup.kind === "picker" || popup.kind === "files") {
          const { length } = popup.kind === "files" ? shownEntries(popup) : choicesIn(ports, popup);
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
function setQuery(ports: Pick<Ports, "store" | "joinableChannels">, query: string): void {
  ports.store.update((s) => popupTyped(s, query));
  refreshJoinList(ports);
}

export function typeInPopup(
  ports: Pick<Ports, "store" | "joinableChannels">,
  popup: Popup,
  text: string,
): void {
  if (popup.kind !== "sheet") setQuery(ports, queryOf(popup) + cleanLineInput(text));
}

function popupErase(ports: Pick<Ports, "store" | "joinableChannels">): void {
  const popup = topPopup(ports.store.screen);
  if (!popup) return;
  const last = [...segments(queryOf(popup))].at(-1);
  if (last) setQuery(ports, queryOf(popup).slice(0, last.index));
}
/** Toggles the selected emoji as a favourite; does nothing in other pickers. */
function popupFavourite(ports: Pick<Ports, "core" | "store">): void {
  const popup = topPopup(ports.store.screen);
  if (popup?.kind !== "picker" || popup.name !== "react") return;
  const name = choicesIn(ports, popup)[popup.selected]?.value;
  if (name === undefined) return;
  toggleFavouriteEmoji(ports.core, name);
  const preferred = preferredEmoji(ports.core);
  // The cursor follows the emoji to its new position.
  const newIndex = choicesIn(ports, { ...popup, preferred }).findIndex(({ value }) => value === name);
  ports.store.update((s) =>
    popupChanged(s, () => ({ ...popup, preferred, selected: Math.max(0, newIndex) })),
  );
}
const popupClear = (ports: Pick<Ports, "store" | "joinableChannels">): void => setQuery(ports, "");

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
  if (text === "y" || text === "Y") return close(true);
  if (text === "n" || text === "N") return close(false);
  return true;
}

/** Matches `search tea`, typed after `:`. */
const SEARCH_LINE = /^\s*search(?:\s+(.*))?$/s;

/** Handles a chosen value; the picker is already closed. */
type ChoiceHandler = (ports: Ports, value: string, list: Picker, run: Runner) => void;

const aboutIn = ({ about }: Picker): string => about ?? "";
const followChoice: ChoiceHandler = (ports, value, _, run) => runGotoChoice(ports, value, run);
const onSetting: ChoiceHandler = (ports, value, list) => onSettingChosen(ports, list, value);
const onPollPicker: ChoiceHandler = (ports, value, list) =>
  onPollChosen(ports, list.name as "pollVote" | "pollOption" | "pollComment", aboutIn(list), value);
const onLocationPicker: ChoiceHandler = (ports, value, list) =>
  onLocationChosen(
    ports,
    list.name as "locationPlace" | "locationTime" | "locationMove",
    aboutIn(list),
    value,
  );
const onUploadPicker: ChoiceHandler = (ports, value, { name }) =>
  onFileChosen(ports, name as "takeOff" | "retry", value);

/** Wraps a handler for the message a picker was opened for; shows a notice if it is gone. */
const forMessage =
  (act: (ports: Ports, message: HeldMessage, value: string) => void): ChoiceHandler =>
  (ports, value, list) => {
    const place = browsePlace(ports.store.screen);
    const message = place && messageIn(ports.store.state, place, aboutIn(list));
    if (message) act(ports, message, value);
    else showNotice(ports, words.acting.notThere, "warning");
  };

/** Adds or removes the reaction. */
const onReaction = forMessage((ports, message, value) => {
  recordEmojiUse(ports.core, value);
  toggleReaction(ports, message, value);
});

const CHOICE_HANDLERS: Readonly<Record<Exclude<Picker["name"], "date">, ChoiceHandler>> = {
  goto: followChoice,
  palette: followChoice,
  react: onReaction,
  join: (ports, value, _, run) => run(ports, `/join ${value}`),
  forward: (ports, value, list) => forwardTo(ports, aboutIn(list), value),
  flag: (ports, value, list) => sendReport(ports, aboutIn(list), value),
  person: (ports, value, list) => runPersonChoice(ports, aboutIn(list), value),
  blocked: (ports, value) => runPersonChoice(ports, `${value.slice("unblock ".length)} `, "unblock"),
  section: (ports, value, list) => onSectionChosen(ports, aboutIn(list), value),
  links: forMessage(followAddress),
  remind: (ports, value, list) => attempt(ports, setReminder(ports, aboutIn(list), value)),
  pollVote: onPollPicker,
  pollOption: onPollPicker,
  pollComment: onPollPicker,
  sendAt: (ports, value, list) => sendAt(ports, aboutIn(list), Date.parse(value)),
  scheduled: openScheduledMenu,
  scheduledOne: (ports, value, list) => runScheduledChoice(ports, aboutIn(list), value),
  snippets: insertSnippet,
  locationPlace: onLocationPicker,
  locationTime: onLocationPicker,
  locationMove: onLocationPicker,
  takeOff: onUploadPicker,
  retry: onUploadPicker,
  save: (ports, value) => saveFiles(ports, decodeFiles(value)),
  theme: (ports, value) => attempt(ports, changeSetting(ports, "theme", value)),
  tour: onTourChosen,
  campaign: openCampaign,
  quiet: (ports, value) => attempt(ports, chooseQuiet(ports, value)),
  notices: (ports, value, list) => chooseLevel(ports, aboutIn(list), value),
  settings: onSetting,
  setting: onSetting,
  settingText: onSetting,
};

/** The typed text of the jump picker is used as it is, even without a matching choice. */
function acceptJump(ports: Ports, typed: string): void {
  ports.store.update(popupPopped);
  const searchMatch = SEARCH_LINE.exec(typed);
  if (searchMatch) openSearch(ports, searchMatch[1]);
  else jumpTo(ports, typed);
}

/** Enter in a popup. */
export function popupAccept(ports: Ports, run: Runner): void {
  const popup = topPopup(ports.store.screen);
  if (popup?.kind !== "picker") {
    if (popup?.kind === "help" || popup?.kind === "sheet") ports.store.update(popupPopped);
    return;
  }
  if (popup.name === "date") return acceptJump(ports, popup.query);
  const value = choicesIn(ports, popup)[popup.selected]?.value;
  if (value === undefined || (popup.name === "settingText" && value === INVALID_VALUE)) return;
  // The list of settings stays open below the values of one setting.
  if (popup.name !== "settings") ports.store.update(popupPopped);
  CHOICE_HANDLERS[popup.name](ports, value, popup, run);
}

function runGotoChoice(ports: Ports, value: string, run: Runner): void {
  const [kind, rest] = [value.slice(0, value.indexOf(":")), value.slice(value.indexOf(":") + 1)];
  switch (kind) {
    case "channel":
      return openChannel(ports, rest);
    case "profile":
      return switchProfile(ports, rest);
    case "user":
      return attempt(ports, openDirect(ports, [rest]));
    case "thread": {
      const [parentId, cid] = rest.split(" ") as [string, string];
      openChannel(ports, cid);
      return openPanel(ports, { kind: "thread", cid, parentId });
    }
    case "message":
    case "back":
      return goToUnsent(ports, value);
    case "action":
      if (isAction(rest)) run(ports, rest);
      return;
    case "say":
      return showNotice(ports, rest);
    case "line": {
      const [how, line] = [rest.slice(0, rest.indexOf(":")), rest.slice(rest.indexOf(":") + 1)];
      if (how === "run") return run(ports, line);
      // The line needs arguments: it is put into the composer to be completed.
      beginLine(ports, `${line} `);
    }
  }
}

/** Selects the choice under the mouse; false if there is none. */
export function selectChoiceAt(ports: Pick<Ports, "store">, at: { x: number; y: number }): boolean {
  const { screen } = ports.store;
  const popup = topPopup(screen);
  if (popup?.kind !== "picker") return false;
  const selected = choiceIn(popup, choicesIn(ports, popup), screen, at);
  if (selected === undefined) return false;
  ports.store.update((s) => popupChanged(s, (top) => (top.kind === "picker" ? { ...top, selected } : top)));
  return true;
}

const PAGE = 10;

export const popupActions = {
  goto: openGoto,
  palette: openPalette,
  help: openHelp,
  unsent: openUnsent,
  menu: openMenu,
  sidebarMenu: openSidebarMenu,
  theme: openThemes,
  keyFile: editKeys,
  quiet: openQuiet,
  notices: openLevels,
  tour: openTour,
  status: (ports) => beginLine(ports, "/status "),
  settings: (ports) => openSettings(ports),
  popupDown: popupStep(1),
  popupUp: popupStep(-1),
  popupPageDown: popupStep(PAGE),
  popupPageUp: popupStep(-PAGE),
  popupErase,
  popupClear,
  popupFavourite,
} satisfies Record<string, Action>;
