/** The table of all actions, for key bindings, the palette, hints and help. */
import { numbered } from "./numbered.ts";

/** The context in which an action applies; `global` is everywhere except in a popup. */
export type ScreenContext =
  | "global"
  | "write"
  | "normal"
  | "complete"
  | "browse"
  | "sidebar"
  | "popup"
  | "chooseFiles"
  | "form";

/** A place of keys: one of the screen, or the kind of a panel (ports/panels.ts). */
export type KeyContext = ScreenContext | (string & {});

export interface ActionRow {
  /** Description for help and the palette. */
  readonly title: string;
  readonly contexts: readonly KeyContext[];
  /** One or two words for the hint line; absent = not shown there. */
  readonly hint?: string;
  /** Further words by which it is found. */
  readonly keywords?: string;
  /** Not offered in the palette: it only makes sense as a key. */
  readonly keyOnly?: true;
  /** What its letter would do while browsing (bindings/letter-kinds.ts), if not only show something. */
  readonly letter?: "moves" | "outside" | "others";
  /** Not hinted on a read-only screen. */
  readonly changes?: true;
  /** The name it had before, which key files may still use. */
  readonly former?: string;
}

const row = (
  title: string,
  context: KeyContext | readonly KeyContext[],
  options: Pick<ActionRow, "hint" | "keywords"> = {},
): ActionRow => ({ title, contexts: typeof context === "string" ? [context] : context, ...options });
const key = (title: string, context: KeyContext | readonly KeyContext[], hint?: string): ActionRow => ({
  ...row(title, context, hint === undefined ? {} : { hint }),
  keyOnly: true,
});

/** Where the keys of navigation move through messages or lines. */
const LISTS: readonly KeyContext[] = ["browse", "sidebar", "popup"];

