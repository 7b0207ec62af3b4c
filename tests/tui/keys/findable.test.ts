/** Every action that can be chosen is found in the palette and in the help by words a person would type. */
import { expect, test } from "vitest";
import { actionNames, actionRow, type ActionName } from "../../../src/tui/keys/action-table.ts";
import { KEY_TABLES } from "../../../src/tui/bindings/key-tables.ts";
import { filterChoices } from "../../../src/tui/screen/filter-choices.ts";
import { paletteChoices } from "../../../src/tui/views/popup/palette.ts";
import { helpLines } from "../../../src/tui/views/popup/rows.ts";

/** Words typed by somebody who does not know the titles of the actions. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  goto: ["switch channel", "go to"],
  palette: ["commands"],
  "search.show": ["search", "find"],
  help: ["help", "shortcuts"],
  nextUnread: ["unread", "next unread"],
  lastChannel: ["back"],
  previousChannel: ["previous channel"],
  nextChannel: ["next channel"],
  attach: ["attach", "upload", "file"],
  pasteClipboard: ["paste", "clipboard"],
  "inbox.show": ["inbox", "mentions", "mark all read"],
  "threads.show": ["threads"],
  "later.show": ["later", "bookmarks", "reminders"],
  "drafts.show": ["drafts"],
  "pins.show": ["pinned messages", "pins"],
  openDue: ["due"],
  newChannel: ["new channel", "create channel"],
  joinChannel: ["join"],
  writeTo: ["dm", "direct message"],
  leaveChannel: ["leave channel"],
  editChannel: ["topic", "rename"],
  invitePeople: ["invite", "add people"],
  ownProfile: ["avatar", "my profile", "your name"],
  profiles: ["account", "switch account"],
  login: ["login", "sign in", "log in"],
  newPoll: ["poll", "survey"],
  shareLocation: ["location", "where"],
  moveLocation: ["move location", "where i am"],
  stopLocation: ["stop sharing"],
  unsent: ["unsent", "not sent"],
  panel: ["panel"],
  "details.show": ["details", "info"],
  "members.show": ["members", "people", "who"],
  "files.show": ["files", "downloads"],
  "links.show": ["links", "urls"],
  split: ["split", "side by side", "halves"],
  sidebar: ["sidebar"],
  wider: ["wider", "resize"],
  narrower: ["narrower", "resize"],
  usualWidths: ["reset width"],
  blocked: ["block", "unblock"],
  pinChannel: ["pin channel", "favourite", "star"],
  archiveChannel: ["archive", "unarchive"],
  muteChannel: ["mute", "unmute"],
  unreadOnly: ["only unread", "hide read"],
  markRead: ["mark read", "read"],
  takeBack: ["undo", "take back"],
  closeNotice: ["close notice", "dismiss"],
  pastNotices: ["notices", "messages", "toasts"],
  reconnect: ["reconnect", "connect"],
  redraw: ["redraw", "refresh"],
  suspend: ["suspend", "shell"],
  quit: ["quit", "exit", "leave"],
  theme: ["theme", "dark", "colours", "colors"],
  quiet: ["do not disturb", "dnd", "silence"],
  notices: ["notifications", "mute channel"],
  campaigns: ["campaign", "newsletter"],
  tour: ["tour", "tutorial"],
  status: ["status", "away"],
  keyFile: ["rebind", "keybindings"],
  pictures: ["pictures", "images"],
  settings: ["settings", "preferences", "options"],
  sendLater: ["schedule", "send later"],
  sendSilently: ["silent", "without notification"],
  scheduled: ["scheduled"],
  editLast: ["edit"],
  externalEditor: ["editor"],
  takeOff: ["remove file", "take off"],
  attachPasted: ["pasted path", "dropped"],
  retryUpload: ["retry", "try again"],
  alsoChannel: ["also"],
  preview: ["preview", "markdown"],
  linkPreviews: ["link previews", "unfurl"],
  firstLine: ["oldest"],
  lastLine: ["newest"],
  dayBefore: ["previous day", "day before"],
  dayAfter: ["next day", "day after"],
  firstUnread: ["first unread"],
  reply: ["reply", "answer"],
  quote: ["quote"],
  thread: ["open thread"],
  edit: ["edit"],
  remove: ["delete", "remove"],
  removeForMe: ["delete for me"],
  removeForGood: ["delete for good", "erase"],
  drop: ["drop"],
  react: ["react", "emoji", "reaction"],
  reactFirst: ["first reaction"],
  copy: ["copy"],
  copyLink: ["copy link", "permalink"],
  copyId: ["message id"],
  forward: ["forward", "share"],
  about: ["who read", "who reacted", "history"],
  reveal: ["spoilers"],
  translate: ["translate"],
  flag: ["report", "spam"],
  person: ["ban", "author"],
  selectRange: ["select", "several"],
  openLink: ["open link"],
  playSound: ["play", "listen"],
  recordVoice: ["record", "voice message"],
  saveFile: ["download", "save file"],
  full: ["full", "photo"],
  pin: ["pin"],
  markUnread: ["mark unread", "unread"],
  save: ["save", "bookmark"],
  remind: ["remind"],
  pollVote: ["vote"],
  pollOption: ["add option"],
  pollComment: ["comment"],
  pollVoters: ["who voted"],
  pollEnd: ["end poll", "close poll"],
  menu: ["menu"],
  hints: ["hints", "letters"],
  jump: ["jump", "date"],
  nextFound: ["next result", "next message"],
  previousFound: ["previous found"],
  jumpBack: ["back to where"],
  sidebarFilter: ["filter"],
  section: ["section", "folder"],
  channelUp: ["move channel up"],
  channelDown: ["move channel down"],
};

const offered = (Object.keys(WORDS) as ActionName[]).flatMap((name) =>
  WORDS[name]!.map((words): [string, ActionName] => [words, name]),
);

/** How many results a person reads before trying another word. */
const LOOKED_AT = 8;

