/** All texts of the screen: labels, states, hints and sentences (specification/screen.md §5). */

import { thousands } from "./thousands.ts";

/** `1 reply`, `12 replies`, `1,204 members`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${thousands(n)} ${n === 1 ? one : many}`;
}

/** `a, b and 3 more`: the first `shown` of a list that may be long. */
export function firstFew(list: readonly (string | number)[], separator = ", ", shown = 5): string {
  const more = list.length > shown ? ` and ${list.length - shown} more` : "";
  return `${list.slice(0, shown).join(separator)}${more}`;
}

/** `3 people: ana, bo, cy`. */
export const namedIds = (ids: readonly string[], one: string, many: string): string =>
  `${count(ids.length, one, many)}: ${firstFew(ids)}`;

/** `There is no user ana`, `There are no users ana, bo`: without a full stop. */
export const thereIsNo = (thing: string, ids: readonly string[]): string =>
  ids.length === 1 ? `There is no ${thing} ${ids[0]}` : `There are no ${thing}s ${firstFew(ids, ", ", 10)}`;

/** `ana`, `ana and bo`, `ana, bo and 3 others`. Names are cleaned by the caller. */
export function names(list: readonly string[], shown = 2): string {
  if (list.length <= 1) return list[0] ?? "";
  if (list.length <= shown) return `${list.slice(0, -1).join(", ")} and ${list.at(-1)}`;
  const rest = list.length - shown;
  return `${list.slice(0, shown).join(", ")} and ${count(rest, "other")}`;
}

/** Why the provider refuses a file, by the code of the rule. */
const BLOCKED: Readonly<Record<string, string>> = {
  size_limit: "it is larger than the provider allows",
  allowed_file_extensions: "its extension is not on the provider's allow list",
  blocked_file_extensions: "its extension is on the provider's block list",
  allowed_mime_types: "its type is not on the provider's allow list",
  blocked_mime_types: "its type is on the provider's block list",
};

/** The words for a rule's code; any other reason is returned as it is. */
export const blockedWhy = (reason: string): string =>
  Object.hasOwn(BLOCKED, reason) ? BLOCKED[reason]! : reason;

/** `812 B`, `14 kB`, `2.3 MB`. */
export function size(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes < 0) return "";
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let unit = 0;
  // 999.95 would read as 1000.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)} ${units[unit]}`;
}

const CHOOSE_A_MESSAGE = "Choose a message first: Esc, then j and k.";
const OPEN_A_CHANNEL = "Open a channel first: Ctrl-K.";
const NO_POLL = "That message has no poll.";
const POLL_CLOSED = "The poll is closed.";

