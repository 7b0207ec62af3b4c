/** Every view in pairwise combinations of size, colours and kind of text: borders line up, and each view has a snapshot. */
import { openSearch } from "../../../src/tui/views/search/actions.ts";
import { votesPanel } from "../../../src/tui/views/poll/voters.ts";
import { aboutPanel } from "../../../src/tui/views/about/about.ts";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { makeTheme, type Theme } from "../../../src/tui/render/theme.ts";
import { filesPane } from "../../../src/tui/views/channel-files/files.ts";
import { membersPane } from "../../../src/tui/views/members/members.ts";
import { HANDLERS } from "../../../src/tui/bindings/handlers.ts";
import type { Rect } from "../../../src/tui/screen/layout.ts";
import { panelAlone, withFocus, panelPushed } from "../../../src/tui/screen/transitions.ts";
import { detailsPanel, threadPanel, type Panel } from "../../../src/tui/screen/screen.ts";
import type { State } from "../../../src/model/state.ts";
import type { Poll } from "../../../src/wire/entities/poll.ts";
import { FakeCore, channel, message, stateOf, thread, user } from "../../support/fake-core.ts";
import { HALF_BLOCKS, FakePictures } from "../../support/fake-pictures.ts";
import { mount, picture, type Mounted } from "../../support/mount.tsx";
import { PATIENCE } from "../../support/patience.ts";
import { png } from "../../support/picture-files.ts";

const SIZES = [
  [200, 50],
  [120, 40],
  [80, 24],
  [50, 20],
] as const;

const COLOURS: Readonly<Record<string, Theme>> = {
  dark: makeTheme(3, "dark"),
  light: makeTheme(3, "light"),
  "without colours": makeTheme(0, "dark", { styled: true }),
};

const TEXTS = {
  ASCII: "plain words (and [signs] of all kinds) #1",
  CJK: "漢字かな交じり文と한국어와中文",
  emoji: "👩‍👩‍👧‍👦 👍🏽 🇨🇭 ❤️ 1️⃣ done",
  combining: "Z\u0075\u0308rich e\u0301te\u0301 a\u0308\u0323 กี่ที่ ש\u05c1\u05b8לום",
  "right to left": "שלום עולם مرحبا بالعالم 12",
} as const;

const CID = "messaging:general";

/** One message with each kind of card; `text` is used wherever people can write. */
function workspace(text: string): State {
  const poll = {
    id: "p",
    name: text,
    options: [
      { id: "a", text },
      { id: "b", text: "no" },
    ],
    vote_counts_by_option: { a: 3, b: 1 },
    vote_count: 4,
    own_votes: [],
    latest_votes_by_option: {},
    created_at: "",
    updated_at: "",
  } as unknown as Poll;
  const parent = message("m1", "ana", text, { reply_count: 2, user: user("ana", { name: text }) });
  const messages = [
    parent,
    message("m2", "ana", `**${text}**\n\n\`\`\`ts\nconst x = "${text}";\n\`\`\``, {
      minute: 1,
      user: parent.user!,
    }),
    message("m3", "bo", "", {
      minute: 2,
      attachments: [
        { type: "file", title: `${text}.pdf`, mime_type: "application/pdf", file_size: 2_300_000 },
        { type: "image", fallback: text, image_url: "https://files.example/cat.png" },
        { title: text, title_link: "https://ci.example/8", text: `${text} ${text} ${text}` },
      ],
    }),
    message("m4", "cy", text, { minute: 3, poll, poll_id: "p" }),
    message("m5", "bo", `| ${text} | b |\n|---|---|\n| 1 | ${text} |`, { minute: 4, quoted_message: parent }),
    message("m6", "cy", "", { minute: 5, type: "deleted" }),
    message("m7", "me", text, { minute: 6, status: "failed", error: { message: text } } as object),
    message("m8", "bo", `${text}\n> ${text}\n- [x] ${text}`, {
      minute: 7,
      pinned: true,
      pinned_at: "2026-11-17T09:00:00Z",
      reaction_groups: {
        like: { count: 12, sum_scores: 12, first_reaction_at: "", last_reaction_at: "" },
        love: { count: 1, sum_scores: 1, first_reaction_at: "", last_reaction_at: "" },
      },
    }),
  ];
  const general = channel("general", {
    name: text,
    messages,
    pinned: [messages.at(-1)!],
    threads: new Map([
      ["m1", thread("m1", [message("r1", "bo", text), message("r2", "me", `${text} ${text}`)])],
    ]),
  });
  const topic = { topic: text };
  return stateOf([
    { ...general, channel: { ...general.channel, ...topic } },
    channel("ops", {
      name: `ops ${text}`,
      unread: 7,
      mentions: 2,
      typing: [{ user: user("cy", { name: text }), since: 0 }],
    }),
    channel("late", { unread: 3, messages: [message("l1", "ana", text)] }),
  ]);
}