export const ACTIONS = {
  goto: row("Go to a channel, person or view", "global", { hint: "go", keywords: "switch jump open" }),
  palette: row("Choose an action or a command", "global", { keywords: "commands actions" }),
  help: row("Show the keys", "global", {
    hint: "help",
    keywords: "help shortcuts keybindings hotkeys guide commands cheatsheet manual",
  }),
  nextUnread: row("Next unread channel, mentions first", "global", { hint: "unread" }),
  lastChannel: row("Back to the previous channel", "global", { keywords: "previous last" }),
  previousChannel: row("Channel above", "global", { keywords: "previous up" }),
  nextChannel: row("Channel below", "global", { keywords: "next down" }),
  ...numbered("pinned", (n) => row(`Pinned channel ${n}`, "global")),
  attach: row("Attach files to the message", "global", {
    hint: "attach",
    keywords: "file upload picture image photo screenshot document send",
  }),
  pasteClipboard: row("Paste from the clipboard: a picture, files or text", "global", {
    keywords: "paste image",
  }),
  openDue: row("Open the message of a due reminder, else Later", "global"),
  newChannel: row("Create a channel", "global", { keywords: "new make group room" }),
  joinChannel: row("Join a channel: a list of open ones", "global", {
    keywords: "become a member browse discover channels list",
  }),
  writeTo: row("Write to somebody", "global", {
    keywords: "dm direct message person someone chat pm private whisper",
  }),
  leaveChannel: row("Leave this channel (asks)", ["sidebar", "global"], {
    keywords: "part unsubscribe member",
  }),
  editChannel: row("Name, topic and picture of this channel", "global", {
    keywords: "rename description title",
  }),
  invitePeople: row("Add people to this channel", "global", { keywords: "invite" }),
  ownProfile: row("Your name, status and picture", "global", {
    keywords: "avatar my profile nickname display",
  }),
  profiles: row("Go to another profile", "global", {
    keywords: "account switch profile log out logout sign workspace server team organisation",
  }),
  login: row("Sign in to a provider: another one, or this one again", "global", {
    keywords: "login log account add token hosted",
  }),
  newPoll: row("Poll: make one, with question, options and rules", "global", { keywords: "new survey" }),
  shareLocation: row("Share my location: a place, or live for a while", "global", {
    keywords: "map where position gps",
  }),
  moveLocation: row("Move the location I share: say where I am now", "global", {
    keywords: "map position update",
  }),
  stopLocation: row("Stop sharing my location", ["global", "browse"], {
    hint: "stop",
    keywords: "map live end",
  }),
  unsent: row("Unsent: what has not reached the provider yet", "global", {
    keywords: "outbox not sent pending",
  }),
  panel: row("Open or close the right panel", "global", { hint: "panel" }),
  split: row("Split: a second channel beside this one, or close the half without the focus", "global", {
    hint: "close it",
    keywords: "halves two columns side by side window pane conversation unsplit",
  }),
  nextPane: key("Next pane, or the other half", "global", "other half"),
  previousPane: key("Previous pane", "global"),
  sidebar: row("Show or hide the sidebar", "global", { keywords: "channels list collapse" }),
  wider: row("Widen the sidebar, or the panel beside the messages", "global", {
    keywords: "wider resize width pane bigger",
  }),
  narrower: row("Narrow the sidebar, or the panel beside the messages", "global", {
    keywords: "narrower smaller resize width pane",
  }),
  usualWidths: row("Reset the widths of all panes", "global", {
    keywords: "resize reset width",
  }),
  blocked: row("Blocked people: see and unblock them", "global", { keywords: "block ignore" }),
  markRead: row("Mark this channel read", ["sidebar", "global"], { keywords: "read seen as" }),
  takeBack: row("Undo the last pin, reaction or delete, for ten seconds", "global", {
    keywords: "take back",
  }),
  closeNotice: row("Close the newest notice", "global", { keywords: "dismiss notification" }),
  pastNotices: row("Notices: read the last ones again", "global", {
    keywords: "notifications messages errors toasts history log again",
  }),
  reconnect: row("Reconnect now", "global", { keywords: "reconnect retry online" }),
  redraw: row("Redraw the screen", "global", { keywords: "redraw refresh repaint reload clear" }),
  clear: key("Clear the box, or copy what is selected in it; twice on an empty one quits", "global"),
  suspend: row("Suspend to the shell", "global", { keywords: "background" }),
  quit: row("Quit Parley", "global", { keywords: "leave exit close bye" }),
  theme: row("Theme: choose the colours", "global", {
    keywords: "colours colors dark light mode contrast night",
  }),
  quiet: row("Do not disturb: pause notifications for a time, or resume them", "global", {
    keywords: "dnd silence quiet notifications snooze silence busy focus alerts",
  }),
  notices: row("Notifications for this channel: all, mentions or none", ["sidebar", "global"], {
    keywords: "notifications notify level mute alerts level loud",
  }),
  campaigns: row("Campaigns: watch one, stop or resume it", ["global", "campaign"], {
    hint: "list",
    keywords: "bulk broadcast newsletter secret",
  }),
  tour: row("Two-minute tour: things to try, ticked as you do them", "global", {
    keywords: "learn tutorial begin newcomer guide introduction",
  }),
  status: row("Status: shown to others beside your name", "global", {
    keywords: "away lunch afk busy",
  }),
  keyFile: row("Your own keys: edit their file in $EDITOR", "global", {
    keywords: "rebind keybindings shortcuts bind keymap",
  }),
  pictures: row("Pictures: draw them, as half blocks, or not at all", "global", {
    keywords: "images photos thumbnails gif",
  }),
  settings: row("Settings: see and change them", "global", {
    keywords: "preferences options configuration config",
  }),
  escape: key("Close, or switch between writing and browsing", ["global", "popup", "complete"], "browse"),

  send: key("Send", "write", "send"),
  sendLater: row("Send it later: schedule the message", "write", { keywords: "schedule delay" }),
  sendSilently: row("Send it silently: it notifies nobody", "write", {
    keywords: "silent quiet without ping mention notification",
  }),
  scheduled: row("Scheduled messages", "global", { keywords: "schedule scheduled" }),
  newline: key("New line", "write", "newline"),
  complete: key("Complete the word, or go to the next pane", "write"),
  historyPrevious: key("Previous entry in the history", "write"),
  historyNext: key("Next entry in the history", "write"),
  up: key("Line above; in an empty box, edit my last message", "write"),
  down: key("Line below", "write"),
  editLast: row("Edit my last message", "write", { keywords: "correct fix" }),
  externalEditor: row("Write in $EDITOR", "write", {
    hint: "$EDITOR",
    keywords: "multiline long vim emacs nano newline multi-line",
  }),
  takeOff: row("Remove a file or a link preview", "write", {
    hint: "detach",
    keywords: "cancel upload take off dismiss card",
  }),
  recordVoice: row("Record a voice message", "write", {
    hint: "record",
    keywords: "voice audio sound microphone speak dictate memo",
  }),
  attachPasted: row("Attach the path in the text", "write", {
    keywords: "pasted path dropped upload file",
  }),
  retryUpload: row("Retry a failed upload", "write", { hint: "retry", keywords: "file try again" }),
  alsoChannel: row("Thread reply: also show it in the channel", "write"),
  preview: row("Preview: show what I write as others will see it, on or off", "write", {
    keywords: "markdown rendered formatting bold italic format",
  }),
  linkPreviews: row("Link previews of this message: on or off", "write", {
    hint: "previews",
    keywords: "unfurl cards remove dismiss",
  }),
  left: key("Left", "write"),
  right: key("Right", "write"),
  wordLeft: key("A word to the left", "write"),
  wordRight: key("A word to the right", "write"),
  lineStart: key("To the start of the line", "write"),
  lineEnd: key("To the end of the line", "write"),
  textStart: key("To the start of the text", "write"),
  textEnd: key("To the end of the text", "write"),
  selectLeft: key("Select a character to the left", "write"),
  selectRight: key("Select a character to the right", "write"),
  selectWordLeft: key("Select a word to the left", "write"),
  selectWordRight: key("Select a word to the right", "write"),
  selectLineStart: key("Select to the start of the line", "write"),
  selectLineEnd: key("Select to the end of the line", "write"),
  selectTextStart: key("Select to the start of the text", "write"),
  selectTextEnd: key("Select to the end of the text", "write"),
  selectUp: key("Select to the line above", "write"),
  selectDown: key("Select to the line below", "write"),
  deleteLeft: key("Delete the character before the cursor", "write"),
  deleteRight: key("Delete the character under the cursor", "write"),
  deleteWordLeft: key("Delete the word before the cursor", "write"),
  deleteWordRight: key("Delete the word after the cursor", "write"),
  killToStart: key("Delete to the start of the line", "write"),
  killToEnd: key("Delete to the end of the line", "write"),
  yank: key("Put back what was deleted", "write"),
  undo: key("Undo; with no text to undo, the last pin, reaction or delete", "write"),
  redo: key("Redo", "write"),

  lineDown: key("The message or line below", LISTS, "down"),
  lineUp: key("The message or line above", LISTS, "up"),
  firstLine: row("Oldest message, or the first line", LISTS, { keywords: "top first beginning start" }),
  lastLine: row("Newest message, or the last line loaded so far", LISTS, {
    keywords: "bottom latest last end down",
  }),
  pageUp: key("A page up", ["write", ...LISTS]),
  pageDown: key("A page down", ["write", ...LISTS]),
  halfPageUp: key("Half a page up", LISTS),
  halfPageDown: key("Half a page down", LISTS),

  vimLeft: key("Left", "normal"),
  vimRight: key("Right", "normal"),
  vimUp: key("Row above", "normal"),
  vimDown: key("Row below", "normal"),
  vimWord: key("To the next word", "normal"),
  vimBack: key("To the previous word", "normal"),
  vimWordEnd: key("To the end of the word", "normal"),
  vimLineStart: key("To the start of the line", "normal"),
  vimFirstLetter: key("To the first letter of the line", "normal"),
  vimLineEnd: key("To the end of the line", "normal"),
  vimTextStart: key("To the first line, or to the line of the count", "normal"),
  vimTextEnd: key("To the last line, or to the line of the count", "normal"),
  vimFind: key("To the next such character in the line", "normal"),
  vimTill: key("Before the next such character in the line", "normal"),
  vimFindBack: key("To the previous such character", "normal"),
  vimTillBack: key("After the previous such character", "normal"),
  vimAgain: key("Repeat the search for the character", "normal"),
  vimAgainBack: key("Repeat it in the other direction", "normal"),
  vimDelete: key(
    'Delete: a motion or an object follows (w, $, iw, a", i()); twice a line',
    "normal",
    "delete",
  ),
  vimChange: key("Change: delete in the same way, then write", "normal", "change"),
  vimYank: key("Copy in the same way", "normal", "copy"),
  vimErase: key("Delete the character", "normal"),
  vimEraseLeft: key("Delete the previous character", "normal"),
  vimDeleteToEnd: key("Delete to the end of the line", "normal"),
  vimChangeToEnd: key("Change to the end of the line", "normal"),
  vimChangeLetter: key("Change the character", "normal"),
  vimChangeLine: key("Change the line", "normal"),
  vimYankLine: key("Copy the line", "normal"),
  vimPut: key("Paste deleted or copied text after the cursor", "normal", "put"),
  vimPutBefore: key("Paste it before the cursor", "normal"),
  vimReplace: key("Replace the character", "normal"),
  vimOtherCase: key("Switch between upper and lower case", "normal"),
  vimJoin: key("Join with the line below", "normal"),
  vimInsert: key("Write here; after an operator: inside an object", "normal", "write"),
  vimAppend: key("Write after the cursor; after an operator: around an object", "normal"),
  vimInsertFirst: key("Write before the first letter of the line", "normal"),
  vimAppendLast: key("Write at the end of the line", "normal"),
  vimOpenBelow: key("Write in a new line below; in a selection, go to its other end", "normal"),
  vimOpenAbove: key("Write in a new line above", "normal"),
  vimVisual: key("Select: motions extend it, d c y p ~ r J act on it; again ends it", "normal", "select"),
  vimVisualLines: key("Select whole lines", "normal"),
  vimRepeat: key("Repeat the last change", "normal", "again"),
  vimUndo: key("Undo", "normal", "undo"),
  vimRedo: key("Redo", "normal"),

  completeAccept: key("Accept the completion", "complete", "complete"),
  completeEnter: key("Run the command as written, else accept the completion", "complete"),
  completeNext: key("Next completion", "complete", "next"),
  completePrevious: key("Previous completion", "complete"),

  dayBefore: row("Previous day", "browse", { keywords: "day before" }),
  dayAfter: row("Next day", "browse", { keywords: "day after" }),
  firstUnread: row("First unread message", "browse"),
  reply: row("Reply in a thread; retry a failed message", "browse", {
    hint: "reply",
    keywords: "answer respond thread",
  }),
  quote: row("Quote", "browse", { hint: "quote", keywords: "cite" }),
  openMessage: key("Open the thread, or go to the quoted message", "browse", "thread"),
  thread: row("Open the thread", "browse", { hint: "thread" }),
  edit: row("Edit my message", "browse", { hint: "edit" }),
  drop: row("Drop an unsent message", "browse"),
  react: row("React with an emoji", "browse", {
    hint: "react",
    keywords: "reaction emoji like thumbs heart sticker smiley up upvote",
  }),
  reactFirst: row("Add or remove the first reaction", "browse", { keywords: "reaction" }),
  ...numbered("vote", (n) => {
    const more = n === 1 ? " of the poll, or take the vote back; button 1 of a preview" : `; button ${n}`;
    return key(`Vote for option ${n}${more}`, "browse", `vote ${n}`);
  }),
  copy: row("Copy the text", "browse", { hint: "copy", keywords: "clipboard yank" }),
  copyLink: row("Copy the address of the message", "browse", { keywords: "permalink link url" }),
  copyId: row("Copy the message id", "browse"),
  forward: row("Forward to a channel or a person", "browse", { hint: "forward", keywords: "share send on" }),
  about: row("Who reacted, who read it, and its earlier versions", "browse", {
    hint: "who",
    keywords: "reactions readers seen delivered edits history receipts versions",
  }),
  reveal: row("Show or hide the spoilers", "browse", { keywords: "hidden" }),
  translate: row("Translate, or show the original", "browse", { keywords: "translation language" }),
  flag: row("Report the message to the moderators", "browse", { keywords: "flag spam abuse" }),
  person: row("Its author: write, mute, block, report, ban", "browse", {
    keywords: "person user ban unban unmute whois kick timeout moderate",
  }),
  selectRange: row("Select several messages: j and k select more", "browse", {
    hint: "several",
    keywords: "range mark multiple",
  }),
  playSound: row("Play a voice message or an audio file, or stop it", "browse", {
    hint: "play",
    keywords: "listen sound audio music recording stop",
  }),
  openLink: row("Open a link or a file in the message", "browse", {
    hint: "open",
    keywords: "attachment url browser",
  }),
  saveFile: row("Save a file from the message", "browse", { hint: "save", keywords: "download attachment" }),
  full: row("View in the panel: its picture or map, else its full text", "browse", {
    hint: "view",
    keywords: "image photo full map location",
  }),
  pin: row("Pin or unpin the message", "browse", { hint: "pin", keywords: "stick" }),
  markUnread: row("Mark unread from here", "browse", { hint: "unread", keywords: "later" }),
  save: row("Save for later, or remove it from Later", "browse", {
    hint: "later",
    keywords: "bookmark star",
  }),
  remind: row("Remind me at a time, or move the reminder", "browse", {
    hint: "remind",
    keywords: "reminder",
  }),
  pollVote: row("Poll: vote, or change my vote", "browse", { keywords: "vote" }),
  pollOption: row("Poll: add an option", "browse"),
  pollComment: row("Poll: add a comment", "browse"),
  pollVoters: row("Poll: who voted, in the panel", "browse"),
  pollEnd: row("Poll: end it (asks)", "browse", { keywords: "close finish" }),
  menu: row("All actions for the message", "browse", { hint: "more", keywords: "menu actions" }),
  hints: row("Hint letters: type them to press a link, file, button or message", "browse", {
    hint: "hints",
    keywords: "hints press click links letters",
  }),
  remove: row("Delete the message; can be undone for ten seconds", "browse", {
    hint: "delete",
    keywords: "remove",
  }),
  removeForMe: row("Delete for me only", "browse", { keywords: "remove hide" }),
  removeForGood: row("Delete the message for good (asks)", "browse", {
    keywords: "remove hard erase",
  }),
  jump: row("Jump to a date, a message id or its address, or :search", "browse", {
    hint: "jump",
    keywords: "calendar go",
  }),
  write: key("Back to writing", "browse"),
  writeCommand: key("Write a command", "browse", "command"),

  nextFound: row("Next result of the search", "browse", {
    hint: "next found",
    keywords: "found match message",
  }),
  previousFound: row("Previous result of the search", "browse", { keywords: "previous found match" }),
  jumpBack: row("Back to where I jumped from", "browse", { hint: "back", keywords: "return" }),

  sidebarOpen: key("Open", "sidebar", "open"),
  fold: key("Fold or unfold the group", "sidebar", "fold"),
  sidebarFilter: row("Filter the channels, by part of their name", ["sidebar", "global"], {
    hint: "find",
    keywords: "find sidebar",
  }),
  unreadOnly: row("Only unread channels in the list, or all again", ["sidebar", "global"], {
    hint: "unread",
    keywords: "filter sidebar hide read",
  }),
  filterErase: key("Delete a letter of the filter of the list", "sidebar"),
  filterClear: key("Clear the filter of the list", "sidebar"),
  section: row("Put the channel in a section of the list", ["sidebar", "global"], {
    hint: "section",
    keywords: "group folder category sidebar",
  }),
  pinChannel: row("Pin the channel in my list, or unpin it", ["sidebar", "global"], {
    keywords: "favourite favorite star unpin top sidebar",
  }),
  muteChannel: row("Mute this channel, or unmute it", ["sidebar", "global"], {
    keywords: "unmute silence",
  }),
  archiveChannel: row("Archive the channel for me, or unarchive it", ["sidebar", "global"], {
    keywords: "unarchive hide sidebar",
  }),
  channelUp: row("Move the channel up in the list", ["sidebar", "global"], {
    keywords: "sort order sidebar",
  }),
  channelDown: row("Move the channel down in the list", ["sidebar", "global"], {
    hint: "move",
    keywords: "sort order sidebar",
  }),
  sidebarMenu: key("All actions for the channel in the list", "sidebar", "more"),

  popupAccept: key("Choose", "popup", "choose"),
  popupErase: key("Delete a character", "popup"),
  popupClear: key("Clear what was typed", "popup"),
  popupFavourite: key("Pin the emoji to the top of the list, or unpin it", "popup", "favourite"),

  filesTake: key(
    "Attach the marked files, or the one under the cursor; open a folder",
    "chooseFiles",
    "attach",
  ),
  filesMark: key("Mark or unmark a file, or all that match a pattern such as *.png", "chooseFiles", "mark"),
  filesComplete: key("Complete the name", "chooseFiles", "complete"),
  filesInto: key("Open the folder", "chooseFiles", "open folder"),
  filesAbove: key("The folder above", "chooseFiles", "folder above"),
  filesErase: key("Delete a character; on an empty line, go to the folder above", "chooseFiles"),
  formNext: key("Field below", "form", "next"),
  formComplete: key("Complete the name, else go to the field below", "form"),
  formPrevious: key("Field above", "form"),
  formEnter: key("Next field; toggle a switch; press a button", "form"),
  formCreate: key("Create the poll", "form", "create"),
  formOptionUp: key("Move the option up", "form"),
  formOptionDown: key("Move the option down", "form", "move option"),
  formOptionRemove: key("Remove the option", "form", "remove option"),
  formLeft: key("Left in the text; toggle a switch", "form"),
  formRight: key("Right in the text; toggle a switch", "form"),
  formStart: key("To the start of the field", "form"),
  formEnd: key("To the end of the field", "form"),
  formErase: key("Delete the character before the cursor in the field", "form"),
  formDelete: key("Delete the character under the cursor in the field", "form"),
  formEraseWord: key("Delete the word before the cursor in the field", "form"),
  formClear: key("Delete to the start of the field", "form"),
} as const satisfies Record<string, ActionRow>;

