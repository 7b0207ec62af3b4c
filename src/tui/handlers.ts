/** What every action does: one row for each name of the action table, checked by the compiler. */
import type { ActionName } from "./keys/action-table.ts";
import { isAction } from "./keys/action-table.ts";
import { focused, sidebarToggled } from "./screen/moves.ts";
import type { Ports } from "./screen/ports.ts";
import * as messages from "./views/messages/actions.ts";
import * as opening from "./navigation/opening.ts";
import * as moving from "./views/messages/moving.ts";
import * as panel from "./views/panel/actions.ts";
import * as sidebar from "./views/sidebar/actions.ts";
import * as popups from "./views/popup/actions.ts";
import { runLine, submit } from "./views/composer/slash.ts";
import { VIEWS } from "./views/sidebar/places.ts";
import * as writing from "./views/composer/writing.ts";
import { attempt } from "./screen/telling.ts";

type Handler = (ports: Ports) => void;

const PAGE = 10;

function runNamed(ports: Ports, name: string): void {
  if (isAction(name)) HANDLERS[name](ports);
  else runLine(ports, name);
}

/** A panel that is no list of messages moves by rows while it has the keys. */
const step =
  (by: 1 | -1): Handler =>
  (ports) =>
    panel.scrollPanel(ports, by) || moving.step(by)(ports);
const page =
  (part: number): Handler =>
  (ports) =>
    panel.pagePanel(ports, part) || moving.page(part)(ports);

export const HANDLERS: Readonly<Record<ActionName, Handler>> = {
  goto: popups.openGoto,
  palette: popups.openPalette,
  help: popups.openHelp,
  inbox: popups.openInbox,
  drafts: popups.openDrafts,
  menu: popups.openMenu,
  popupDown: popups.popupStep(1),
  popupUp: popups.popupStep(-1),
  popupPageDown: popups.popupStep(PAGE),
  popupPageUp: popups.popupStep(-PAGE),
  popupAccept: (ports) => popups.popupAccept(ports, runNamed),
  popupErase: popups.popupErase,
  popupClear: popups.popupClear,

  nextUnread: opening.nextUnread,
  lastChannel: opening.lastChannel,
  previousChannel: sidebar.beside(-1),
  nextChannel: sidebar.beside(1),
  pinned1: opening.openPinned(1),
  pinned2: opening.openPinned(2),
  pinned3: opening.openPinned(3),
  pinned4: opening.openPinned(4),
  pinned5: opening.openPinned(5),
  pinned6: opening.openPinned(6),
  pinned7: opening.openPinned(7),
  pinned8: opening.openPinned(8),
  pinned9: opening.openPinned(9),
  escape: moving.escape,
  panel: panel.togglePanel,
  details: panel.togglePanelOf("details"),
  members: panel.togglePanelOf("members"),
  nextPane: moving.pane(1),
  previousPane: moving.pane(-1),
  sidebar: (ports) => ports.store.now(sidebarToggled),
  sidebarDown: sidebar.sidebarStep(1),
  sidebarUp: sidebar.sidebarStep(-1),
  sidebarFirst: sidebar.sidebarStep(-Number.MAX_SAFE_INTEGER),
  sidebarLast: sidebar.sidebarStep(Number.MAX_SAFE_INTEGER),
  sidebarOpen: (ports) => sidebar.sidebarOpen(ports, VIEWS),
  fold: sidebar.foldHere,
  browseDown: step(1),
  browseUp: step(-1),
  browseFirst: moving.end("first"),
  browseLast: moving.end("last"),
  halfPageUp: page(-0.5),
  halfPageDown: page(0.5),
  pageUp: page(-1),
  pageDown: page(1),
  dayBefore: moving.day(-1),
  dayAfter: moving.day(1),
  firstUnread: moving.firstUnread,

  markRead: messages.markRead,
  reply: messages.reply,
  quote: messages.quote,
  thread: messages.openThread,
  edit: messages.editIt,
  remove: messages.removeIt,
  drop: messages.drop,
  react: messages.react,
  reactFirst: messages.reactFirst,
  vote1: messages.choose(1),
  vote2: messages.choose(2),
  vote3: messages.choose(3),
  vote4: messages.choose(4),
  vote5: messages.choose(5),
  vote6: messages.choose(6),
  vote7: messages.choose(7),
  vote8: messages.choose(8),
  vote9: messages.choose(9),
  copy: messages.copy,
  copyId: messages.copyId,
  openLink: messages.openLink,
  full: messages.full,
  pin: messages.pin,
  markUnread: messages.markUnread,
  jump: messages.jump,
  write: (ports) => ports.store.now((s) => focused(s, "composer")),

  send: submit,
  newline: writing.edits("newline"),
  complete: writing.complete,
  completeAccept: writing.accept,
  completeNext: (ports) => writing.chooseCompletion(ports, 1),
  completePrevious: (ports) => writing.chooseCompletion(ports, -1),
  historyPrevious: (ports) => writing.history(ports, -1),
  historyNext: (ports) => writing.history(ports, 1),
  up: writing.up,
  down: writing.down,
  editLast: (ports) => {
    ports.store.now((s) => focused(s, "composer"));
    writing.editLast(ports);
  },
  externalEditor: writing.externalEditor,
  alsoChannel: writing.alsoChannel,
  left: writing.moves("left"),
  right: writing.moves("right"),
  wordLeft: writing.moves("wordLeft"),
  wordRight: writing.moves("wordRight"),
  lineStart: writing.moves("home"),
  lineEnd: writing.moves("end"),
  textStart: writing.moves("start"),
  textEnd: writing.moves("finish"),
  deleteLeft: writing.edits("backspace"),
  deleteRight: writing.edits("delete"),
  deleteWordLeft: writing.edits("killBlankLeft"),
  deleteWordRight: writing.edits("killWordRight"),
  killToStart: writing.edits("killToStart"),
  killToEnd: writing.edits("killToEnd"),
  yank: writing.edits("yank"),
  undo: writing.edits("undo"),
  redo: writing.edits("redo"),

  clear: writing.clearOrLeave,
  reconnect: (ports) => ports.core.reconnect(),
  redraw: (ports) => ports.terminal.redraw(),
  suspend: (ports) => attempt(ports, ports.terminal.suspend()),
  quit: (ports) => ports.terminal.quit(),
};