const panel =
  (more: Panel) =>
  (m: Mounted): void =>
    m.change((s) => withFocus(panelPushed(s, more), "panel"));
const list =
  (name: string) =>
  (m: Mounted): void =>
    m.change((s) => panelAlone(s, { name, key: "" }));
const action =
  (name: keyof typeof HANDLERS) =>
  (m: Mounted): void =>
    HANDLERS[name](m.ports);
/** An action that needs a message under the cursor. */
const onMessage =
  (name: keyof typeof HANDLERS) =>
  (m: Mounted): void => {
    HANDLERS.escape(m.ports);
    HANDLERS[name](m.ports);
  };

const VIEWS: Readonly<Record<string, (m: Mounted) => void>> = {
  chat: () => {},
  thread: (m) => m.change((s) => panelPushed(s, threadPanel({ cid: CID, parentId: "m1" }))),
  details: panel(detailsPanel(CID)),
  members: panel(membersPane.pane.open(CID)),
  inbox: list("inbox"),
  threads: list("threads"),
  later: list("later"),
  drafts: list("drafts"),
  pins: list("pins"),
  search: (m) => openSearch(m.ports),
  files: panel(filesPane.pane.open(CID)),
  votes: panel(votesPanel(CID, "m4")),
  about: panel(aboutPanel({ cid: CID, id: "m8", reactions: [], before: [] })),
  "the list of channels": action("sidebarFilter"),
  "going somewhere": action("goto"),
  palette: action("palette"),
  help: action("help"),
  settings: action("settings"),
  "form of a poll": action("newPoll"),
  "form of a channel": action("newChannel"),
  "menu of a message": onMessage("menu"),
  reaction: onMessage("react"),
  hints: onMessage("hints"),
  several: onMessage("selectRange"),
  notices: (m) =>
    ["info", "warning", "error"].forEach((level) =>
      m.core.notify({ level: level as "info", text: Object.values(TEXTS).join(" "), origin: level }),
    ),
};

const CAT = "https://files.example/cat.png";
/** One for all screens, because each starts a thread. */
const cat = new FakePictures({ files: { [CAT]: png(80, 40) }, answers: HALF_BLOCKS });
afterAll(() => cat.close());

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

/** A picture and a location; `text` is used wherever people can write. */
function drawnWorkspace(text: string): State {
  const ana = user("ana", { name: text });
  const place = { latitude: 59.3251, longitude: 18.0711 };
  const image = { type: "image", image_url: CAT, title: text, original_width: 80, original_height: 40 };
  const messages = [
    message("p1", "ana", text, { user: ana, attachments: [image] }),
    message("l1", "ana", text, {
      minute: 1,
      user: ana,
      shared_location: { ...place, created_by_device_id: "phone" },
    } as object),
  ];
  const general = channel("general", { name: text, messages });
  const users = new Map([
    ["me", user("me")],
    ["ana", ana],
  ]);
  return stateOf([general], { users });
}

const PICTURE = /▀/;
const MAP = /[\u2801-\u28ff]/;

const holds = (m: Mounted, rect: Rect | undefined, sign: RegExp): boolean =>
  rect === undefined ||
  Array.from({ length: rect.width * rect.height }, (_, i) =>
    m.cell(rect.x + (i % rect.width), rect.y + Math.floor(i / rect.width)),
  ).some((cell) => sign.test(cell));

/** The picture and the atlas load in any order: waits for both in the messages and for the one in the panel. */
async function untilDrawn(m: Mounted, inPanel: RegExp): Promise<void> {
  const isDrawn = (): boolean => {
    const { main, panel } = m.model.layout;
    return holds(m, main, PICTURE) && holds(m, main, MAP) && holds(m, panel, inPanel);
  };
  await expect.poll(async () => (await m.settle(), isDrawn()), { timeout: PATIENCE }).toBe(true);
}

/** Opens the picture (half blocks) or the map (dots) in the panel. */
const DRAWN: Readonly<Record<string, (m: Mounted) => Promise<void>>> = {
  picture: async (m) => {
    HANDLERS.escape(m.ports);
    HANDLERS.firstLine(m.ports);
    HANDLERS.full(m.ports);
    await untilDrawn(m, PICTURE);
  },
  map: async (m) => {
    HANDLERS.escape(m.ports);
    HANDLERS.lastLine(m.ports);
    HANDLERS.full(m.ports);
    await untilDrawn(m, MAP);
  },
};

/** Cells where the rules or a popup's borders are out of line. */
function astray(m: Mounted): string[] {
  const { columns, rules, divider } = m.model.layout;
  const found: string[] = [];
  const want = (x: number, y: number, signs: string): void => {
    const sign = m.cell(x, y);
    if (!signs.includes(sign) || sign === "") found.push(`(${x}, ${y}) is "${sign}" and not one of ${signs}`);
  };
  for (let y = 1; y < divider!; y++) for (const x of rules) if (!m.ports.drawnPanes.at(x, y)) want(x, y, "│");
  const isCovered = m.screen.popups.length > 0;
  for (let x = 0; x < columns; x++) if (!isCovered) want(x, divider!, rules.includes(x) ? "┴" : "─");
  return [...found, ...boxAstray(m)];
}

