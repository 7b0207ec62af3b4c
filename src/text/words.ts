/** The catalogue of the screen's texts: labels, states, hints and sentences (specification/screen.md §5). */

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

/** Why the provider takes no such file, by the code of the rule. */
const BLOCKED: Readonly<Record<string, string>> = {
  size_limit: "it is larger than the provider allows",
  allowed_file_extensions: "the provider takes only files with other endings",
  blocked_file_extensions: "the provider takes no files with this ending",
  allowed_mime_types: "the provider takes only other kinds of files",
  blocked_mime_types: "the provider takes no files of this kind",
};

/** A code in words; what is none already is words. */
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
const NO_POLL = "That message holds no poll.";
const POLL_CLOSED = "The poll is closed.";

export const words = {
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
    noChannel: "no channel",
    menu: "In the list",
    channels: (n: number) => count(n, "channel"),
    sectionOf: (title: string) => `Section of ${title}`,
    newSection: (name: string) => `New section “${name}”`,
    noSection: "In no section",
    typeSection: "type a name for the section",
    chooseFirst: "Choose a channel first.",
    kept: {
      pinned: (title: string, on: boolean) =>
        on ? `${title} is pinned in your list` : `${title} is pinned no longer`,
      archived: (title: string, on: boolean) =>
        on ? `${title} is in your archive` : `${title} is out of your archive`,
    },
    theMove: "that",
    byHand: "The list keeps your order from now on; /settings sidebar.order changes that.",
  },

  /** Inbox, Threads, Later and Drafts. */
  lists: {
    fresh: (n: number) => `${thousands(n)} new`,
    counted: {
      inbox: (n: number) => `${thousands(n)} waiting`,
      threads: (n: number) => `${thousands(n)} unread`,
      later: (n: number) => `${thousands(n)} due`,
      drafts: (n: number) => thousands(n),
      pins: (n: number) => thousands(n),
    },
    empty: {
      inbox:
        "Nothing waits for you. Mentions, direct messages and other unread channels come here; muted and archived ones never do.",
      threads:
        "You take part in no thread yet. Threads you begin, answer or are mentioned in come here: t on a message opens its thread.",
      later:
        "Nothing is kept for later. On a message, s saves it here and R sets a time to be reminded of it.",
      drafts: "No drafts elsewhere. What you write and do not send stays in its box, and is listed here.",
      pins: "Nothing is pinned in this channel. p on a message pins it for everybody.",
    },
    failed: (why: string) => `could not be loaded: ${why} · Enter tries again`,
    read: {
      inbox: (n: number) => `${count(n, "channel")} read`,
      threads: (n: number) => `${count(n, "thread")} read`,
    },
    theMark: "the read mark",
    theMarks: "the read marks",
    theDraft: "that",
    discarded: "draft thrown away",
    nothingUnread: "Everything is read already.",
    readAlready: "This is read already.",
    onlyReads: "Only Inbox and Threads can be marked read.",
  },
  /** The line over the messages of a channel with pins. */
  pins: {
    label: (n: number) => (n > 1 ? `pinned · 1 of ${thousands(n)}` : "pinned"),
    inThread: (who: string) => `${who} · thread`,
  },
  later: {
    overdue: "Due",
    upcoming: "Soon",
    bookmark: "Someday",
    due: "due",
    in: (time: string) => `in ${time}`,
    removed: "removed from Later",
    when: "Remind me",
    noTime: "without a time",
    saved: "saved for later",
    set: (time: string) => `reminder at ${time}`,
    hasTime: (time: string) => `It is in Later already, for ${time}: R changes that.`,
    chooseFirst: CHOOSE_A_MESSAGE,
    opens: (key: string) => `${key} opens it`,
    hint: "a time to come, such as in 10 min, 18:30, 6 pm, monday 9:00 or 2026-12-01",
    theReminder: "that",
  },

  /** Campaigns in the panel. */
  campaigns: {
    title: "Campaigns",
    one: "Campaign",
    none: "There is no campaign yet: parley campaign new makes one.",
    noSecret: "Campaigns need the app's secret: parley help ops.",
    stop: (id: string) => ({
      question: `Stop campaign ${id}? What was sent stays sent.`,
      done: `campaign ${id} is stopped`,
    }),
    stalled: "stalled",
    aSecond: (rate: number) => `${rate} a second`,
    labels: {
      state: "state",
      sent: "messages",
      people: "people",
      rate: "rate",
      left: "left",
      missed: "not reached",
      text: "text",
    },
  },

  /** The tour of a newcomer; what to do names the keys it is given. */
  tour: {
    title: "Tour",
    label: (n: number, of: number) => `tour ${n} of ${of}`,
    more: "/tour has all",
    steps: {
      reply: "Reply in a thread",
      react: "React",
      vote: "Vote in a poll",
      search: "Search",
      attach: "Attach a file",
      save: "Save for later",
      theme: "Change the colours",
      leave: "Leave",
    },
    how: {
      reply: (esc: string, key: string) => `${esc}, ${key} on a message, write, Enter`,
      react: (esc: string, key: string) => `${esc}, ${key} on a message, a name, Enter`,
      vote: (esc: string, key: string) => `write poll, and when it is there ${esc}, ${key}`,
      search: (key: string) => `${key} and a word`,
      attach: (key: string) => `${key}, choose, Enter`,
      save: (esc: string, key: string) => `${esc}, ${key} on a message`,
      theme: () => "/theme, move, Enter",
      leave: (key: string) => `${key} twice, or /quit`,
    } as Readonly<
      Record<
        "reply" | "react" | "vote" | "search" | "attach" | "save" | "theme" | "leave",
        (...keys: string[]) => string
      >
    >,
    voteWithoutGuide: (esc: string, key: string) => `/poll asks one; on a poll ${esc}, ${key}`,
    attachWriting: (key: string) => `${key} while writing, choose, Enter`,
    did: (step: string, n: number, of: number) => `${step} · ${n} of ${of}`,
    again: "Begin again",
    off: "End the tour",
    ended: "The tour is over; /tour brings it back.",
  },

  /** The channels one is not in yet. */
  joining: {
    title: "Join a channel · type its name",
    named: (id: string) => `join ${id}`,
    none: "no channel that you could join; #id or type:id joins one by its id",
  },

  /** Lists in which one of several values holds. */
  around: { now: "now" },
  themes: {
    title: "Theme · shown as you move, Esc leaves it as it was",
    auto: "dark or light, as the terminal says its background is",
    own: (file: string) => `your own: ${file}`,
    fault: (first: string, more: number) => (more > 0 ? `${first}, and ${count(more, "more fault")}` : first),
  },
  quiet: {
    title: "Do not disturb",
    hint: "a time to come, such as 2h, 18:30 or tomorrow 9am, or off",
    until: (time: string) => `until ${time}`,
    off: "notices come again",
    past: "That time is over already.",
    on: (until: string) => `no notices until ${until}`,
    over: "notices come again",
    left: (left: string) => `quiet ${left}`,
    levelTitle: (channel: string) => `Notices of ${channel}`,
    levels: {
      all: "all messages",
      mentions: "mentions of you and your words",
      none: "nothing",
      default: "as the setting says",
    },
    levelSet: (level: string) => `notices of this channel: ${level}`,
    noLevel: (word: string) => `There is no level ${word}: all, mentions, none and default.`,
    status: (text: string) => `others see you with: ${text}`,
    noStatus: "your status is taken away",
    due: "A reminder is due",
    hidden: { message: "a new message", reminder: "something you wanted to come back to" },
    failed: (why: string) => `Your program for notices could not be run: ${why}`,
  },
  keyFile: {
    kept: "Your keys are kept, and count from now on.",
    again: "Your keys were read again.",
    faults: (first: string, more: number) =>
      more > 0 ? `${first}, and ${count(more, "more fault")}` : first,
    refused: (fault: string) => `That cannot be a line of your keys: ${fault}.`,
  },
  settings: {
    title: "Settings",
    empty: "(empty)",
    usual: "default",
    says: (from: string) => `${from} says so.`,
    overruled: (from: string, value: string) => `${from} says ${value}: that counts at the next start.`,
    nextStart: "It counts from the next start on.",
    takeBack: (usual: string) => `back to the default, ${usual}`,
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
    picture: "Picture",
    map: "Map",
    pinned: "Pinned messages",
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
    looking: "looking…",
    found: (n: number, more: boolean) => `${count(n, "message")}${more ? " · more below" : ""}`,
    held: (n: number) => `${count(n, "message")} held here · asking…`,
    heldOnly: (n: number) => `${count(n, "message")} held here`,
    unanswered: (why: string) => `The provider was asked and did not answer: ${why}`,
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
        asked.timed && " in that time",
        asked.places.length > 0 ? ` in ${names(asked.places)}` : " in all your channels",
      ]
        .filter((part) => part !== false)
        .join(""),
    goByNumber: (more: boolean) =>
      `${more ? "There is more: narrow it. " : ""}/go NUMBER goes to one of them.`,
    last: "That was the last one found.",
    first: "That was the first one found.",
    none: "Search for something first.",
    coming: "More is on its way.",
  },

  /** The connection, as both faces say it. */
  link: {
    catchingUp: "catching up…",
    retrying: (seconds: number) => (seconds > 0 ? `retrying in ${seconds} s` : "retrying…"),
    idle: "not connected",
    slow: (ms: number) => `slow: ${thousands(ms)} ms`,
    /** Why the provider does not accept who connects, by its error code. */
    refused: {
      2: "the provider does not know this API key",
      5: "the provider does not accept this user or token",
      17: "this user may not connect",
      40: "the token has expired or was revoked",
      41: "the token is not valid yet",
      42: "the token is from the future: look at the clock",
      43: "the token was not signed for this app",
      99: "the app is suspended",
    } as Readonly<Record<number, string>>,
    /** The same where there is little room. */
    refusedShort: {
      2: "unknown API key",
      5: "user or token refused",
      17: "not allowed to connect",
      40: "token expired or revoked",
      41: "token not valid yet",
      42: "token from the future",
      43: "token of another app",
      99: "app suspended",
    } as Readonly<Record<number, string>>,
    /** Where no code says why. */
    refusedOtherwise: "the provider does not accept this sign-in",
    signedOut: "signed out",
    /** `how`: a line of the box, or of the shell where lines are all there is. */
    signIn: (how: string) => `${how} or Enter tries again`,
    again: "Enter tries again",
    tryNow: "Enter tries now",
    ended: "the provider ends the connection",
    notYet: "the connection cannot be made yet",
    endedShort: "connection ended",
    next: (seconds: number) => (seconds > 0 ? `next try in ${seconds} s` : "trying"),
  },

  /** A request that nobody answered, for whoever asked for it. */
  unanswered: (neverSent: boolean, why = "it took too long") =>
    neverSent
      ? `Not done, the provider is not reached: ${why}. Try again once the header says online.`
      : `The provider did not answer: ${why}. It may have been done all the same.`,

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
    allSaved: "All of them are in Later already.",
    saved: (messages: string) => `${messages} saved for later`,
  },

  forwarding: {
    none: "None of them can be forwarded.",
    title: (messages: string) => `Forward ${messages} to`,
    from: (name: string, where: string) => (where ? `↪ ${name} in ${where}` : `↪ ${name}`),
    done: (where: string) => `forwarded to ${where}`,
  },

  removing: {
    theDelete: "the delete",
    notYours: "That message is not yours to delete.",
    noneYours: "None of them is yours to delete.",
    many: (messages: string, stay: number) =>
      stay > 0 ? `${messages} deleted, ${stay} not yours` : `${messages} deleted`,
    someKept: (kept: number) => `Only ${kept} could be taken back: it is too late for the others.`,
    forMe: "deleted for you",
    forGood: (said: string) => `Delete “${said}” for good? Nothing brings it back.`,
  },

  /** What moderation sent back. */
  bounce: {
    held: "held back by moderation",
    edit: "e edit",
    retry: "r send anyway",
    drop: "x delete",
    boxFull: "Send or clear what stands in the box first.",
  },

  flagging: {
    title: (what: string) => `Report: why? · ${what}`,
    own: "That message is your own.",
    reasons: ["Spam", "Harassment", "Hate", "Violence or threats", "Nudity", "Something else"],
    done: "reported to the moderators",
    theReport: "the report",
    hint: "the reason in your own words, then Enter",
  },

  people: {
    anHour: "for an hour",
    eightHours: "for eight hours",
    yourself: "That is you.",
    write: "Write to them",
    mute: "Mute",
    untilUnmuted: "until I unmute",
    unmute: "Unmute",
    block: "Block: their direct messages are hidden",
    unblock: "Unblock",
    report: "Report to the moderators",
    remove: (where: string) => `Remove from ${where}`,
    ban: (where: string) => `Ban from ${where}`,
    unban: (where: string) => `Let back into ${where}`,
    forGood: "for good",
    that: "that",
    muted: (name: string) => `${name} muted`,
    unmuted: (name: string) => `${name} unmuted`,
    blocked: (name: string) => `${name} blocked`,
    unblocked: (name: string) => `${name} unblocked`,
    removed: (name: string) => `${name} removed`,
    banned: (name: string) => `${name} banned`,
    unbanned: (name: string) => `${name} may write again`,
    nobodyBlocked: "You have blocked nobody.",
    blockedTitle: "People I blocked",
    unblocks: "Enter unblocks",
  },

  /** The panel about a message. */
  about: {
    /** Of a big channel only some of the members are known: there are at least so many. */
    read: (n: number, isAll: boolean) => `Read by ${n}${isAll ? "" : " or more"}`,
    reached: (n: number, isAll: boolean) => `Delivered to ${n}${isAll ? "" : " or more"}, not read`,
    before: "What it said before",
    until: (time: string) => `until ${time}`,
    unseen: "It was edited, but not while this machine saw it.",
    nothing: "Nobody has reacted to it or read it yet, and it was never edited.",
    gone: "That message is not held any more.",
    more: (n: number) => ` and ${n} more`,
  },

  /** How a message is shown by choice. */
  showing: {
    noSpoiler: "That message hides nothing.",
    noText: "There is no text to translate.",
    yours: "That message is in your language.",
    translated: (from: string) => (from ? `translated from ${from}` : "translated"),
  },

  /** Letters over what can be pressed. */
  hinting: {
    none: "There is nothing here to press.",
    type: (typed: string) => (typed ? `type the letters · ${typed}` : "type the letters"),
  },

  /** Texts of one's own. */
  /** A screen that only looks. */
  readOnly: {
    refused: "This screen only looks (--read-only): nothing is sent, changed or marked.",
    box: "read-only · nothing is sent, changed or marked",
  },
  /** What stands in the title. */
  header: {
    unavailable: "no longer available",
    keptUnread: "kept unread",
  },
  /** Hints of the last line, behind their keys. */
  status: {
    normalMode: "normal mode",
    throwAway: "throw away",
    alsoChannel: "also to the channel",
    againLeaves: (key: string) => `${key} again leaves`,
    unsent: (n: number) => `${n} unsent`,
    takesBack: (key: string, what: string) => `${key} takes back ${what}`,
    doIt: (key: string) => `${key} do it`,
    typeToSearch: "type to search",
    votes: (first: string, last: string) => `${first === last ? first : `${first}-${last}`} vote`,
    disk: "disk trouble",
  },
  /** What came of a line that says nothing of it in words of its own. */
  results: {
    done: (line: string) => `done: ${line}`,
    nothing: (line: string) => `nothing to show: ${line}`,
  },
  /** What cannot be done with a message, and what was. */
  acting: {
    chooseFirst: CHOOSE_A_MESSAGE,
    notThere: "That message is not there to act on.",
    neither: (typed: string) =>
      `There is no message ${typed}, and it is no time such as yesterday, 09:30 or 2026-12-01.`,
    notAllowed: (capability: string) => `This channel does not allow that (${capability}).`,
    notYours: "That message is not yours to edit.",
    notContained: (text: string) => `My last message does not contain “${text}”.`,
    onlyReplies: "Only a reply in a thread can also be shown in the channel.",
    onlyChannel: "Only messages of the channel itself can be marked unread.",
    onlyUnsent: "Only a message that was not sent can be dropped; d deletes.",
    onlyWeb: "Only http and https addresses are opened.",
    opened: (name: string) => `opened ${name} in the browser`,
    noOpener: "Nothing on this machine opens addresses.",
    copiedInstead: "Nothing on this machine opens addresses: it is copied instead.",
    noEditor: (editor: string) =>
      `The editor ${editor} was not found: EDITOR, or /settings editor, names another one.`,
    reaction: "the reaction",
    pin: "the pin",
    noReaction: "Nobody has reacted yet: + chooses an emoji.",
    noButton: (n: number) => `The message has no button ${n}.`,
    noPoll: NO_POLL,
    pollClosed: POLL_CLOSED,
    noOption: (n: number) => `The poll has no option ${n}.`,
    noPinned: (n: number) => `There is no pinned channel ${n}.`,
    tooLong: "Too long for the terminal's clipboard.",
    keptUnread: "kept unread from here",
    jump: "Jump to a date, a message id or its address",
    drop: (text: string) => `Drop “${text}”? It was not sent.`,
    dropGone: (text: string) => `The channel of “${text}” is gone, so it cannot be sent. Drop it?`,
    below: (n: number) => count(n, "new message"),
  },
  /** Folders of this machine. */
  disk: {
    none: "There is no such folder.",
    file: "That is a file, not a folder.",
    forbidden: "That folder may not be read.",
    unreadable: (code: string) => `That folder cannot be read (${code}).`,
  },
  /** What another program asks of the screen. */
  remote: {
    onlyCommands: "Only a command can be sent to a screen, like /search tea; parley send says something.",
  },
  /** Lists, questions and the help. */
  popups: {
    goto: "Go to",
    palette: "Actions and commands",
    date: "a date, a time, a message id or its address, or search WORDS",
    nothing: "nothing like that",
    favourite: "★",
    typeWord: (word: string) => `Type ${word} and Enter; Esc leaves it.`,
    yesNo: "y yes · n or Esc no",
    enterYesNo: "Enter or y yes · n or Esc no",
    sure: "Sure?",
    certain: "Are you sure?",
    keys: "Keys · type to search",
    /** In the order of the help. */
    sections: {
      global: "Anywhere",
      write: "Writing",
      normal: "In the normal mode of the box",
      complete: "Completing",
      browse: "Browsing messages",
      list: "In Inbox, Threads, Later and Drafts",
      sidebar: "In the sidebar",
      search: "In the search",
      popup: "In a list",
      members: "In the members of a channel",
      files: "In the files of a channel",
      picture: "In a picture of a channel",
      map: "On the map",
      campaign: "On a campaign",
      chooseFiles: "Choosing files, besides those of a list",
      form: "In the form of a poll",
    },
  },
  /** Where only lines are printed. */
  plain: {
    begin: "Parley. /help lists what can be typed.",
    help: "Type to send. /go NAME opens a channel, /next the next unread one, /who lists the members, /search WORDS finds messages, /attach FILE… puts files to the next message, /files lists those of the channel, /inbox, /threads, /later and /drafts list what waits, /pins what is pinned here, /quit leaves; commands such as /react work as on the screen.",
    openFirst: "Open a channel first: /go NAME",
    moreMembers: (n: number, cid: string) =>
      `… ${count(n, "more member")}: parley member list -c ${cid} --all, in a shell`,
    noChannel: "No such channel.",
    needsYes: (question: string) => `${question} Use the shell's --yes for that.`,
  },
  completion: {
    open: "you can join it",
  },
  snippets: {
    title: "Snippets",
    none: "You have no snippets yet: /snippet add NAME TEXT keeps one; {cursor} in it is where writing goes on.",
    howToAdd: "A snippet needs a name and a text: /snippet add thanks Thank you, {cursor}!",
    kept: (name: string, again: boolean) =>
      again ? `${name} has its new text.` : `${name} is kept: /snippet ${name} puts it in.`,
    removed: (name: string) => `${name} is removed.`,
    unknown: (name: string, near: string) => `There is no snippet '${name}'${near}; /snippet lists them.`,
  },

  /** What is written, as others will see it. */
  preview: {
    now: (on: boolean) =>
      on ? "Preview on: what you write is shown as others will see it." : "Preview off.",
  },

  /** The normal mode of the box. */
  vim: {
    begun: (keys: string) => `${keys}… · a motion, a letter or an object such as iw · Esc drops it`,
  },

  /** Marks and rows of a message. */
  message: {
    onItsWay: "My last message is still on its way: change it when it has arrived.",
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
    readBy: (n: number) => `✓✓ ${n}`,
    failed: "not sent",
    waits: {
      turn: "waits for the message before it",
      answer: "waits for the answer",
      network: "waits for the network",
      rateLimit: "waits for the rate limit",
      slowMode: "waits for slow mode",
      signIn: "waits for you to sign in",
      undo: "can be taken back",
    },
    until: (time: string) => `until ${time}`,
    changes: { edit: "edit not sent yet", delete: "deletion not sent yet", react: "reaction not sent yet" },
    failedKeys: "r retry · x drop",
    struck: (text: string) => `(struck out: ${text})`,
    repliesTold: (n: number) => count(n, "reply", "replies"),
    reactions: (list: string) => `reactions: ${list}`,
    quoting: (said: string) => `quoting ${said}`,
    replies: (n: number) => `${count(n, "reply", "replies")} ›`,
    alsoInChannel: "also sent to the channel",
    repliedInThread: "replied in a thread",
    more: (rows: number) => `… ${count(rows, "more row")} · v full text`,
    moreAttachments: (n: number) => `… ${count(n, "more attachment")}`,
    empty: "(no text)",
    nobody: "someone",
    bookmarked: "bookmarked",
    reminderIn: (time: string) => `reminder in ${time}`,
    reminderDue: "reminder due",
    new: (n: number) => (n > 0 ? `new · ${n}` : "new"),
    gap: "messages are missing here · ⏎ load",
    older: "older messages · ⏎ load",
    loading: "loading…",
    quoteGone: "quoted message deleted",
    quotes: (author: string, text: string) => `quote ${author} · ${text}`,
    edits: (text: string) => `edit · ${text}`,
    editsChanged: (text: string) => `edit · changed meanwhile, now: ${text}`,
    editsDeleted: "edit · the message has been deleted meanwhile",
    threadGone: "This thread is gone: the message it hung on was deleted for good.",
    refusedBack: (inBox: boolean) =>
      `The thread of that reply is gone, and it was refused. ${inBox ? "What you wrote stands in the box again." : "Empty the box, then Ctrl-P and Unsent bring back what you wrote."}`,
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
    queued: "waits for upload",
    failed: "upload failed",
  },

  /** Pictures in the stream and in the panel. */
  pictures: {
    notShown: (why: string) => `not shown: ${why}`,
    elsewhere: (host: string) => `fetched from ${host} when it is opened`,
    pixels: (width: number, height: number) => `${width} × ${height} pixels are too many`,
    refused: {
      bytes: "the file is larger than 25 MB",
      type: "only PNG, JPEG, WebP and GIF are drawn",
      damaged: "the file is damaged or no picture",
      time: "decoding it takes too long",
      missing: "the package @napi-rs/image, which decodes pictures, is not installed",
      fetch: "it could not be fetched",
    },
    loading: "loading…",
    oldest: "There is no older picture here.",
    newest: "That is the newest picture.",
    place: (n: number, of: string) => `${n} of ${of}`,
    switched: (says: string) => `Pictures: ${says}`,
  },

  /** Files that go with a message, and the list they are chosen from. */
  files: {
    attach: "Attach files",
    save: "Save in which folder?",
    folder: "folder",
    special: "no file",
    reading: "reading…",
    empty: "nothing here",
    none: "There is no such file.",
    keys: "Space marks · ← folder above",
    marked: (n: number) => `${n} marked · ⏎ attaches`,
    matching: (n: number) => `${n} fit · ⏎ attaches`,
    nowhere: OPEN_A_CHANNEL,
    editing: "An edit takes no files: save it first.",
    dropped: (n: number, key: string) =>
      `${n === 1 ? "1 file" : `${n} files`} instead of text${key && ` · ${key} puts the text back`}`,
    which: "Attach which file? /attach FILE…",
    waiting: "goes with the next message",
    here: "save in this folder",
    saveKeys: "⏎ saves here or opens · ← folder above",
    saveWhich: "Save which file?",
    all: (n: number) => `all ${n} files`,
    noFile: "There is no file in that message.",
    link: "link",
    noneHere: "No files and no links here.",
    nothingToOpen: "There is no link and no file in that message.",
    notSaved: (name: string, why: string) => `${name} was not saved: ${why}`,
    saving: (percent: number) => `saving ${percent} %`,
    takeOff: "Take off which file?",
    retryWhich: "Try which one again?",
    retryAll: (n: number) => `all ${n} that failed`,
    noUpload: "No file hangs on the message.",
    tooLong: (length: number, most: number, name: string) =>
      `The message has ${thousands(length)} characters and may have ${thousands(most)}. Make it the file ${name}?`,
    noneNamed: (name: string) => `Nothing named ${name} hangs on the message; /detach alone takes all off.`,
    noneFailed: "No upload has failed.",
    label: "files",
    waits: "waits",
    retry: "retry",
    failed: (reason: string) => `failed: ${reason}`,
    blocked: (reason: string) => `blocked: ${blockedWhy(reason)}`,
    /** What helps: a file that is not allowed will not be allowed the next time. */
    notGoing: (
      { failed, blocked }: { failed: readonly string[]; blocked: readonly string[] },
      keys: { takeOff: string; retry: string },
    ) =>
      [
        "Nothing was sent",
        ...(blocked.length > 0
          ? [
              `${names(blocked, 3)} may not go: ${keys.takeOff} takes ${blocked.length === 1 ? "it" : "one"} off`,
            ]
          : []),
        ...(failed.length > 0
          ? [`${names(failed, 3)} did not go up: ${keys.retry} tries again, ${keys.takeOff} takes it off`]
          : []),
      ].join(" · "),
    more: (n: number) => `… ${n} more`,
  },

  /** Why nothing came from the clipboard, and what to do. */
  clipboard: {
    empty: "The clipboard holds no picture, no file and no text.",
    ssh: "Over SSH no clipboard is read: copy the file here, then Ctrl-O.",
    noDesktop: "There is no desktop with a clipboard: Ctrl-O chooses files.",
    missing: (program: string, from: string) =>
      `No ${program} to read the clipboard: install ${from}, or Ctrl-O.`,
    gone: "The files on the clipboard are not there any more.",
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
      title: "Ask in a poll",
      foot: "space ticks a box",
      noChannel: OPEN_A_CHANNEL,
      question: "Question",
      about: "Description",
      option: (n: number) => `Option ${n}`,
      one: "One vote each",
      most: "Votes each, 2 to 10",
      anonymous: "Anonymous",
      suggestions: "Others add options",
      comments: "Others comment",
      yesNo: "Fill in: Yes / No",
      dates: "Fill in: the next five days",
      create: "Create the poll",
      answers: ["Yes", "No"],
    },
    card: {
      vote: "Vote",
      option: "Add an option",
      comment: "Comment in my own words",
      typeOption: "type the option, then Enter",
      typeComment: "type the comment, then Enter",
      none: NO_POLL,
      closed: POLL_CLOSED,
      gone: "The poll is gone: its message was deleted.",
      optionGone: "That option is no longer in the poll.",
      allGiven: (n: number) =>
        n === 1
          ? "Your one answer is given: vote for it again to take it back."
          : `Your ${n} answers are given: vote for one of them again to take it back.`,
      noComments: "This poll takes no comments.",
      noOptions: "Only its author may add options to this poll.",
      notYours: "Only its author may end a poll.",
      endIt: (name: string) => `End the poll “${name}”? Nobody can vote after that.`,
      nobody: "nobody yet",
      anonymous: "Who voted is known to nobody: the poll is anonymous.",
      more: (n: number) => `${count(n, "more vote")} (/poll votes lists them)`,
    },
  },

  map: {
    me: "me",
    nobody: "nobody shares a location here now",
    browser: "the place in the browser's map",
    free: "moved by hand · c centres",
    follows: (name: string) => `follows ${name}`,
    sharing: {
      where: "Where are you? A town, or 52.37,4.89",
      whereNow: "Where are you now? A town, or 52.37,4.89",
      howLong: "For how long? Choose, or type 45m, 2h",
      live: (time: string) => `Live for ${time}`,
      still: "Only this place: it does not move",
      noChannel: OPEN_A_CHANNEL,
      none: "You share no location now.",
      moved: (place: string) => `you are at ${place} now`,
      button: "[stop sharing]",
      stopIt: "Stop sharing your location?",
      stopped: "your location is shared no more",
      unsent: "your location had not gone out yet, and is not sent",
      stopsThen: "Your location is on its way; its sharing ends as soon as it is there.",
      label: "sharing",
      status: (n: number, time: string) =>
        `sharing your location${n > 1 ? ` in ${n} places` : ""} · ${time} left`,
      shortStatus: (time: string) => `sharing · ${time}`,
      typePlace: "type the name of a town, or where you are as 52.37,4.89",
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
    gone: "this channel is gone or no longer yours to read",
    stale: "from before the last connection",
    empty: "Nothing here yet. Say something.",
    none: "Choose a channel with Ctrl-K.",
    /** Nobody is a member of anything yet: what can be done, and what to type for it. */
    first: {
      title: "You are in no channel yet. Type what you want to do:",
      ways: [
        ["make a channel", "a new one, with its people"],
        ["join a channel", "one whose name you know"],
        ["write to somebody", "a direct channel"],
        ["another profile", "go to it, or add one with /login"],
        ["show the keys", "F1 shows them, too"],
      ],
      end: "Ctrl-C twice leaves.",
    },
    typing: (list: readonly string[]) =>
      list.length === 0
        ? ""
        : list.length > 3
          ? "several people are typing…"
          : `${names(list, 3)} ${list.length === 1 ? "is" : "are"} typing…`,
    left: (n: number) => (n >= 0 ? `${thousands(n)} left` : `${thousands(-n)} too many`),
    draftKept: "draft kept",
    invited: "invited",
    invite: "You are invited: /accept or /reject",
    shut: {
      gone: "This channel is gone or no longer yours to read",
      disabled: "This channel is disabled",
      bannedEverywhere: (until: string) => `You are banned${until && ` until ${until}`}`,
      banned: (until: string) => `You are banned in this channel${until && ` until ${until}`}`,
      frozen: "This channel is frozen: nothing new can be posted",
    },
    slowMode: (time: string) => `slow mode · ${time}`,
    message: (place: string) => `message ${place}`,
    reply: "reply",
    alsoTo: (place: string) => `also to ${place}`,
    start: "the beginning of this channel",
  },

  /** One-line hints of keys, by where one is; the action table fills the keys in where they can be bound. */
  hints: {
    write: "⏎ send · ^J newline · ^K go · Esc browse · F1 help",
    browse: "r reply · + react · e edit · q quote · ? help",
    popup: "↑↓ choose · ⏎ take · Esc close",
  },

  /** Messages that go out later. */
  scheduled: {
    title: "Written for later",
    one: "What with it?",
    when: "Send it when?",
    hint: "a time to come, such as 2h, 18:30, 6 pm, tomorrow 9:00 or 2026-12-01",
    set: (time: string) => `goes out ${time}, by whichever Parley of this profile runs then`,
    none: "Nothing is written for later: /schedule 09:30 TEXT, or a time for what stands in the box.",
    noTime: "Begin with a time to come: /schedule 09:30 TEXT, /schedule 2h TEXT.",
    nothing: "Write something first: it goes out at the time you choose.",
    tooLate: "It went out already.",
    busy: "Another Parley that runs has it: take it back there.",
    elsewhere: "in another Parley",
    dropped: "thrown away",
    takeBack: { done: "sent", what: "the message" },
    choices: {
      edit: "Take it back into the box",
      move: "Choose another time",
      now: "Send it now",
      drop: "Throw it away",
    },
  },

  /** Short forms. */
  forms: {
    title: {
      newChannel: "New channel",
      editChannel: "This channel",
      write: "Write to",
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
      write: { members: "Who" },
      invite: { members: "Who" },
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
    /** What a field means that is left empty. */
    empty: {
      newChannel: {
        id: "made of the name",
        type: "messaging if private, else livestream",
        members: "you alone",
      },
      write: { members: "@ana, or several" },
      profile: { status: "words beside your name" },
      login: {
        name: "a word for this account, such as work",
        key: "of the app: who runs it knows it",
        token: "paste it: who runs the app makes it for you",
        secret: "of the app: who has it may act as anybody",
        command: "a program and its words, run at each start",
        user: "the one that a token names, else as whom you speak",
      },
    } as Readonly<Record<string, Readonly<Record<string, string>>>>,
    kinds: {
      token: "a token · Space for another way",
      secret: "the app's secret · Space for another way",
      command: "a command that prints a token · Space",
    } as Readonly<Record<string, string>>,
    open: "everybody may read and join",
    closed: "its members alone may read",
    offered: (all: readonly string[]) => `Tab takes ${all.join(" · ")}`,
    leave: (channel: string) => `Leave ${channel}? You need an invitation to come back where it is private.`,
    left: (channel: string) => `you left ${channel}`,
    foot: "⏎ next · ^J does it · Esc closes",
    done: {
      newChannel: "the channel is there",
      editChannel: "the channel was changed",
      write: "here you are",
      invite: "added to the channel",
      profile: "your profile was changed",
      login: "signed in",
    },
    busy: "one moment…",
    noUser: "The token names no user: write the user id, too.",
    noCredentials: {
      token: "Profile, API key and token are needed.",
      secret: "Profile, API key and secret are needed.",
      command: "Profile, API key and command are needed.",
    },
    noUserOf: {
      secret: "Write the user id, too: as whom you want to speak.",
      command: "Write the user id, too: the one whose token the command prints.",
    },
    noName: "Give it a name, or an id of letters and digits.",
    noPeople: "Name at least one person, as @ana or by name.",
  },

  /** Other accounts of this machine. */
  profiles: {
    title: "Profile",
    here: (name: string) => `This is the profile ${name}.`,
    none: (name: string, all: readonly string[]) =>
      `There is no profile ${name}: ${firstFew(all)}. /login adds one.`,
    local: "this machine",
    another: "Sign in to another provider…",
    /** After a sign-in, on the screen of that profile. */
    signedIn: (user: string, name: string, before: string | undefined) =>
      `Signed in as ${user}. ${before === undefined ? "" : `${name} opens from now on; /profile ${before} goes back.`}`.trim(),
    failed: (name: string, why: string) => `The profile ${name} could not be opened: ${why}`,
  },

  /** What lines of the box say. */
  /** What the screen does not do, under the words by which it is looked for. */
  elsewhere: [
    {
      title: "Calls and recording are not in Parley",
      says: "It is for text, files and pictures; a recording made elsewhere is sent with /attach and can be played from its message.",
      sought:
        "call calls voice video audio record huddle meeting camera phone screenshare microphone message messages",
    },
    {
      title: "Letters and their size are your terminal's",
      says: "Most make them bigger by Ctrl-+ and smaller by Ctrl--; /theme chooses the colours, /settings messages.width how wide texts are.",
      sought: "font fonts size zoom bigger smaller larger compact density cozy",
    },
    {
      title: "Parley keeps no password and no address of yours",
      says: "Who you are is said by the token of your profile: /login signs in again or to another provider, and an account is ended where you got it.",
      sought: "password passwords 2fa email encryption privacy security username delete account",
    },
    {
      title: "Export, backup and archives are commands of the shell",
      says: "In a shell, parley export writes messages to files and parley archive keeps whole channels in a folder; O saves a file of a message here.",
      sought: "export backup print dump transcript",
    },
    {
      title: "Version, update and what is wrong here are told in the shell",
      says: "In a shell, parley --version names the version, npm update -g brings a newer one, and parley doctor looks for what is wrong.",
      sought:
        "version update upgrade bug bugs doctor debug log logs about diagnose feedback support contact changelog restart",
    },
    {
      title: "Bots, webhooks and imports are commands of the shell",
      says: "In a shell, parley help ops lists what runs an app: webhooks, imports, roles, campaigns; parley mcp serves assistants.",
      sought:
        "bot bots webhook webhooks plugin plugins integration integrations app apps import admin blocklist word filter filters",
    },
    {
      title: "The language of the screen is English",
      says: "T translates a message where the provider can; /settings time.date and time.format choose how dates and times are written.",
      sought: "language languages locale lang english spellcheck spelling",
    },
    {
      title: "Who is in a channel decides who hears you",
      says: "There is no @here and no @everyone: @ with a name mentions somebody, and a role or a group where the provider has them.",
      sought: "@here here @everyone everyone @channel",
    },
    {
      title: "Text is marked with Markdown",
      says: "**bold**, _italic_, ~~struck~~, `code` and ||spoiler||; three ` on a line of their own begin and end a block. Preview shows it as others will see it.",
      sought: "bold italic underline strike code spoiler format formatting shrug tableflip",
    },
    {
      title: "What was said is not cleared from the screen alone",
      says: "/channel hide hides a channel from you until somebody writes; /channel truncate empties it for everybody, where you may.",
      sought: "clear cls clearchat history purge prune",
    },
    {
      title: "Moderators and roles are made in the shell",
      says: "In a shell, parley member promote and demote make and unmake moderators of a channel, with the app's secret.",
      sought: "op deop promote demote mod moderator moderators role roles admin owner",
    },
    {
      title: "Moving pictures come by /giphy",
      says: "Where the channel has that command, /giphy with a word offers some; any other is attached as a file with /attach.",
      sought: "gif gifs giphy tenor",
    },
    {
      title: "Reading alone is a way to start",
      says: "In a shell, parley chat --read-only marks nothing read, sends nothing and shows no typing; parley chat --plain prints lines.",
      sought: "read only readonly lurk invisible plain",
    },
    {
      title: "Slow mode is set by the provider of the channel",
      says: "In a shell, parley channel update sets its cooldown, where you may; /channel freeze stops new messages here.",
      sought: "slowmode slow cooldown ratelimit lock",
    },
  ],

  lines: {
    section: "Written in the box",
    missing: (name: string, args: string) => `/${name} wants words behind it: /${name} ${args}`,
    alone: (name: string, args: string | undefined) =>
      `/${name} is written by itself${args === undefined ? "" : `, or as /${name} ${args}`}. As text: //${name}`,
    see: (line: string) => `Try ${line}.`,
    inShell: (line: string) => `In a shell: ${line}.`,
    noTime: (hint: string) => `/remind wants ${hint}.`,
    muteNeedsTime: (hint: string) => `/mute wants ${hint}, or somebody: /mute @name.`,
    noSuchChannel: (name: string) => `There is no channel ${name} here: Ctrl-K finds those there are.`,
    noMessage: "There is no message here that could be meant.",
    noChannel: "Open a channel first.",
    noTopic: "This channel has no topic; /topic TEXT gives it one.",
    topicChanged: (gone: boolean) => (gone ? "topic taken away" : "topic changed"),
    channelRenamed: (name: string) => `this channel is called ${name} now`,
    renamed: (name: string) => `others see you as ${name} now`,
    noTheme: (name: string, all: readonly string[]) => `There is no theme ${name}: ${all.join(", ")}.`,
  },

  /** Things asked or said in passing. */
  notices: {
    copied: "copied",
    leave: (unsent: number, saves: number, what: "quit" | "switch") =>
      [
        unsent > 0 &&
          `${count(unsent, "message waits", "messages wait")} to be sent; kept here until you come back`,
        saves > 0 && `${count(saves, "file is", "files are")} being saved and would be given up`,
      ]
        .filter(Boolean)
        .join(", and ") + `: ${what} anyway?`,
    cleared: (files: number, key: string) =>
      `${files > 0 ? `${count(files, "file")} taken off with the text` : "cleared"}; ${key} brings it back`,
    saved: (name: string) => `saved as ${name}`,
    editLeft: "The edit was left; Ctrl-Y puts its text in.",
    nothingUnsent: "Everything has been sent.",
    noPreview: "No link of the message has a preview.",
    nothingSince: "Nothing was written here since then.",
    nothingUntil: (day: string) => `Nothing was written here then; the next is of ${day}.`,
    nothingNew: "nothing unread",
    noWayBack: "There was no jump to go back from.",
    takeBack: (done: string, key: string) => `${done} · ${key} takes it back`,
    deleted: "deleted",
    unpinned: "unpinned",
    reacted: "reacted",
    unreacted: "reaction taken away",
    takenBack: (what: string) => `taken back: ${what}`,
    tooLate: "That is too late: it cannot be taken back any more.",
    noTakeBack: "There is nothing to take back.",
    bigPaste: (lines: number, letters: number) =>
      `paste ${lines > 1 ? count(lines, "line") : count(letters, "character")}?`,
  },
} as const;