export const words = {
  tooSmall: (columns: number, rows: number) =>
    `Parley needs ${columns} × ${rows} cells: make the window larger. Ctrl-C quits.`,
  plainTooSmall: (here: { columns: number; rows: number }, least: { columns: number; rows: number }) =>
    `The terminal has ${here.columns} × ${here.rows} cells, and the screen needs ${least.columns} × ${least.rows}: so these are plain lines.`,

  /** The sidebar's views and groups. */
  places: {
    inbox: "Inbox",
    threads: "Threads",
    invites: "Invites",
    later: "Later",
    drafts: "Drafts",
    pinned: "Pinned",
    pins: "Pinned messages",
    channels: "Channels",
    direct: "Direct",
    archived: "Archived",
    mentions: "Mentions",
    unread: "Unread",
  },

  /** Arranging the sidebar, and finding in it. */
  sidebar: {
    typing: (n: number) => (n === 1 ? "is typing…" : "are typing…"),
    typeName: "type a name",
    unreadOnly: "only unread",
    noChannel: "no channel",
    menu: "Channel",
    channels: (n: number) => count(n, "channel"),
    sectionOf: (title: string) => `Section of ${title}`,
    newSection: (name: string) => `New section “${name}”`,
    noSection: "No section",
    typeSection: "type a section name",
    chooseFirst: "Choose a channel first.",
    staysPinned: (title: string, section: string) =>
      `${title} is pinned; when you unpin it, it is in “${section}”.`,
    changed: {
      pinned: (title: string, on: boolean) => (on ? `${title} pinned in your list` : `${title} unpinned`),
      archived: (title: string, on: boolean) => (on ? `${title} archived for you` : `${title} unarchived`),
    },
    change: "change",
    byHand: "Channels now stay in your order; /settings sidebar.order changes that.",
  },

  /** Inbox, Threads, Later and Drafts. */
  lists: {
    fresh: (n: number) => `${thousands(n)} new`,
    counted: {
      inbox: (n: number) => `${thousands(n)} unread`,
      threads: (n: number) => `${thousands(n)} unread`,
      later: (n: number) => `${thousands(n)} due`,
      drafts: (n: number) => thousands(n),
      pins: (n: number) => thousands(n),
    },
    empty: {
      inbox:
        "You're all caught up. Mentions, direct messages and unread channels show up here, except muted and archived ones.",
      threads:
        "No threads yet. Threads you start, reply to or are mentioned in show up here: t on a message opens its thread.",
      later: "Nothing saved for later. On a message, s saves it here and R sets a reminder.",
      drafts: "No drafts in other boxes. Text you write and do not send stays in its box and is listed here.",
      pins: "No pinned messages in this channel. p on a message pins it for everybody.",
    },
    failed: (why: string) => `could not load: ${why} · Enter to retry`,
    read: {
      inbox: (n: number) => `${count(n, "channel")} marked read`,
      threads: (n: number) => `${count(n, "thread")} marked read`,
    },
    readMark: "read mark",
    readMarks: "read marks",
    discard: "discard",
    discarded: "draft discarded",
    nothingUnread: "Everything is already read.",
    readAlready: "This is already read.",
    onlyReads: "Only Inbox and Threads can be marked read.",
  },
  /** The line over the messages of a channel with pins. */
  pins: {
    label: (n: number) => (n > 1 ? `pinned · 1 of ${thousands(n)}` : "pinned"),
    inThread: (who: string) => `${who} · thread`,
  },
  later: {
    overdue: "Due",
    upcoming: "Upcoming",
    bookmark: "Someday",
    due: "due",
    in: (time: string) => `in ${time}`,
    removed: "removed from Later",
    when: "Remind me",
    noTime: "no time",
    saved: "saved for later",
    set: (time: string) => `reminder at ${time}`,
    hasTime: (time: string) => `Already in Later, for ${time}; R changes the time.`,
    chooseFirst: CHOOSE_A_MESSAGE,
    opens: (key: string) => `${key} opens it`,
    hint: "a future time, such as in 10 min, 18:30, 6 pm, monday 9:00 or 2026-12-01",
    change: "change",
  },

  /** Campaigns in the panel. */
  campaigns: {
    title: "Campaigns",
    one: "Campaign",
    none: "No campaigns yet: parley campaign new creates one.",
    noSecret: "Campaigns need the app's secret; see parley help ops.",
    stop: (id: string) => ({
      question: `Stop campaign ${id}? Messages already sent stay.`,
      done: `campaign ${id} stopped`,
    }),
    here: "Sent from this machine",
    atProvider: "Sent by the provider",
    endHere: "Ctrl-C in the shell that sends it stops it",
    of: (n: string, all: string) => `${n} of ${all}`,
    aSecond: (rate: number) => `${rate} per second`,
    labels: {
      state: "state",
      sent: "messages",
      people: "people",
      rate: "rate",
      left: "left",
      missed: "not reached",
      leftOut: "left out",
      waiting: "waiting",
      when: "when",
      text: "text",
      file: "file",
      next: "next",
    },
  },

  /** The tour for new users. */
  tour: {
    title: "Tour",
    label: (n: number, of: number) => `tour ${n} of ${of}`,
    more: "/tour lists all",
    listed: "/tour says how",
    steps: {
      reply: "Reply in a thread",
      react: "React",
      vote: "Vote in a poll",
      search: "Search",
      attach: "Attach a file",
      save: "Save for later",
      theme: "Change the colours",
      leave: "Quit",
    },
    how: {
      reply: (esc: string, key: string) => `${esc}, ${key} on a message, type, Enter`,
      react: (esc: string, key: string) => `${esc}, ${key} on a message, type an emoji, Enter`,
      vote: (esc: string, key: string) => `send “poll”, and when it appears ${esc}, ${key} twice`,
      search: (key: string) => `${key}, then type a word`,
      attach: (key: string) => `${key}, choose one, Enter`,
      save: (esc: string, key: string) => `${esc}, ${key} on a message`,
      theme: () => "/theme, choose one, Enter",
      leave: (key: string) => `${key} twice, or /quit`,
    } as Readonly<
      Record<
        "reply" | "react" | "vote" | "search" | "attach" | "save" | "theme" | "leave",
        (...keys: string[]) => string
      >
    >,
    voteWithoutGuide: (esc: string, key: string) => `/poll creates one; on a poll ${esc}, ${key} twice`,
    byMenu: (esc: string, menu: string, action: string) => `${esc}, ${menu} on a message: ${action}`,
    attachWriting: (key: string) => `${key} while writing, choose one, Enter`,
    did: (step: string, n: number, of: number) => `${step} · ${n} of ${of} done`,
    again: "Start over",
    off: "End the tour",
    ended: "Tour ended; /tour brings it back.",
  },

  /** Channels the user can join. */
  joining: {
    title: "Join a channel · type its name",
    named: (id: string) => `join ${id}`,
    none: "no channel to join; #id or type:id joins one by its id",
  },

  /** Marks in lists of values. */
  choices: { current: "current" },
  themes: {
    title: "Theme · shown at once",
    auto: "dark or light, to match the terminal's background",
    own: (file: string) => `your own: ${file}`,
    fault: (first: string, more: number) => (more > 0 ? `${first}, and ${count(more, "more error")}` : first),
  },
  quiet: {
    title: "Do not disturb",
    hint: "a future time, such as 2h, 18:30 or tomorrow 9am, or off",
    until: (time: string) => `until ${time}`,
    off: "notifications resume",
    past: "That time has already passed.",
    on: (until: string) => `notifications paused until ${until}`,
    over: "notifications resumed",
    left: (left: string) => `quiet ${left}`,
    levelTitle: (channel: string) => `Notifications for ${channel}`,
    levels: {
      all: "all messages",
      mentions: "mentions of you and your keywords",
      none: "nothing",
      default: "as in the settings",
    },
    levelSet: (level: string) => `notifications for this channel: ${level}`,
    noLevel: (word: string) => `There is no level ${word}: use all, mentions, none or default.`,
    status: (text: string) => `status set: ${text}`,
    noStatus: "status cleared",
    due: "A reminder is due",
    several: (place: string, n: number) => `${place} · ${count(n, "message")}`,
    hidden: { message: "a new message", reminder: "a message you saved for later" },
    failed: (why: string) => `Your notification program could not run: ${why}`,
  },
  keyFile: {
    saved: "Keys saved and in use.",
    reloaded: "Keys reloaded.",
    faults: (first: string, more: number) =>
      more > 0 ? `${first}, and ${count(more, "more error")}` : first,
    refused: (fault: string) => `That is not a valid line for your keys: ${fault}.`,
    leftOut: "The rest of this key was left out: the question comes first.",
  },
  settings: {
    title: "Settings",
    empty: "(empty)",
    on: "on",
    off: "off",
    default: "default",
    setBy: (from: string) => `Set by ${from}.`,
    overruled: (from: string, value: string) => `But ${from} sets ${value}, which applies at the next start.`,
    nextStart: "Takes effect at the next start.",
    reset: (defaultValue: string) => `reset to the default, ${defaultValue}`,
  },

  /** Right panels. */
  panels: {
    slowMode: "slow mode",
    more: (n: number) => count(n, "more member"),
    thread: "Thread",
    search: "Search",
    details: "Details",
    members: "Members",
    files: "Files",
    links: "Links in view",
    picture: "Picture",
    map: "Map",
    pinned: "Pinned messages",
    online: "Online",
    reactions: "Reactions",
    reads: "Read by",
    votes: "Votes",
    about: "About this message",
    help: "Help",
    palette: "Commands",
  },

  /** The search over all channels. */
  search: {
    placeholder: "words, from:@ana, in:#general …",
    tokens: [
      "from:@ana · from:me",
      "in:#general · in:here",
      "before:2026-11-01 · after:7d",
      "has:link · has:image · has:file",
      "is:pinned · is:thread · sort:newest",
    ],
    narrow: "Narrow it with",
    recent: "Recent searches",
    people: "People",
    messages: "Messages",
    reply: "in a thread",
    around: "Around it",
    looking: "searching…",
    found: (n: number, more: boolean) => `${count(n, "message")}${more ? " · more below" : ""}`,
    held: (n: number) => `${count(n, "message")} found here · searching…`,
    heldOnly: (n: number) => `${count(n, "message")} found here`,
    unanswered: (why: string) => `The provider did not answer: ${why}`,
    nothing: (where: string) => `Nothing found${where}.`,
    /** `for “tea” from @ana in #general` */
    where: (asked: {
      words: string;
      people: readonly string[];
      places: readonly string[];
      rest: readonly string[];
      timed: boolean;
    }) =>
      [
        asked.words && ` for “${asked.words}”`,
        asked.people.length > 0 && ` from ${names(asked.people)}`,
        asked.rest.length > 0 && ` with ${asked.rest.join(" ")}`,
        asked.timed && " in that period",
        asked.places.length > 0 ? ` in ${names(asked.places)}` : " in all your channels",
      ]
        .filter((part) => part !== false)
        .join(""),
    goByNumber: (more: boolean) =>
      `${more ? "There are more: narrow the search. " : ""}/go NUMBER opens one of them.`,
    last: "That was the last result.",
    first: "That was the first result.",
    none: "Search for something first.",
    loadingMore: "Loading more results…",
  },

  /** The connection, on the screen and on the command line. */
  link: {
    catchingUp: "catching up…",
    retrying: (seconds: number) => (seconds > 0 ? `retrying in ${seconds} s` : "retrying…"),
    idle: "not connected",
    slow: (ms: number) => `slow: ${thousands(ms)} ms`,
    /** Why the provider refused the connection, by its error code. */
    refused: {
      2: "the provider does not know this API key",
      5: "the provider does not accept this user or token",
      17: "this user may not connect",
      40: "the token has expired or was revoked",
      41: "the token is not valid yet",
      42: "the token is dated in the future: check the clock",
      43: "the token was not signed for this app",
      99: "the app is suspended",
    } as Readonly<Record<number, string>>,
    /** The same, short. */
    refusedShort: {
      2: "unknown API key",
      5: "user or token refused",
      17: "not allowed to connect",
      40: "token expired or revoked",
      41: "token not valid yet",
      42: "token dated in the future",
      43: "token for another app",
      99: "app suspended",
    } as Readonly<Record<number, string>>,
    /** For any other code. */
    refusedOtherwise: "the provider does not accept this sign-in",
    signedOut: "signed out",
    /** `how`: `/login`, or `parley login` in plain mode. */
    signIn: (how: string) => `${how} or Enter to retry`,
    again: "Enter to retry",
    tryNow: "Enter to retry now",
    ended: "the provider keeps closing the connection",
    notYet: "cannot connect yet",
    endedShort: "connection closed",
    next: (seconds: number) => (seconds > 0 ? `next try in ${seconds} s` : "trying"),
  },

  /** A request without an answer. */
  unanswered: (neverSent: boolean, why = "it took too long") =>
    neverSent
      ? `Not done, the provider cannot be reached: ${why}. Try again once the header says online.`
      : `The provider did not answer: ${why}. It may have been done anyway.`,

  /** Input modes. */
  modes: {
    write: "WRITE",
    browse: "BROWSE",
    edit: "EDIT",
    quote: "QUOTE",
    command: "COMMAND",
    normal: "NORMAL",
  },

  /** Several messages selected together. */
  range: {
    chosen: (n: number) => `${n} selected`,
    allSaved: "All of them are already in Later.",
    saved: (messages: string) => `${messages} saved for later`,
  },

  forwarding: {
    none: "None of them can be forwarded.",
    title: (messages: string) => `Forward ${messages} to`,
    from: (name: string, where: string) => (where ? `↪ ${name} in ${where}` : `↪ ${name}`),
    done: (where: string) => `forwarded to ${where}`,
  },

  removing: {
    delete: "delete",
    notYours: "You can't delete that message.",
    noneYours: "You can't delete any of them.",
    many: (messages: string, stay: number) =>
      stay > 0 ? `${messages} deleted, ${stay} not yours` : `${messages} deleted`,
    someKept: (kept: number) => `Only ${kept} could be undone: it is too late for the others.`,
    forMe: "deleted for you",
    forGood: (said: string) => `Delete “${said}” permanently? This cannot be undone.`,
  },

  /** Messages that moderation sent back. */
  bounce: {
    held: "held back by moderation",
    edit: "e edit",
    retry: "r send anyway",
    drop: "x delete",
    boxFull: "Send or clear the text in the box first.",
  },

  flagging: {
    title: (what: string) => `Why report it? · ${what}`,
    own: "That is your own message.",
    reasons: ["Spam", "Harassment", "Hate", "Violence or threats", "Nudity", "Something else"],
    done: "reported to the moderators",
    report: "report",
    hint: "the reason in your own words, then Enter",
  },

  people: {
    /** The average time in which somebody answers. */
    onAverage: (time: string) => `in ${time} on average`,
    answers: (time: string) => `answers in ${time} on average`,
    anHour: "for an hour",
    eightHours: "for eight hours",
    yourself: "That's you.",
    write: "Send a direct message",
    mute: "Mute",
    untilUnmuted: "until I unmute",
    unmute: "Unmute",
    block: "Block: their direct messages are hidden",
    unblock: "Unblock",
    report: "Report to the moderators",
    remove: (where: string) => `Remove from ${where}`,
    ban: (where: string) => `Ban from ${where}`,
    unban: (where: string) => `Unban from ${where}`,
    permanently: "permanently",
    change: "change",
    muted: (name: string) => `${name} muted`,
    unmuted: (name: string) => `${name} unmuted`,
    blocked: (name: string) => `${name} blocked`,
    unblocked: (name: string) => `${name} unblocked`,
    removed: (name: string) => `${name} removed`,
    banned: (name: string) => `${name} banned`,
    unbanned: (name: string) => `${name} unbanned`,
    nobodyBlocked: "You haven't blocked anyone.",
    blockedTitle: "Blocked people",
    unblocks: "Enter unblocks",
  },

  /** The panel about a message. */
  about: {
    /** In a big channel not all members are loaded, so the number is a minimum. */
    read: (n: number, isAll: boolean) => `Read by ${thousands(n)}${isAll ? "" : " or more"}`,
    reached: (n: number, isAll: boolean) =>
      `Delivered to ${thousands(n)}${isAll ? "" : " or more"}, not read`,
    before: "Earlier versions",
    until: (time: string) => `until ${time}`,
    unseen: "Edited, but this machine has not seen the earlier versions.",
    nothing: "No reactions, readers or edits yet.",
    gone: "That message is no longer loaded.",
    more: (n: number) => ` and ${thousands(n)} more`,
  },

  /** Spoilers and translation. */
  showing: {
    noSpoiler: "That message has no spoiler.",
    noText: "No text to translate.",
    yours: "That message is already in your language.",
    untranslated: "The provider has no translation of that message.",
    translated: (from: string) => (from ? `translated from ${from}` : "translated"),
  },

  /** Hint letters over links, files and buttons. */
  hinting: {
    none: "Nothing to press here.",
    type: (typed: string) => (typed ? `type the letters · ${typed}` : "type the letters"),
  },

  /** `--read-only`, and archives. */
  readOnly: {
    refused: "Read-only mode: nothing is sent, changed or marked read.",
    /** Beside the name of the profile. */
    mark: (profile: string) => `${profile} · read-only`,
    box: "read-only · nothing is sent, changed or marked read",
  },
  /** Two channels side by side. */
  halves: {
    which: "Beside this channel",
    narrow: "Two channels side by side need 120 columns.",
    noOther: "There is no other channel to show beside this one.",
    same: (title: string) => `${title} is in this half already.`,
    gone: (title: string) => `${title} can no longer be read, so its half was closed.`,
    closedUnseen: (title: string) => `The half with ${title}, for which there was no room, was closed.`,
  },
  /** The header of a channel. */
  header: {
    unavailable: "no longer available",
    keptUnread: "marked unread",
  },
  /** Hints in the status line. */
  status: {
    normalMode: "normal mode",
    discard: "discard",
    alsoChannel: "also to the channel",
    againQuits: (key: string) => `${key} again quits`,
    asks: (key: string, what: string) => [`${key} again, or ⏎: ${what}`, "other letters write"],
    unsent: (n: number) => `${thousands(n)} unsent`,
    undo: (key: string, what: string) => `${key} undo ${what}`,
    submit: (key: string) => `${key} submit`,
    run: (key: string) => `${key} run`,
    runs: "run",
    retries: "retry",
    typeToSearch: "type to search",
    votes: (first: string, last: string) => `${first === last ? first : `${first}-${last}`} vote`,
    disk: "disk error",
  },
  /** The result of a command that has no text of its own. */
  results: {
    done: (line: string) => `done: ${line}`,
    nothing: (line: string) => `nothing to show: ${line}`,
  },
  /** Actions on messages. */
  mentions: {
    /** Undefined if every name in the text mentions somebody. */
    notMentioned: ({ unknown, shared }: { unknown: readonly string[]; shared: readonly string[] }) => {
      const names = (list: readonly string[]): string => firstFew(list.map((name) => `@${name}`));
      const parts = [
        ...(unknown.length > 0 ? [`Nobody here is called ${names(unknown)}.`] : []),
        ...(shared.length > 0
          ? [`Several people are called ${names(shared)}: choose one from the list, or write @ and the id.`]
          : []),
      ];
      return parts.length > 0 ? `Not mentioned: ${parts.join(" ")}` : undefined;
    },
  },
  acting: {
    chooseFirst: CHOOSE_A_MESSAGE,
    typedWhileBrowsing: "This text began while you were browsing. Enter again sends it.",
    noKey: (letter: string, help: string) => `${letter} is no key here; ${help} shows those that are.`,
    notThere: "That message is no longer there.",
    neither: (typed: string) =>
      `${typed} is neither a message here nor a time such as yesterday, 09:30 or 2026-12-01.`,
    notAllowed: (capability: string) => `This channel does not allow that (${capability}).`,
    notYours: "You can't edit that message.",
    notContained: (text: string) => `Your last message does not contain “${text}”.`,
    onlyReplies: "Only a thread reply can also be shown in the channel.",
    onlyChannel: "Only messages in the channel itself can be marked unread.",
    onlyUnsent: "Only an unsent message can be dropped; d deletes a sent one.",
    onlyWeb: "Only http and https links can be opened.",
    opened: (name: string) => `opened ${name} in the browser`,
    noOpener: "No program on this machine opens links.",
    copiedInstead: "No program on this machine opens links: copied instead.",
    noEditor: (editor: string) => `The editor ${editor} was not found: set EDITOR or /settings editor.`,
    reaction: "reaction",
    unreaction: "reaction removal",
    pin: "pin",
    unpin: "unpin",
    noReaction: "No reactions yet: + adds one.",
    noButton: (n: number) => `The message has no button ${n}.`,
    noPoll: NO_POLL,
    pollClosed: POLL_CLOSED,
    noOption: (n: number) => `The poll has no option ${n}.`,
    noPinned: (n: number) => `There is no pinned channel ${n}.`,
    tooLong: "Too long for the terminal's clipboard.",
    keptUnread: "marked unread from here",
    jump: "Jump to a date, a message id or its address",
    drop: (text: string) => `Drop “${text}”? It was not sent.`,
    dropGone: (text: string) => `“${text}” cannot be sent: its channel is gone. Drop it?`,
    below: (n: number) => count(n, "new message"),
  },
  /** Folders of this machine. */
  disk: {
    none: "No such folder.",
    file: "That is a file, not a folder.",
    forbidden: "You don't have permission to read that folder.",
    unreadable: (code: string) => `That folder cannot be read (${code}).`,
  },
  /** Commands sent by another program. */
  remote: {
    onlyCommands: "Only a command such as /search tea can be sent to a screen; parley send sends a message.",
  },
  /** Lists, questions and the help. */
  popups: {
    goto: "Go to",
    palette: "Actions and commands",
    date: "a date, a time, a message id or its address, or search WORDS",
    nothing: "no matches",
    favourite: "★",
    typeWord: (word: string) => `Type ${word} and press Enter; Esc cancels.`,
    yesNo: "y yes · n or Esc no",
    enterYesNo: "Enter or y yes · n or Esc no",
    sure: "Sure?",
    certain: "Are you sure?",
    keys: "Keys · type to search",
    /** In the order of the help. */
    alphabetsTitle: "Other alphabets",
    alphabets: {
      keys: "any letter",
      title:
        "is the key in its place on the keyboard, where letters are keys; the setting keys.layout chooses it",
      keywords: "cyrillic greek hebrew arabic layout language",
    },
    sections: {
      global: "Anywhere",
      write: "Writing",
      normal: "In the box's normal mode",
      complete: "Completing",
      browse: "Browsing messages",
      sidebar: "In the sidebar",
      popup: "In a list",
      chooseFiles: "Choosing files, besides the keys of a list",
      form: "In the poll form",
    },
  },
  /** Plain mode. */
  plain: {
    begin: "Parley. /help lists what you can type.",
    help: "Type to send. /go NAME opens a channel, /next the next unread one, /dm @NAME TEXT writes to one person, /who lists the members, /search WORDS finds messages, /attach FILE… attaches files to the next message, /files lists the channel's files, /inbox, /threads, /later and /drafts list what is waiting, /pins what is pinned here, /quit leaves; commands such as /react work as on the screen.",
    openFirst: "Open a channel first: /go NAME",
    moreMembers: (n: number, cid: string) =>
      `… ${count(n, "more member")}: parley member list -c ${cid} --all, in a shell`,
    noChannel: "No such channel.",
    whom: "To whom? /dm @NAME TEXT",
    onlyOnScreen: (name: string) => `/${name} works on the full screen only. As text: //${name}`,
    needsYes: (question: string) => `${question} To confirm, run it in a shell with --yes.`,
  },
  completion: {
    open: "you can join it",
  },
  snippets: {
    title: "Snippets",
    none: "No snippets yet: /snippet add NAME TEXT saves one; {cursor} in it marks where you go on writing.",
    howToAdd: "A snippet needs a name and a text: /snippet add thanks Thank you, {cursor}!",
    saved: (name: string, again: boolean) =>
      again ? `${name} updated.` : `${name} saved: /snippet ${name} inserts it.`,
    removed: (name: string) => `${name} removed.`,
    unknown: (name: string, near: string) => `There is no snippet '${name}'${near}; /snippet lists them.`,
  },

  /** The user's own programs as commands of the box. */
  extensions: {
    about: (path: string) => `your extension ${path}`,
    running: (key: string, name: string) => `${key} stop /${name}, which is running`,
    busy: (name: string) => `/${name} is running: Esc stops it.`,
    stopped: (name: string) => `/${name} was stopped.`,
    time: (name: string) => `/${name} took longer than a minute and was stopped.`,
    size: (name: string) => `/${name} printed more than 1 MiB and was stopped.`,
    failed: (name: string, code: number | string, line: string) =>
      `/${name} ended with ${code}${line === "" ? "." : `: ${line}`}`,
    done: (name: string, line: string) => (line === "" ? `/${name} is done.` : `/${name}: ${line}`),
    elsewhere: (line: string) => `What ${line} printed is in the box where it was called.`,
  },

  /** Voice messages and audio files. */
  sounds: {
    loading: "loading …",
    playing: (heard: string, whole: string | undefined) =>
      whole === undefined ? `playing, ${heard}` : `playing, ${heard} of ${whole}`,
    ended: (whole: string | undefined) => (whole === undefined ? "ended" : `ended · ${whole}`),
    none: "That message has no sound.",
    stops: "stop",
    which: "Play which one?",
    noPlayer: "Playing needs a program: install mpv, or ffplay (it comes with FFmpeg).",
    ask: (host: string) => `Fetch it from ${host}? That server learns that you play it.`,
    notPlayed: (player: string, name: string) => `${player} could not play ${name}.`,
    recording: "Recording a voice message",
    keep: "Stop and attach it",
    discard: "Discard it",
    recorded: (length: string, most: string) => `${length} of ${most}`,
    discarded: "The recording was discarded.",
    /** `time` as in 09:41. */
    file: (time: string) => `voice ${time.replace(":", ".")}.wav`,
    noRecorder: "Recording needs a program: install arecord (alsa-utils), or ffmpeg.",
    notRecorded: (recorder: string) => `${recorder} could not record: is there a microphone?`,
  },

  /** The links of the message being written. */
  links: {
    label: "link",
    looking: "looking …",
    none: (why: string) => `no preview: ${why}`,
    without: "sent without a preview",
    preview: "link preview",
    chosen: (on: boolean) =>
      on
        ? "Links of this message get a preview while you write."
        : "This message is sent without link previews.",
    editing: "An edit keeps the previews that the message has.",
    impossible: "Links get no previews in this channel.",
  },

  /** The preview of the message being written. */
  preview: {
    now: (on: boolean) =>
      on ? "Preview on: what you write is shown as others will see it." : "Preview off.",
  },

  /** The normal mode of the box. */
  vim: {
    begun: (keys: string) => `${keys}… · a motion, a letter or an object such as iw · Esc cancels`,
  },

  /** Marks and rows of a message. */
  message: {
    onItsWay: "Your last message is still being sent: edit it once it has arrived.",
    edited: "edited",
    pinned: "pinned",
    address: "a message",
    pinnedBy: (name: string) => (name ? `pinned by ${name}` : "pinned"),
    silent: "silent",
    onlyYou: "only you see this",
    deleted: "message deleted",
    deletedForMe: "message deleted for you",
    sending: "sending",
    sent: "✓",
    read: "✓✓",
    readBy: (n: number) => `✓✓ ${thousands(n)}`,
    failed: "not sent",
    waits: {
      turn: "waiting for the message before it",
      answer: "waiting for the answer",
      network: "waiting for the network",
      rateLimit: "waiting for the rate limit",
      slowMode: "waiting for slow mode",
      signIn: "waiting for you to sign in",
      undo: "can be undone",
    },
    until: (time: string) => `until ${time}`,
    changes: { edit: "edit not sent yet", delete: "deletion not sent yet", react: "reaction not sent yet" },
    failedKeys: "r retry · x drop",
    failedMenu: "retry or drop it in its menu",
    struck: (text: string) => `(struck out: ${text})`,
    replyCount: (n: number) => count(n, "reply", "replies"),
    reactions: (list: string) => `reactions: ${list}`,
    quoting: (said: string) => `quoting ${said}`,
    replies: (n: number) => `${count(n, "reply", "replies")} ›`,
    alsoInChannel: "also sent to the channel",
    onlyFor: (people: string) => `only for ${people}`,
    onlyForMe: "you",
    repliedInThread: "replied in a thread",
    more: (rows: number) => `… ${count(rows, "more row")} · v full text`,
    moreAttachments: (n: number) => `… ${count(n, "more attachment")}`,
    empty: "(no text)",
    nobody: "someone",
    bookmarked: "bookmarked",
    reminderIn: (time: string) => `reminder in ${time}`,
    reminderDue: "reminder due",
    new: (n: number) => (n > 0 ? `${thousands(n)} new` : "new"),
    gap: "messages are missing here · ⏎ load",
    older: "older messages · ⏎ load",
    loading: "loading…",
    quoteGone: "quoted message deleted",
    quotes: (author: string, text: string) => `quoting ${author} · ${text}`,
    edits: (text: string) => `editing · ${text}`,
    editsChanged: (text: string) => `editing · changed meanwhile, now: ${text}`,
    editsDeleted: "editing · the message was deleted meanwhile",
    threadGone: "This thread is gone: its first message was permanently deleted.",
    refusedBack: (inBox: boolean) =>
      `Your reply was refused: its thread is gone. ${inBox ? "The text is back in the box." : "Empty the box, then Ctrl-P and Unsent bring the text back."}`,
    spoiler: "▒",
  },

  /** Attachments and cards. */
  attachment: {
    image: "picture",
    video: "video",
    audio: "audio",
    voiceRecording: "voice message",
    giphy: "GIF",
    file: "file",
    unnamed: "unnamed",
    uploading: (percent: number) => `uploading ${percent} %`,
    queued: "waiting to upload",
    failed: "upload failed",
  },

  /** Pictures in the stream and in the panel. */
  pictures: {
    notShown: (why: string) => `not shown: ${why}`,
    elsewhere: (host: string) => `loaded from ${host} when opened`,
    trust: (host: string) => `Show all pictures from ${host} from now on, without opening them?`,
    pixels: (width: number, height: number) => `${width} × ${height} pixels are too many`,
    refused: {
      bytes: "the file is larger than 25 MB",
      type: "only PNG, JPEG, WebP and GIF can be shown",
      damaged: "the file is damaged or not a picture",
      time: "decoding it takes too long",
      missing: "the package @napi-rs/image, which decodes pictures, is not installed",
      fetch: "it could not be fetched",
    },
    loading: "loading…",
    oldest: "No older picture here.",
    newest: "This is the newest picture.",
    /** While older messages have not been searched, there may be more. */
    place: (n: number, of: number, whole: boolean) => `${n} of ${of}${whole ? "" : " so far"}`,
    switched: (route: string) => `Pictures: ${route}`,
  },

  /** Attached files, and the list to choose them from. */
  files: {
    attach: "Attach files",
    save: "Save in which folder?",
    folder: "folder",
    special: "not a file",
    reading: "reading…",
    empty: "nothing here",
    none: "No such file.",
    keys: "Space marks · ← folder above",
    marked: (n: number) => `${n} marked · ⏎ attaches`,
    matching: (n: number) => `${count(n, "match", "matches")} · ⏎ attaches`,
    nowhere: OPEN_A_CHANNEL,
    editing: "You can't attach files to an edit: save it first.",
    pasted: (n: number, key: string) => `${key} attaches ${n === 1 ? "the file" : `the ${n} files`}`,
    attached: (n: number, key: string) =>
      `${n === 1 ? "1 file" : `${n} files`} attached, uploaded on Enter${key && ` · ${key} pastes the text`}`,
    noPath: "The text is not the path of a file: paste one, or choose a file with Ctrl-O.",
    held: "uploads on Enter",
    whenUploaded: "sends when uploaded",
    changed: "You changed the message. Enter sends it.",
    which: "Attach which file? /attach FILE…",
    waiting: "sent with the next message",
    here: "save in this folder",
    saveKeys: "⏎ saves here or opens · ← folder above",
    saveWhich: "Save which file?",
    all: (n: number) => `all ${n} files`,
    noFile: "That message has no file.",
    link: "link",
    noneHere: "No files or links here.",
    noLinks: "No links in view.",
    nothingToOpen: "That message has no link or file.",
    notSaved: (name: string, why: string) => `${name} was not saved: ${why}`,
    saving: (percent: number) => `saving ${percent} %`,
    takeOff: "Remove what?",
    retryWhich: "Retry which upload?",
    retryAll: (n: number) => `all ${n} that failed`,
    noUpload: "No file is attached.",
    tooLong: (length: number, most: number, name: string) =>
      `The message has ${thousands(length)} characters; the limit is ${thousands(most)}. Send it as the file ${name}?`,
    noneNamed: (name: string) => `No attached file is named ${name}; /detach alone removes all.`,
    noneFailed: "No upload has failed.",
    label: "files",
    waits: "waiting",
    retry: "retry",
    failed: (reason: string) => `failed: ${reason}`,
    blocked: (reason: string) => `blocked: ${blockedWhy(reason)}`,
    /** A blocked file can only be removed; a failed one can be retried. */
    notGoing: (
      { failed, blocked }: { failed: readonly string[]; blocked: readonly string[] },
      keys: { takeOff: string; retry: string },
    ) =>
      [
        "Nothing was sent",
        ...(blocked.length > 0
          ? [
              `${names(blocked, 3)} not allowed: ${keys.takeOff} removes ${blocked.length === 1 ? "it" : "one"}`,
            ]
          : []),
        ...(failed.length > 0
          ? [`${names(failed, 3)} not uploaded: ${keys.retry} retries, ${keys.takeOff} removes it`]
          : []),
      ].join(" · "),
    more: (n: number) => `… ${n} more`,
  },

  /** Why pasting from the clipboard failed, and what to do. */
  clipboard: {
    empty: "The clipboard has no picture, file or text.",
    ssh: "The clipboard can't be read over SSH: copy the file here, then Ctrl-O.",
    noDesktop: "No desktop clipboard here: Ctrl-O chooses files.",
    missing: (program: string, from: string) =>
      `${program} is needed to read the clipboard: install ${from}, or use Ctrl-O.`,
    gone: "The files on the clipboard no longer exist.",
  },

  poll: {
    label: "poll",
    closed: "closed",
    anonymous: "anonymous",
    one: "one answer",
    upTo: (n: number) => `up to ${n} answers`,
    votes: (n: number) => count(n, "vote"),
    comments: (n: number) => count(n, "comment"),
    mine: "✓",
    yours: "yours",
    moreOptions: (n: number) => `… ${count(n, "more option")}`,
    yourOwn: (options: boolean, comments: boolean) =>
      `you may ${[options && "suggest an option", comments && "comment"].filter(Boolean).join(" and ")}`,
    answer: (text: string, name: string) => (name ? `“${text}” ${name}` : `“${text}”`),
    moreAnswers: (n: number) => `… ${count(n, "more comment")}`,
    gone: "poll deleted",
    form: {
      title: "New poll",
      foot: "space toggles",
      noChannel: OPEN_A_CHANNEL,
      question: "Question",
      about: "Description",
      option: (n: number) => `Option ${n}`,
      one: "One vote each",
      most: "Votes each, 2 to 10",
      anonymous: "Anonymous",
      suggestions: "Allow new options",
      comments: "Allow comments",
      yesNo: "Fill in: Yes / No",
      dates: "Fill in: the next five days",
      create: "Create the poll",
      answers: ["Yes", "No"],
    },
    card: {
      vote: "Vote",
      option: "Add an option",
      comment: "Add a comment",
      typeOption: "type the option, then Enter",
      typeComment: "type the comment, then Enter",
      none: NO_POLL,
      closed: POLL_CLOSED,
      gone: "The poll is gone: its message was deleted.",
      optionGone: "That option is no longer in the poll.",
      allGiven: (n: number) =>
        n === 1
          ? "You have used your only vote: vote for that option again to take it back."
          : `You have used all ${n} votes: vote for one of those options again to take it back.`,
      noComments: "This poll does not allow comments.",
      noOptions: "Only the author can add options to this poll.",
      notYours: "Only the author can end a poll.",
      endIt: (name: string) => `End the poll “${name}”? Nobody can vote after that.`,
      nobody: "nobody yet",
      anonymous: "The poll is anonymous: nobody can see who voted.",
      more: (n: number) => `${count(n, "more vote")} (/poll votes lists them)`,
    },
  },

  map: {
    me: "me",
    nobody: "nobody is sharing a location here",
    browser: "the place, on a map in the browser",
    free: "moved by hand · c centres",
    follows: (name: string) => `follows ${name}`,
    sharing: {
      where: "Where are you? A town, or 52.37,4.89",
      whereNow: "Where are you now? A town, or 52.37,4.89",
      howLong: "For how long? Choose, or type 45m, 2h",
      live: (time: string) => `Live for ${time}`,
      still: "Only this place, without updates",
      noChannel: OPEN_A_CHANNEL,
      none: "You are not sharing your location.",
      moved: (place: string) => `your location is now ${place}`,
      button: "[stop sharing]",
      stopIt: "Stop sharing your location?",
      stopped: "location sharing stopped",
      unsent: "your location had not been sent yet, and will not be",
      stopsThen: "Your location is being sent; sharing stops as soon as it arrives.",
      label: "sharing",
      status: (n: number, time: string) =>
        `sharing your location${n > 1 ? ` in ${n} places` : ""} · ${time} left`,
      shortStatus: (time: string) => `sharing · ${time}`,
      stops: (key: string) => `${key} stops`,
      typePlace: "type a town, or coordinates such as 52.37,4.89",
    },
  },

  location: {
    static: "location",
    live: "live location",
    left: (time: string) => `${time} left`,
    ended: "live location ended",
    unknown: "no position yet",
    near: (place: string, way: string) => (way ? `${way} from ${place}` : `near ${place}`),
  },

  channel: {
    members: (n: number) => count(n, "member"),
    watching: (n: number) => `${thousands(n)} watching`,
    muted: "muted",
    archived: "archived",
    pins: (n: number) => `${thousands(n)} pinned`,
    frozen: "read only",
    disabled: "disabled",
    hidden: "hidden",
    gone: "this channel is gone or you can no longer read it",
    stale: "not updated since the last connection",
    empty: "No messages yet. Say something.",
    none: "Choose a channel with Ctrl-K.",
    /** Milliseconds until they are asked for again; undefined: not by itself. */
    notLoaded: (why: string, wait: number | undefined) =>
      `Your channels could not be loaded: ${why.replace(/\w$/, "$&.")} ${
        wait === undefined
          ? "Ctrl-L tries again."
          : `Trying again in ${Math.ceil(wait / 1000)} s; Ctrl-L tries now.`
      }`,
    unreadable: "none of them is written as documented, parley doctor names the fields",
    /** For a user without channels: what to type, and what it does. */
    first: {
      title: "You are not in any channel yet. Type what you want to do:",
      ways: [
        ["make a channel", "a new one, with its people"],
        ["join a channel", "one whose name you know"],
        ["write to somebody", "a direct channel"],
        ["another profile", "switch to it, or add one with /login"],
        ["show the keys", "F1 shows them too"],
      ],
      end: "Ctrl-C twice quits.",
    },
    typing: (list: readonly string[]) =>
      list.length === 0
        ? ""
        : list.length > 3
          ? "several people are typing…"
          : `${names(list, 3)} ${list.length === 1 ? "is" : "are"} typing…`,
    left: (n: number) => (n >= 0 ? `${thousands(n)} left` : `${thousands(-n)} too many`),
    draftSaved: "draft saved",
    invited: "invited",
    invite: "You are invited: /accept or /reject",
    shut: {
      gone: "This channel is gone or you can no longer read it",
      disabled: "This channel is disabled",
      bannedEverywhere: (until: string) => `You are banned${until && ` until ${until}`}`,
      banned: (until: string) => `You are banned in this channel${until && ` until ${until}`}`,
      frozen: "This channel is frozen: nothing new can be posted",
    },
    slowMode: (time: string) => `slow mode · ${time}`,
    message: (place: string) => `message ${place}`,
    besideView: (view: string, target: string) => `${view} is open · ${target}`,
    reply: "reply",
    alsoTo: (place: string) => `also to ${place}`,
    start: "the beginning of this channel",
  },

  /** One-line key hints by mode; keys that can be bound come from the action table. */
  hints: {
    write: "⏎ send · ^J newline · ^K go · Esc browse · F1 help",
    browse: "r reply · + react · e edit · q quote · ? help",
    popup: "↑↓ choose · ⏎ take · Esc close",
  },

  /** Messages for some members only (R-SEND-16). */
  audience: {
    /** Above the box, from the longest to the shortest; without the user, who always sees it. */
    box: (people: readonly string[]): readonly [string, ...string[]] =>
      people.length === 0
        ? ["only you see this"]
        : [
            `only ${people.join(", ")} ${people.length === 1 ? "sees" : "see"} this`,
            ...(people.length > 2 ? [`only ${names(people, 1)} see this`] : []),
            `only ${count(people.length, "person sees", "people see")} this`,
          ],
    everybody: "everybody in this channel sees this",
    unknown: "who sees this is looked up when you send it",
    set: (people: string) => `Only ${people} will see what you send here. /only - ends it.`,
    you: "you",
    ended: "Everybody in this channel sees what you send here.",
    off: "Everybody sees what you send here. /only @name @name writes to some members only.",
    strangers: (people: readonly string[]) => `Not in this channel: ${people.join(", ")}. Nobody was chosen.`,
    right:
      "You may not write to some members only in this channel, so nothing was sent. /only - shows it to everybody.",
    leavesThread:
      "This would be shown to everybody in the channel, not in this thread, which only some see. A text, /poll and /location stay in it.",
    mayNot: "You may not write to some members only in this channel.",
    notFound: (why: string) =>
      `Who may see the message that you answer could not be found out, so nothing was sent: ${why}`,
  },

  /** Scheduled messages. */
  silently: {
    nothing: "Write something first: it is sent without notifying anybody.",
    sent: "sent silently: it notifies nobody",
  },

  scheduled: {
    title: "Scheduled messages",
    one: "What to do with it?",
    when: "Send it when?",
    hint: "a future time, such as 2h, 18:30, 6 pm, tomorrow 9:00 or 2026-12-01",
    set: (time: string) => `will be sent ${time}, by any Parley of this profile that is running then`,
    none: "No scheduled messages: /schedule 09:30 TEXT, or a time alone for the text in the box.",
    noTime: "Start with a future time: /schedule 09:30 TEXT, /schedule 2h TEXT.",
    nothing: "Write something first: it is sent at the time you choose.",
    tooLate: "It was already sent.",
    busy: "It is in another running Parley: edit it there.",
    elsewhere: "in another Parley",
    dropped: "discarded",
    undo: { done: "sent", what: "send" },
    choices: {
      edit: "Edit it in the box",
      move: "Reschedule it",
      now: "Send it now",
      drop: "Discard it",
    },
  },

  /** Short forms. */
  forms: {
    title: {
      newChannel: "New channel",
      editChannel: "Edit channel",
      write: "Direct message",
      invite: "Add people",
      profile: "Your profile",
      login: "Sign in",
    },
    button: {
      newChannel: "Create",
      editChannel: "Save",
      write: "Open",
      invite: "Add",
      profile: "Save",
      login: "Sign in",
    },
    labels: {
      newChannel: {
        name: "Name",
        topic: "Topic",
        members: "Members",
        private: "Private",
        id: "Id",
        type: "Type",
      },
      editChannel: { name: "Name", topic: "Topic", image: "Picture (URL)" },
      write: { members: "To" },
      invite: { members: "People" },
      profile: { name: "Name", image: "Picture (URL)", status: "Status" },
      login: {
        name: "Profile",
        url: "Address",
        key: "API key",
        kind: "Sign in with",
        token: "Token",
        secret: "Secret",
        command: "Command",
        user: "User id",
      },
    },
    /** The placeholder of an empty field. */
    empty: {
      newChannel: {
        id: "made from the name",
        type: "messaging if private, else livestream",
        members: "only you",
      },
      write: { members: "@ana, or several" },
      profile: { status: "shown beside your name" },
      login: {
        name: "a name for this account, such as work",
        key: "the app's key: ask whoever runs the app",
        token: "paste the one from whoever runs the app",
        secret: "the app's: it allows acting as anybody",
        command: "a program and its arguments, run at each start",
        user: "the one in the token, else the user to sign in as",
      },
    } as Readonly<Record<string, Readonly<Record<string, string>>>>,
    kinds: {
      token: "a token · Space for another",
      secret: "the app's secret · Space for another",
      command: "a command that prints a token · Space",
    } as Readonly<Record<string, string>>,
    open: "anyone can read and join",
    closed: "only members can read",
    offered: (all: readonly string[]) => `Tab completes ${all.join(" · ")}`,
    leave: (channel: string) => `Leave ${channel}? If it is private, you need an invitation to come back.`,
    left: (channel: string) => `you left ${channel}`,
    foot: "⏎ next · ^J submits · Esc closes",
    done: {
      newChannel: "channel created",
      editChannel: "channel updated",
      write: "conversation opened",
      invite: "added to the channel",
      profile: "profile updated",
      login: "signed in",
    },
    busy: "one moment…",
    noUser: "The token names no user: enter the user id too.",
    noCredentials: {
      token: "Profile, API key and token are required.",
      secret: "Profile, API key and secret are required.",
      command: "Profile, API key and command are required.",
    },
    noUserOf: {
      secret: "Enter the user id too: the user to sign in as.",
      command: "Enter the user id too: the user the command prints a token for.",
    },
    noName: "Enter a name, or an id of letters and digits.",
    noPeople: "Enter at least one person, as @ana or by name.",
  },

  /** Profiles. */
  profiles: {
    title: "Profile",
    here: (name: string) => `You are already in the profile ${name}.`,
    none: (name: string, all: readonly string[]) =>
      `There is no profile ${name}: ${firstFew(all)}. /login adds one.`,
    local: "this machine",
    another: "Sign in to another provider…",
    /** After a sign-in. */
    signedIn: (user: string, name: string, before: string | undefined) =>
      `Signed in as ${user}. ${before === undefined ? "" : `${name} is now the default profile; /profile ${before} switches back.`}`.trim(),
    failed: (name: string, why: string) => `The profile ${name} could not be opened: ${why}`,
  },

  /** What the screen does not do, by the words people search for. */
  missingFeatures: [
    {
      title: "Calls and recording are not in Parley",
      advice:
        "It is for text, files and pictures; /attach sends a recording made elsewhere, and it can be played from its message.",
      keywords:
        "call calls voice video audio record huddle meeting camera phone screenshare microphone message messages",
    },
    {
      title: "Fonts and text size are set in your terminal",
      advice:
        "In most, Ctrl-+ and Ctrl-- change the size; /theme sets the colours, /settings messages.width the text width.",
      keywords: "font fonts size zoom bigger smaller larger compact density cozy",
    },
    {
      title: "Parley stores no password or email address",
      advice:
        "The token of your profile identifies you: /login signs in again or to another provider; close an account where you got it.",
      keywords: "password passwords 2fa email encryption privacy security username delete account",
    },
    {
      title: "Export, backup and archives are shell commands",
      advice:
        "In a shell, parley export writes messages to files and parley archive saves whole channels in a folder; here, O saves a file from a message.",
      keywords: "export backup print dump transcript",
    },
    {
      title: "Version, updates and diagnostics are shell commands",
      advice:
        "In a shell, parley --version prints the version, npm update -g installs a newer one, and parley doctor looks for problems.",
      keywords:
        "version update upgrade bug bugs doctor debug log logs about diagnose feedback support contact changelog restart",
    },
    {
      title: "Bots, webhooks and imports are shell commands",
      advice:
        "In a shell, parley help ops lists the commands that run an app: webhooks, imports, roles, campaigns; parley mcp serves assistants.",
      keywords:
        "bot bots webhook webhooks plugin plugins integration integrations app apps import admin blocklist word filter filters",
    },
    {
      title: "The screen is in English",
      advice:
        "T translates a message if the provider can; /settings time.date and time.format set how dates and times are written.",
      keywords: "language languages locale lang english spellcheck spelling",
    },
    {
      title: "Mentions are by name",
      advice:
        "@ with a name mentions somebody. The box cannot send @here or @everyone; those that others send are marked like a mention of you.",
      keywords: "@here here @everyone everyone @channel",
    },
    {
      title: "Text is formatted with Markdown",
      advice:
        "**bold**, _italic_, ~~struck~~, `code` and ||spoiler||; three ` on a line of their own start and end a code block. Preview shows it as others will see it.",
      keywords: "bold italic underline strike code spoiler format formatting shrug tableflip",
    },
    {
      title: "Messages cannot be cleared from the screen only",
      advice:
        "/channel hide hides a channel from you until somebody writes; /channel truncate empties it for everybody, if you may.",
      keywords: "clear cls clearchat history purge prune",
    },
    {
      title: "Moderators and roles are set in the shell",
      advice:
        "In a shell, parley member promote and demote add and remove moderators of a channel, with the app's secret.",
      keywords: "op deop promote demote mod moderator moderators role roles admin owner",
    },
    {
      title: "GIFs come from /giphy",
      advice:
        "If the channel has that command, /giphy with a word offers some; /attach sends any other as a file.",
      keywords: "gif gifs giphy tenor",
    },
    {
      title: "Read-only mode is chosen at the start",
      advice:
        "In a shell, parley chat --read-only marks nothing read, sends nothing and shows no typing; parley chat --plain prints lines.",
      keywords: "read only readonly lurk invisible plain",
    },
    {
      title: "Slow mode is set in the shell",
      advice:
        "In a shell, parley channel set sets the cooldown, if you may; /channel freeze stops new messages here.",
      keywords: "slowmode slow cooldown ratelimit lock",
    },
  ],

  lines: {
    section: "Typed in the box",
    missing: (name: string, args: string) => `Usage: /${name} ${args}`,
    alone: (name: string, args: string | undefined) =>
      `/${name} takes nothing after it${args === undefined ? "" : `, except as /${name} ${args}`}. As text: //${name}`,
    see: (line: string) => `Try ${line}.`,
    inShell: (line: string) => `In a shell: ${line}.`,
    noTime: (hint: string) => `/remind needs ${hint}.`,
    muteNeedsTime: (hint: string) => `/mute needs ${hint}, or a person: /mute @name.`,
    noSuchChannel: (name: string) => `There is no channel ${name} here: Ctrl-K lists the channels.`,
    listChannels: "/join lists the channels to join, /go your own.",
    noMessage: "There is no message here to use.",
    noChannel: "Open a channel first.",
    noTopic: "This channel has no topic; /topic TEXT sets one.",
    topicChanged: (gone: boolean) => (gone ? "topic removed" : "topic changed"),
    muted: (channel: string, until: string) => `${channel} muted${until && ` until ${until}`}`,
    unmuted: (channel: string) => `${channel} is no longer muted`,
    channelRenamed: (name: string) => `channel renamed to ${name}`,
    renamed: (name: string) => `your name is now ${name}`,
    noTheme: (name: string, all: readonly string[]) => `There is no theme ${name}: ${all.join(", ")}.`,
  },

  /** Notices and questions. */
  notices: {
    copied: "copied",
    leave: (unsent: number, saves: number, what: "quit" | "switch") =>
      [
        unsent > 0 &&
          `${count(unsent, "message is", "messages are")} not sent yet and will be kept until you come back`,
        saves > 0 && `${count(saves, "file is", "files are")} still being saved and would be lost`,
      ]
        .filter(Boolean)
        .join(", and ") + `: ${what} anyway?`,
    cleared: (files: number, key: string) =>
      `${files > 0 ? `${count(files, "file")} removed with the text` : "cleared"}; ${key} brings it back`,
    saved: (name: string) => `saved as ${name}`,
    editLeft: "Edit cancelled; Ctrl-Y brings back its text.",
    nothingUnsent: "Everything has been sent.",
    nothingSince: "No messages here since then.",
    nothingUntil: (day: string) => `No messages here then; the next is from ${day}.`,
    nothingNew: "nothing unread",
    noWayBack: "There is no jump to go back from.",
    undo: (done: string, key: string) => `${done} · ${key} to undo`,
    deleted: "deleted",
    unpinned: "unpinned",
    reacted: "reacted",
    unreacted: "reaction removed",
    undone: (what: string) => `undone: ${what}`,
    tooLate: "It is too late to undo that.",
    more: (n: number) => `${n} more · /notices`,
    past: (n: number) => (n === 1 ? "The last notice" : `The last ${n} notices`),
    nonePast: "no notices yet",
    nothingToUndo: "Nothing to undo.",
    bigPaste: (lines: number, letters: number) =>
      `paste ${lines > 1 ? count(lines, "line") : count(letters, "character")}?`,
  },
} as const;

/** The text of an archived message that the provider no longer has. */
export const goneText = (text: string): string => `(gone) ${text}`.trimEnd();