/** Faults of the topmost popup: every row must have both borders below its corners, and a blank ring must be around it. */
function boxAstray(m: Mounted): string[] {
  const { columns, rows } = m.model.layout;
  if (m.screen.popups.length === 0) return [];
  const across = Array.from({ length: columns }, (_, x) => x);
  const found: string[] = [];
  const wantBlank = (x: number, y: number): void => {
    if (![" ", ""].includes(m.cell(x, y)) && x >= 0 && x < columns)
      found.push(`(${x}, ${y}) touches the popup: ${m.cell(x, y)}`);
  };
  for (let y = 1; y < rows - 1; y++) {
    const left = across.find((x) => m.cell(x, y) === "╭" && m.cell(x + 1, y) === "─");
    if (left === undefined) continue;
    const right = across.findLast((x) => m.cell(x, y) === "╮")!;
    for (let x = left - 1; x <= right + 1; x++) wantBlank(x, y - 1);
    for (let row = y; row < rows; row++) {
      for (const x of [left - 1, right + 1]) wantBlank(x, row);
      if (m.cell(left, row) === "╰") {
        for (let x = left - 1; x <= right + 1; x++) wantBlank(x, row + 1);
        return m.cell(right, row) === "╯" ? found : [...found, `no corner in ${row}`];
      }
      if (!"╭│├".includes(m.cell(left, row)) || !"╮│┤▐".includes(m.cell(right, row)))
        found.push(`row ${row} of the box`);
    }
  }
  return [...found, "the box has no end"];
}

const names = Object.keys(VIEWS);
/** These list the tables of keys, settings and commands, and have their own tests. */
const WITHOUT_PICTURE = ["help", "settings", "palette"];
const pictured = names.filter((name) => !WITHOUT_PICTURE.includes(name));
const looks = Object.keys(COLOURS);

/** Every size with every text, with the colours spread over them; the views rotate from case to case. */
const CASES = SIZES.flatMap((size, i) =>
  Object.keys(TEXTS).map((text, j) => ({
    size,
    text: text as keyof typeof TEXTS,
    colour: looks[(i + j) % looks.length]!,
    /** Each view is checked in every size, each time with another text. */
    judged: names.filter((name, view) => name === "chat" || (i + j + view) % 5 === 0),
    /** The views whose picture is compared with a snapshot. */
    shown: pictured.filter(
      (name) => names.indexOf(name) % 4 === i && (i + j + names.indexOf(name)) % 5 === 0,
    ),
  })),
);

test("every two values of size, colours and text occur together in a case", () => {
  const pairs = new Set(
    CASES.flatMap(({ size, text, colour }) => [
      `${size[0]} ${text}`,
      `${size[0]} ${colour}`,
      `${text} ${colour}`,
    ]),
  );
  expect(pairs.size).toBe(4 * 5 + 4 * 3 + 5 * 3);
  expect(CASES.flatMap(({ shown }) => shown).toSorted()).toEqual(pictured.toSorted());
});

for (const one of CASES) {
  const {
    size: [columns, rows],
    text,
    colour,
    judged,
    shown,
  } = one;
  describe(`${columns} × ${rows}, ${colour}, ${text}`, () => {
    test("views stay inside their borders", async () => {
      const wrong: string[] = [];
      const m = await mount(new FakeCore(workspace(TEXTS[text])), { columns, rows, theme: COLOURS[colour]! });
      open.push(m);
      const fresh = m.screen;
      const state = m.state;
      for (const name of judged) {
        m.core.change(() => state);
        m.change(() => fresh);
        VIEWS[name]!(m);
        await m.settle();
        wrong.push(...astray(m).map((fault) => `${name}: ${fault}`));
        if (shown.includes(name)) expect(picture(m)).toMatchSnapshot(name);
      }
      expect(wrong).toEqual([]);
    });

    test("a picture and a map stay inside their borders, and are removed with the panel", async () => {
      const m = await mount(new FakeCore(drawnWorkspace(TEXTS[text])), {
        columns,
        rows,
        theme: COLOURS[colour]!,
        maps: "braille",
        pictures: () => cat.pictures,
      });
      open.push(m);
      for (const [name, show] of Object.entries(DRAWN)) {
        await show(m);
        expect({ [name]: astray(m) }).toEqual({ [name]: [] });
        if (text === "CJK") expect(picture(m)).toMatchSnapshot(name);
        const full = m.text();
        HANDLERS.escape(m.ports);
        await m.settle();
        expect(m.screen.panels).toEqual([]);
        expect([m.text() === full, astray(m)]).toEqual([false, []]);
      }
    });
  });
}
