/** The conversations of the demo workspace before the user arrives, oldest first. */

export interface StoryLine {
  by: string;
  text: string;
  /** Minutes after the previous line; 2 when absent. */
  wait?: number;
  /** A name by which other lines of the channel refer to this one. */
  label?: string;
  replyTo?: string;
  alsoInChannel?: boolean;
  quote?: string;
  mention?: string[];
  /** Reaction type → user ids. */
  reactions?: Record<string, string[]>;
  pin?: boolean;
  edited?: string;
  deleted?: boolean;
  system?: boolean;
  file?: "mockup" | "notes" | "figures";
  card?: { title: string; text: string; link: string; author?: string };
}

export interface Scene {
  type: string;
  /** Absent for a direct channel of its members. */
  id?: string;
  name?: string;
  topic?: string;
  members: string[];
  /** How many minutes ago the conversation began. */
  minutesAgo: number;
  /** How many of the newest lines the user has not read. */
  unread?: number;
  pinned?: boolean;
  muted?: boolean;
  archived?: boolean;
  lines: StoryLine[];
}

/** Placeholder for the user who opens the workspace. */
export const YOU = "$you";
const ALL = ["guide", "ana", "bo", "cy", "dana", "emil", "fatima", "hiro", "ivy", YOU];

export const STORY: readonly Scene[] = [
  {
    type: "messaging",
    id: "welcome",
    name: "welcome",
    topic: "Start here",
    members: ALL,
    minutesAgo: 30,
    unread: 3,
    pinned: true,
    lines: [
      {
        by: "guide",
        text: "**Welcome to Parley.** Everything you see runs on your own machine: no account, no network.",
        label: "hello",
        reactions: { wave: ["ana", "bo", "hiro"] },
      },
      {
        by: "guide",
        text: "Write something here and I will answer. Try the words `thread`, `react`, `poll` or `help`.",
        wait: 1,
      },
      {
        by: "guide",
        text: "Press **Ctrl-K** to go anywhere, **Esc** to browse messages, **F1** for all keys.\n\nStarted in a second terminal with `--as bob`, Parley is a second person: you will see each other type.",
        wait: 1,
        pin: true,
      },
    ],
  },
  {
    type: "messaging",
    id: "general",
    name: "general",
    topic: "Everything and nothing",
    members: ALL,
    minutesAgo: 60 * 26,
    unread: 6,
    lines: [
      {
        by: "ana",
        text: "Morning! The new terminal client is on everybody's machine now.",
        reactions: { tada: ["bo", "cy", "ivy"], "+1": ["dana"] },
      },
      { by: "emil", text: "It even works over my terrible train connection 🚄", wait: 7 },
      {
        by: "hiro",
        text: "おはようございます。日本語の幅も正しいですね 👍🏽",
        wait: 12,
        reactions: { love: ["ivy", "ana"] },
      },
      { by: "bo", text: "Small thing I like: a draft survives when I kill the window by mistake.", wait: 20 },
      { by: "cy", text: "And it never freezes while sending.", wait: 3 },
      {
        by: "dana",
        text: "Who is coming to the field trip? See #field-trip, I share my location there.",
        wait: 320,
        reactions: { raised_hand: ["emil", "fatima", "hiro"] },
      },
      {
        by: "ana",
        text: "deploy at ten?",
        wait: 540,
        label: "deploy",
        reactions: { "+1": ["bo", "cy", "emil"], eyes: ["dana"] },
      },
      { by: "bo", text: "after the freeze, please", replyTo: "deploy", wait: 2 },
      { by: "cy", text: "freeze ends at 09:45, so ten is fine", replyTo: "deploy" },
      { by: "bo", text: "then ten it is", replyTo: "deploy" },
      { by: "ana", text: "Good. I will post the checklist in #ops.", replyTo: "deploy", alsoInChannel: true },
      {
        by: "fatima",
        text: "The numbers of last week, for those who like numbers:",
        wait: 90,
        file: "figures",
      },
      {
        by: "ivy",
        text: "Reminder: the *reading group* meets on Thursday. This month: ~~chapter 4~~ chapter **5**.",
        wait: 25,
        edited: "Reminder: the *reading group* meets on Thursday. This month: chapter 4.",
      },
      { by: "emil", text: "oops, wrong channel", wait: 9, deleted: true },
      { by: "hiro", text: "Which editor is this? `Ctrl-G` opened mine, I am impressed.", wait: 4 },
      { by: "bo", text: "It asks `$EDITOR`, like a polite program.", wait: 1 },
    ],
  },
  {
    type: "team",
    id: "ops",
    name: "ops",
    topic: "Deploys and incidents",
    members: ["ana", "bo", "cy", "emil", "ci", YOU],
    minutesAgo: 60 * 20,
    unread: 2,
    pinned: true,
    lines: [
      {
        by: "ana",
        text: "**Runbook**\n\n1. freeze\n2. migrate\n3. switch\n4. watch the graphs for ten minutes\n\nIf in doubt, roll back first and ask later.",
        pin: true,
        label: "runbook",
      },
      {
        by: "ci",
        text: "Build 880 passed in 4 min 02 s.",
        wait: 200,
        card: {
          title: "Build 880 passed",
          text: "412 tests, 4 min 02 s",
          link: "https://ci.example.com/880",
          author: "ci.example.com",
        },
      },
      {
        by: "ci",
        text: "Build 881 **failed**.",
        wait: 60,
        label: "b881",
        card: {
          title: "Build 881 failed",
          text: "2 tests failed, 14 s into the suite",
          link: "https://ci.example.com/881",
          author: "ci.example.com",
        },
        reactions: { eyes: ["cy"] },
      },
      {
        by: "cy",
        text: "Looking. It is the clock test again:\n\n```ts\ntest('a token expires', () => {\n  clock.advance(3_600_000);\n  expect(isExpired(token, clock.now())).toBe(true);\n});\n```",
        replyTo: "b881",
        wait: 3,
      },
      { by: "emil", text: "Off by one millisecond? `>=` instead of `>`.", replyTo: "b881" },
      { by: "cy", text: "Exactly that. Fix is up.", replyTo: "b881", reactions: { rocket: ["ana", "emil"] } },
      { by: "ci", text: "Build 882 passed in 3 min 58 s.", wait: 22, reactions: { tada: ["cy", "ana"] } },
      { by: "bo", text: `@${YOU} can you watch the graphs after the switch?`, wait: 45, mention: [YOU] },
      { by: "ana", text: "Switch done at 10:04, all green so far.", wait: 6 },
    ],
  },
  {
    type: "team",
    id: "design",
    name: "design",
    topic: "Shapes and words",
    members: ["dana", "ivy", "fatima", "ana", YOU],
    minutesAgo: 60 * 30,
    lines: [
      {
        by: "dana",
        text: "First sketch of the empty state:",
        file: "mockup",
        label: "sketch",
        reactions: { love: ["ivy", "fatima"] },
      },
      { by: "ivy", text: "Nice and calm. Could the hint be one line shorter?", replyTo: "sketch", wait: 15 },
      { by: "dana", text: "Yes, I will cut the second sentence.", replyTo: "sketch" },
      { by: "fatima", text: "Notes from the interviews are in the file.", wait: 240, file: "notes" },
      {
        by: "ivy",
        text: "> people want to know what happens to what they typed\n\nThat is the sentence I would print on the wall.",
        wait: 18,
      },
    ],
  },
  {
    type: "team",
    id: "backend",
    name: "backend",
    topic: "Below the surface",
    members: ["bo", "cy", "emil", "hiro", "ci", YOU],
    minutesAgo: 60 * 44,
    lines: [
      {
        by: "emil",
        text: "Write-ahead logging is on. Durable commits went from 900 to 3,300 a second on the small box.",
        reactions: { fire: ["bo", "cy", "hiro"] },
      },
      { by: "hiro", text: "測定方法は? How did you measure?", wait: 5 },
      { by: "emil", text: "One row a transaction, `synchronous=FULL`, median of 15 runs.", wait: 2 },
      { by: "bo", text: "Could you put the table into the document?", wait: 30 },
      { by: "emil", text: "| mode | commits/s |\n|---|---|\n| rollback | 900 |\n| wal | 3300 |", wait: 12 },
    ],
  },
  {
    type: "messaging",
    id: "lunch",
    name: "lunch",
    topic: "The important channel",
    members: ["ana", "bo", "cy", "hiro", "ivy", YOU],
    minutesAgo: 75,
    unread: 1,
    lines: [
      { by: "ivy", text: "The new soba place opened round the corner 🍜" },
      { by: "cy", text: "I could eat.", wait: 6, reactions: { "+1": ["ana", "bo"] } },
      { by: "hiro", text: "Vote please:", wait: 11, label: "poll" },
    ],
  },
  {
    type: "messaging",
    id: "field-trip",
    name: "field-trip",
    topic: "Where is everybody",
    members: ["dana", "emil", "fatima", "hiro", "guide", YOU],
    minutesAgo: 50,
    unread: 1,
    lines: [
      { by: "fatima", text: "We meet at the harbour at noon. Bring a jacket, it is windy." },
      { by: "emil", text: "I am on the ferry already ⛴", wait: 14, reactions: { wave: ["fatima"] } },
      { by: "dana", text: "I share my location so that you find us:", wait: 20, label: "location" },
    ],
  },
  {
    type: "messaging",
    id: "random",
    name: "random",
    members: ALL,
    minutesAgo: 60 * 50,
    lines: [
      { by: "cy", text: "Today I learned that the first emoji set had 176 pictures, each 12 by 12 pixels." },
      {
        by: "ivy",
        text: "👩‍👩‍👧‍👦 would have been a challenge",
        wait: 4,
        reactions: { joy: ["cy", "bo", "emil", "dana"] },
      },
      { by: "bo", text: "||The butler did it.||", wait: 300 },
      {
        by: "dana",
        text: "Sunset from the office: https://photos.example.com/sunset",
        wait: 200,
        card: {
          title: "Sunset over the harbour",
          text: "Four minutes after rain",
          link: "https://photos.example.com/sunset",
          author: "photos.example.com",
        },
      },
    ],
  },
  {
    type: "gaming",
    id: "chess-club",
    name: "chess-club",
    members: ["hiro", "emil", "ivy", YOU],
    minutesAgo: 60 * 28,
    muted: true,
    lines: [
      { by: "hiro", text: "1. e4" },
      { by: "emil", text: "1… c5. You knew that.", wait: 30 },
      { by: "hiro", text: "2. Nf3", wait: 45, reactions: { thinking: ["emil"] } },
    ],
  },
  {
    type: "livestream",
    id: "town-hall",
    name: "town-hall",
    topic: "Every second Friday",
    members: ["ana", "fatima", YOU],
    minutesAgo: 60 * 70,
    lines: [
      { by: "ana", text: "We start in five minutes." },
      { by: "fatima", text: "Slides are shared, questions in threads please.", wait: 5, label: "slides" },
      { by: "ana", text: "When is the next one?", replyTo: "slides", wait: 40 },
      { by: "fatima", text: "In two weeks, same time.", replyTo: "slides" },
    ],
  },
  {
    type: "commerce",
    id: "order-4821",
    name: "order 4821",
    topic: "A customer",
    members: ["fatima", "dana", YOU],
    minutesAgo: 60 * 9,
    unread: 1,
    lines: [
      { by: "dana", text: "The customer asks whether the blue one ships this week." },
      { by: "fatima", text: "It does: leaves the warehouse tomorrow.", wait: 13 },
      { by: "dana", text: "Told them, they are happy. 💙", wait: 4 },
    ],
  },
  {
    type: "messaging",
    members: ["ana", YOU],
    minutesAgo: 60 * 5,
    unread: 1,
    lines: [
      { by: YOU, text: "Is the checklist the one from last time?" },
      { by: "ana", text: "Yes, plus the step with the cache.", wait: 3 },
      { by: "ana", text: "I owe you a coffee ☕", wait: 25 },
    ],
  },
  {
    type: "messaging",
    members: ["hiro", YOU],
    minutesAgo: 60 * 31,
    lines: [
      { by: "hiro", text: "明日、時間ありますか? Half an hour about the index?" },
      { by: YOU, text: "Tomorrow at three works.", wait: 9, reactions: { "+1": ["hiro"] } },
    ],
  },
  {
    type: "messaging",
    id: "offsite-spring",
    name: "offsite-spring",
    topic: "It was lovely",
    members: ["ana", "ivy", "dana", YOU],
    minutesAgo: 60 * 24 * 20,
    archived: true,
    lines: [
      { by: "ivy", text: "All receipts are in." },
      { by: "ana", text: "Thank you all, it was lovely.", wait: 50, reactions: { love: ["ivy", "dana"] } },
    ],
  },
];
