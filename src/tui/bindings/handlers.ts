/** The table of all actions: one function per action name, checked by the compiler. */
import { chatPaths, needsArguments } from "../../commands/line.ts";
import { words } from "../../text/words.ts";
import { actionRow, isAction, type ActionName, type ScreenAction } from "../keys/action-table.ts";
import { composerCommand, composerCommandNames } from "../keys/composer-commands.ts";
import { openProfiles } from "../navigation/profiles.ts";
import { openJoinList } from "../navigation/join-list.ts";
import { splitOrClose } from "../navigation/halves.ts";
import { openChannelActions } from "../navigation/open-channel.ts";
import { navigationActions } from "./navigation.ts";
import type { Action, Ports } from "../ports/ports.ts";
import { isRefusedHere } from "../ports/refused-here.ts";
import { withFocus } from "../screen/transitions.ts";
import { paneResized } from "../screen/panes.ts";
import { panelHandler } from "../ports/panels.ts";
import { quitProgram } from "../ports/quit.ts";
import { takeBack } from "../ports/take-back.ts";
import { attempt, showNotice } from "../screen/notices.ts";
import { composerActions } from "../views/composer/actions.ts";
import { beginNormal } from "../views/composer/vim.ts";
import { stopExtension } from "../views/composer/extensions.ts";
import { beginLine, escapeBox } from "../views/composer/text-actions.ts";
import { runLine } from "../views/composer/enter-command.ts";
import { campaignActions } from "../views/campaigns/actions.ts";
import { filesActions } from "../views/files/actions.ts";
import { reminderActions } from "../views/lists/reminders.ts";
import { showHints } from "../views/messages/hint-letters.ts";
import { showBlocked } from "../views/moderation/person-menu.ts";
import { rangeActions } from "../views/messages/range-actions.ts";
import { sharingActions } from "../views/map/share-location.ts";
import { messageActions } from "../views/messages/actions.ts";
import { escape, cyclePane, selectMessage } from "../views/messages/navigation.ts";
import { togglePanel } from "../views/details/details.ts";
import { pollFormActions } from "../views/poll/actions.ts";
import { pictureActions } from "../views/picture/actions.ts";
import { pollActions } from "../views/poll/card.ts";
import { popupAccept, popupActions } from "../views/popup/actions.ts";
import { inFocusedLine } from "../views/panel/line.ts";
import { searchActions } from "../views/search/actions.ts";
import { inTopForm } from "../views/forms/actions.ts";
import {
  editChannel,
  inviteForm,
  leaveChannel,
  loginForm,
  newChannel,
  editProfile,
  newConversation,
} from "../views/forms/open-form.ts";
import { openPastNotices } from "../views/status/past-notices.ts";
import { sidebarActions } from "../views/sidebar/actions.ts";

/** Whether a line cannot run without arguments. */
function isIncomplete(line: string): boolean {
  const name = line.slice(1);
  const own = composerCommandNames.find((one) => one === name);
  return own
    ? composerCommand(own).needsArguments === true
    : chatPaths().includes(name) && needsArguments(name);
}

/** Runs an action or command line chosen from a list, such as the palette; a line that needs arguments is put into the composer. */
export function runChoice(ports: Ports, name: string): void {
  if (isAction(name)) {
    // A message action chosen from the composer applies to the message under the cursor, else to the newest, which it selects.
    if (
      actionRow(name).contexts.every((context) => context === "browse") &&
      ports.store.screen.focus === "composer"
    ) {
      ports.store.update((s) => withFocus(s, "messages"));
      selectMessage(ports);
    }
    handlerOf(name)(ports);
  } else if (isIncomplete(name)) beginLine(ports, `${name} `);
  else runLine(ports, name);
}

const resizePane =
  (by: number) =>
  ({ store }: Ports): void =>
    store.update((s) => paneResized(s, store.get().layout, by));

export const HANDLERS: Readonly<Record<ScreenAction, Action>> = {
  ...openChannelActions,
  ...navigationActions,
  ...sidebarActions,
  ...messageActions,
  hints: showHints,
  blocked: showBlocked,
  ...reminderActions,
  ...rangeActions({ ...messageActions, ...reminderActions }),
  panel: togglePanel,
  ...inFocusedLine(composerActions),
  ...searchActions,
  ...inTopForm(pollFormActions),
  newChannel,
  joinChannel: openJoinList,
  writeTo: newConversation,
  leaveChannel,
  editChannel,
  invitePeople: inviteForm,
  ownProfile: editProfile,
  ...pollActions,
  ...popupActions,
  ...filesActions,
  ...pictureActions,
  ...campaignActions,
  ...sharingActions,
  popupAccept: (ports) => popupAccept(ports, runChoice),
  escape: (ports) => {
    if (!stopExtension(ports) && !beginNormal(ports) && !escapeBox(ports)) escape(ports);
  },
  wider: resizePane(2),
  narrower: resizePane(-2),
  usualWidths: ({ store }) => store.update((s) => ({ ...s, panes: {} })),
  split: splitOrClose,
  nextPane: cyclePane(1),
  previousPane: cyclePane(-1),
  takeBack: (ports) => {
    if (!takeBack(ports)) showNotice(ports, words.notices.nothingToUndo);
  },
  closeNotice: ({ core, store }) => {
    const newest = store.state.notices.at(-1);
    if (newest) core.dismiss(newest.id);
    store.update((s) => s);
  },
  pastNotices: openPastNotices,
  reconnect: ({ core }) => core.reconnect(),
  redraw: ({ core, store, terminal, pictures }) => {
    store.screen.notLoaded?.retry();
    const { phase, transport } = store.state.link;
    if (phase !== "open" || transport === "longpoll") core.reconnect();
    pictures.redrawAll();
    terminal.redraw();
  },
  suspend: (ports) => attempt(ports, ports.terminal.suspend()),
  quit: quitProgram,
  profiles: openProfiles,
  login: loginForm,
};

/** What an action of the screen or of a panel does. */
export const handlerOf =
  (name: ActionName): Action =>
  (ports) => {
    if (!isRefusedHere(ports, name)) (HANDLERS[name as ScreenAction] ?? panelHandler(name)!)(ports);
  };