export type ScreenAction = keyof typeof ACTIONS;
/** An action of the screen, or one of a panel: `<kind>.<action>`. */
export type ActionName = ScreenAction | `${string}.${string}`;

const rows = new Map<string, ActionRow>(Object.entries(ACTIONS));

/** All names in the order of the palette: after the two ways to everything come those that open a panel. */
export const actionNames = [...rows.keys()] as ActionName[];

function orderNames(): void {
  const names = [...rows.keys()] as ActionName[];
  const first: readonly ActionName[] = ["goto", "palette"];
  const opening = names.filter((name) => name.includes(".") && !actionRow(name).keyOnly);
  const others = names.filter((name) => !first.includes(name) && !opening.includes(name));
  actionNames.splice(0, actionNames.length, ...first, ...opening, ...others);
}

/** Adds the actions of a panel, and its keys' place to those of the screen that they name; returns how to remove them. */
export function addActions(
  place: string,
  own: Readonly<Record<string, ActionRow>>,
  bound: Iterable<string>,
): () => void {
  const before = new Map(rows);
  for (const [name, row] of Object.entries(own)) rows.set(name, row);
  for (const name of bound) {
    const row = rows.get(name);
    if (row && !row.contexts.includes(place)) rows.set(name, { ...row, contexts: [...row.contexts, place] });
  }
  orderNames();
  return () => {
    rows.clear();
    for (const [name, row] of before) rows.set(name, row);
    orderNames();
  };
}

/** Each kind of list once had navigation actions of its own; key files may still name them. */
const FORMER_NAVIGATION =
  /^(?:browse|fileList|list|member|popup|search|sidebar)(Down|Up|First|Last|PageDown|PageUp)$/;

const NAVIGATION: Readonly<Record<string, ActionName>> = {
  Down: "lineDown",
  Up: "lineUp",
  First: "firstLine",
  Last: "lastLine",
  PageDown: "pageDown",
  PageUp: "pageUp",
};

/** The present name of an action that a key file names. */
export const currentName = (name: string): string =>
  NAVIGATION[FORMER_NAVIGATION.exec(name)?.[1] ?? ""] ??
  actionNames.find((one) => rows.get(one)?.former === name) ??
  name;

export const isAction = (name: string): name is ActionName => rows.has(name);

export const actionRow = (name: ActionName): ActionRow => rows.get(name)!;