test("the table has every action that can be chosen", () => {
  const chosen = actionNames.filter((name) => !actionRow(name).keyOnly && !/^(pinned|vote)\d$/.test(name));
  expect(Object.keys(WORDS).toSorted()).toEqual(chosen.toSorted());
});

test("the palette lists each action near the top for its words, from the box and while browsing", () => {
  for (const contexts of [
    ["write", "global", "browse"],
    ["browse", "global", "write"],
  ] as const) {
    const choices = paletteChoices(KEY_TABLES.default, contexts);
    const missed = offered.filter(([words, name]) => {
      const first = filterChoices(choices, words).slice(0, LOOKED_AT);
      return !first.some(({ runs }) => runs === name);
    });
    expect(missed).toEqual([]);
  }
});

/** Words from other chat programs that match no action → the start of the entry that explains them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  kick: "Its author",
  "remove member": "/member remove",
  op: "Moderators and roles",
  voice: "Calls and recording",
  "voice message": "Calls and recording",
  call: "Calls and recording",
  font: "Fonts and text size",
  zoom: "Fonts and text size",
  compact: "Fonts and text size",
  password: "Parley stores no password",
  "delete account": "Parley stores no password",
  export: "Export, backup",
  version: "Version, updates",
  bug: "Version, updates",
  webhook: "Bots, webhooks",
  "word filter": "Bots, webhooks",
  language: "The screen is in English",
  "@everyone": "Mentions are by name",
  "slow mode": "Slow mode",
  "clear history": "Messages cannot be cleared",
  bold: "Text is formatted",
  giphy: "GIFs come from",
  "read only": "Read-only mode",
  vim: "/settings keys",
  mouse: "/settings mouse",
  sound: "/settings notifications",
  bell: "/settings notifications.route",
  "time format": "/settings time.format",
  "24 hour": "/settings time.format",
  timezone: "/settings utc",
  "date format": "/settings time.date",
  "read receipts": "/settings readOn",
  typing: "/settings typing",
  keyword: "/settings notifications.words",
  "screen reader": "/settings plain",
  "mark as read": "Mark this channel read",
  "thumbs up": "React with an emoji",
  outbox: "Unsent",
  workspace: "Go to another profile",
  "sign out": "Go to another profile",
  discover: "Join a channel",
  description: "Name, topic and picture",
};

test("the palette finds the words of other chat programs and settings, and says what to do instead of missing features", () => {
  const choices = paletteChoices(KEY_TABLES.default, ["write", "global", "browse"]);
  const missed = Object.entries(ELSEWHERE).filter(([typed, wanted]) => {
    const first = filterChoices(choices, typed).slice(0, LOOKED_AT);
    return !first.some(({ label }) => label.startsWith(wanted));
  });
  expect(missed).toEqual([]);
});

test("before typing, the palette lists actions only, and no notes on missing features", () => {
  const choices = paletteChoices(KEY_TABLES.default, ["write", "global", "browse"]);
  const shown = filterChoices(choices, "");
  expect(shown.filter(({ note }) => note !== undefined)).toEqual([]);
  expect(shown.length).toBeGreaterThan(100);
  expect(choices.length).toBeGreaterThan(shown.length);
});

test("letters that occur only within a description find nothing", () => {
  const choices = paletteChoices(KEY_TABLES.default, ["write", "global", "browse"]);
  const found = ["kick", "huddle", "qwzx"].map((typed) =>
    filterChoices(choices, typed).map((one) => one.label),
  );
  expect(found).toEqual([
    ["Its author: write, mute, block, report, ban", "/member remove"],
    ["Calls and recording are not in Parley"],
    [],
  ]);
});

test("common words find the expected action first", () => {
  const first: Readonly<Record<string, ActionName>> = {
    reply: "reply",
    react: "react",
    vote: "pollVote",
    search: "search.show",
    attach: "attach",
    "save for later": "save",
    theme: "theme",
    undo: "takeBack",
    login: "login",
    quit: "quit",
    pictures: "pictures",
    threads: "threads.show",
    settings: "settings",
    status: "status",
    drafts: "drafts.show",
  };
  const choices = paletteChoices(KEY_TABLES.default, ["write", "global", "browse"]);
  const found = Object.keys(first).map((words) => [words, filterChoices(choices, words)[0]?.runs]);
  expect(found).toEqual(Object.entries(first).map(([words, name]) => [words, name]));
});

test("the help lists each action for its first words", () => {
  const missed = Object.entries(WORDS).filter(([name, [words]]) => {
    const { title } = actionRow(name as ActionName);
    return !helpLines(KEY_TABLES.default, words!).some((line) => line.title === title);
  });
  expect(missed.map(([name, [words]]) => `${words}: ${name}`)).toEqual([]);
});
