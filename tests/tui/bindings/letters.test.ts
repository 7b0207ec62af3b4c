/** Letters typed while browsing: a text changes nothing for others and lands in the box, a key still acts (specification/screen.md §4.2). */
import { describe, expect, test } from "vitest";
import type { Poll } from "../../../src/wire/entities/poll.ts";
import type { KeyProfile } from "../../../src/tui/keys/lookup.ts";
import { CONFIRM_MS, TYPING_PAUSE_MS } from "../../../src/tui/input/pace.ts";
import { KEY_TABLES } from "../../../src/tui/bindings/key-tables.ts";
import { CAPABLE, FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { segments } from "../../../src/text/graphemes.ts";
import { topPopup } from "../../../src/tui/screen/popup.ts";
import { mount } from "../../support/mount.tsx";
import { ScreenDriver } from "../../support/screen-driver.ts";
import { words } from "../../../src/text/words.ts";

const PROFILES = ["default", "vim", "emacs"] as const satisfies KeyProfile[];

const SENTENCES = [
  "perfect",
  "thanks a lot",
  "great idea",
  "ok",
  "np",
  "no",
  "up to you",
  "yes, let's do that",
  "eek",
  "every time",
  "ddos again?",
  "don't pin it",
  "recently I saw it",
  "reply to ana please",
  "quite right",
  "11 people are coming",
  "2 of us",
  "3pm works",
  "+1 from me",
  "=> see the list",
  "!important",
  "@bo can you look",
  ":) nice",
  "?! what",
  "many thanks",
  "fantastic",
  "fast enough",
  "go for it",
  "good morning",
  "just a moment",
  "know what I mean?",
  "lunch at one",
  "mmm, tasty",
  "nnnice",
  "pp is short for pages",
  "Perfect",
  "SO GOOD",
  "Very well",
  "x marks the spot",
  "zzz",
  "Ugh, that hurts",
  "weil es regnet",
  "ja, gerne",
  "danke dir",
  "élégant, merci",
  "por favor",
  "ne oldu",
  "дякую, добре",
  "好的，谢谢",
  "ありがとう",
  "감사합니다",
  "شكرا جزيلا",
  "👍 done",
];

const poll = {
  id: "p1",
  name: "Lunch?",
  options: ["Soup", "Noodles", "Rice"].map((text, i) => ({ id: `o${i}`, text })),
  own_votes: [],
  latest_votes_by_option: {},
  latest_answers: [],
  vote_counts_by_option: {},
  vote_count: 0,
  answers_count: 0,
} as unknown as Poll;

const GROUPS = {
  like: {
    count: 1,
    sum_scores: 1,
    first_reaction_at: "2026-11-01T00:00:00Z",
    last_reaction_at: "2026-11-01T00:00:00Z",
  },
};

/** Browsing with the cursor on one's own message, which has everything that a letter could act on. */
async function browsing(keys: KeyProfile): Promise<ScreenDriver> {
  const messages = [
    message("m1", "bo", "see https://example.com"),
    message("m2", "me", "vote, at https://example.com/x", {
      poll,
      reaction_groups: GROUPS,
    } as never),
  ];
  const entry = channel("general", { messages });
  const own_capabilities = [...CAPABLE, "cast-poll-vote", "pin-message"];
  const able = { ...entry, channel: { ...entry.channel, own_capabilities } } as typeof entry;
  const m = new ScreenDriver(new FakeCore(stateOf([able])), { keys });
  await m.press("esc");
  expect(m.selected()?.id).toBe("m2");
  m.core.asked.length = 0;
  return m;
}

/** Every call by which somebody else could notice something. */
const seenByOthers = (m: ScreenDriver): unknown[][] =>
  m
    .asked("call", "pin", "react", "unreact", "remove", "edit", "send", "retry", "act", "markUnread")
    .filter(([, endpoint]) => endpoint !== "queryReactions");

const typeSlowly = async (m: ScreenDriver, text: string): Promise<void> => {
  for (const { segment } of segments(text)) {
    await m.send(segment);
    await m.wait(TYPING_PAUSE_MS / 2);
  }
};

describe.each(PROFILES)("in the %s profile", (keys) => {
  test.each(SENTENCES)(
    "a text that is typed while browsing lands in the box and is not sent: %s",
    async (sentence) => {
      // In Vim, i and a are how one goes on to write.
      const text = keys === "vim" && /^[ia](?![\s'’])/.test(sentence) ? sentence.slice(1) : sentence;
      for (const type of [
        (m: ScreenDriver) => m.send(sentence),
        (m: ScreenDriver) => typeSlowly(m, sentence),
      ]) {
        const m = await browsing(keys);
        await type(m);
        await m.send("\r");
        await m.wait(2 * CONFIRM_MS);
        expect(m.text()).toBe(text);
        expect([seenByOthers(m), m.opened, m.copied]).toEqual([[], [], []]);
        expect([m.screen.focus, m.screen.panels, m.screen.popups, m.ports.boxes.at().quote]).toEqual([
          "composer",
          [],
          [],
          undefined,
        ]);
      }
    },
  );
});

test.each([
  ["auto", "л", "о", "вв"],
  ["auto", "κ", "ξ", "δδ"],
  ["auto", "ל", "ח", "גג"],
  ["auto", "ㅏ", "ㅓ", "ㅇㅇ"],
  ["bulgarian", "н", "т", "аа"],
  ["serbian", "к", "ј", "дд"],
] as const)(
  "letters of another alphabet are keys by their place: %s, %s is k, %s is j, %s is dd",
  async (keyboard, up, down, remove) => {
    const messages = [message("m1", "me", "one"), message("m2", "me", "two"), message("m3", "me", "three")];
    const core = new FakeCore(stateOf([channel("general", { messages })]));
    const m = new ScreenDriver(core, { settings: { keyboard } });
    await m.press("esc");
    const visited: (string | undefined)[] = [];
    for (const letter of [up, up, down]) {
      await m.send(letter);
      visited.push(m.selected()?.id);
      await m.wait(TYPING_PAUSE_MS);
    }
    expect(visited).toEqual(["m2", "m1", "m2"]);
    await m.send(remove);
    await m.wait(TYPING_PAUSE_MS);
    expect(m.asked("remove").map(([, id]) => id)).toEqual(["m2"]);
    expect(m.text()).toBe("");
  },
);

test("they are keys in the sidebar, in lists, with Alt and for hint letters, too, unless the setting says us", async () => {
  const m = await browsing("default");
  await m.press("A-ш");
  expect(m.screen.panels).toMatchObject([{ name: "inbox" }]);
  await m.press("esc");
  await m.send("\x1b[1083;5u");
  expect(topPopup(m.screen)).toMatchObject({ kind: "picker" });
  await m.press("esc");
  const english = await browsing("default");
  english.ports.settings.keyboard = "us";
  await english.send("л");
  expect(english.text()).toBe("л");
});

test("a letter that no key has says so once no text has followed it", async () => {
  const m = await browsing("default");
  await m.press("A-i");
  await m.send("Y");
  expect(m.told()).toEqual([]);
  await m.wait(2 * CONFIRM_MS);
  expect(m.told()).toEqual(["Y is no key here; ? shows those that are."]);
});

test.each([
  ["vim", ":q", true],
  ["vim", ":wq!", true],
  ["default", ":q", false],
] as const)("in the %s profile %s quits: %s", async (keys, line, quits) => {
  const m = await browsing(keys);
  await m.send(`${line}\r`);
  expect(m.left).toBe(quits);
});

test("the first Enter after such a text says where it began, the second sends it", async () => {
  const m = await browsing("default");
  await m.send("perfect\r");
  expect([m.told(), m.asked("send")]).toEqual([[words.acting.typedWhileBrowsing], []]);
  await m.send("\r");
  expect([m.asked("send").length, m.text()]).toEqual([1, ""]);
});

test.each([
  ["p", "pin"],
  ["d", "remove"],
  ["=", "react"],
  ["2", "call"],
])("%s acts on its second press or Enter within two seconds, and not alone", async (key, request) => {
  for (const second of [key, "\r"]) {
    const m = await browsing("default");
    await m.send(key);
    expect([m.screen.typed?.state, seenByOthers(m)]).toEqual(["asked", []]);
    await m.send(second);
    await m.wait(TYPING_PAUSE_MS);
    expect(seenByOthers(m).map(([name]) => name)).toEqual([request]);
  }
  const alone = await browsing("default");
  await alone.send(key);
  await alone.wait(CONFIRM_MS);
  await alone.send("\r");
  expect([seenByOthers(alone), alone.text()]).toEqual([[], ""]);
});

describe("in the minimal profile", () => {
  test.each(SENTENCES.filter((sentence) => !/^\d/.test(sentence)))(
    "“%s” typed over messages is in the box, does nothing else, and Enter sends it",
    async (sentence) => {
      const m = await browsing("minimal");
      await typeSlowly(m, sentence);
      expect([m.text(), seenByOthers(m), m.screen.focus]).toEqual([sentence, [], "composer"]);
      if (sentence.startsWith("/")) return;
      await m.press("enter");
      expect(m.asked("send").length).toBe(1);
    },
  );

  test("what was not sent, its hints and the tour name no letter that is none", async () => {
    const failed = message("m1", "me", "x", { status: "failed" });
    const m = await mount(new FakeCore(stateOf([channel("general", { messages: [failed] })])), {
      keys: "minimal",
    });
    expect(m.text()).toContain("retry or drop it in its menu");
    await m.press("esc");
    expect(m.text()).not.toMatch(/\b[rex] (?:retry|edit|drop)/);
    expect(m.text()).toContain("⏎ more");
    await m.press("i", "C-c");
    await m.type("/tour\r");
    expect(m.text()).toContain("Enter on a message: React with an emoji");
    m.unmount();
  });

  test("Enter opens the menu of the message, and no key has Alt", async () => {
    const m = await browsing("minimal");
    await m.press("enter");
    expect(m.screen.popups).toMatchObject([{ kind: "picker", title: expect.stringContaining("vote, at") }]);
    const chords = Object.values(KEY_TABLES.minimal).flatMap((map) => Object.keys(map));
    expect(chords.filter((chord) => chord.includes("A-"))).toEqual([]);
  });
});

test.each([
  ["d", "You can't delete that message."],
  ["e", "You can't edit that message."],
  ["=", words.acting.noReaction],
  ["2", words.acting.noPoll],
])("%s on a message that refuses it asks for no second press, and says why", async (key, why) => {
  const m = await browsing("default");
  await m.press("k");
  await m.wait(TYPING_PAUSE_MS);
  await m.send(key);
  expect([m.screen.typed?.state, m.told()]).toEqual(["due", []]);
  await m.wait(TYPING_PAUSE_MS);
  expect([m.told(), seenByOthers(m)]).toEqual([[why], []]);
});

test.each([
  ["=", "=", words.acting.noReaction],
  ["2", "2", words.acting.noPoll],
  ["=", "\r", words.acting.noReaction],
  ["2", "\r", words.acting.noPoll],
])(
  "%j and then %j, by habit, on a message that refuses it says why once, and begins no text",
  async (key, next, why) => {
    const m = await browsing("default");
    await m.press("k");
    await m.wait(TYPING_PAUSE_MS);
    await m.send(key);
    await m.send(next);
    await m.wait(TYPING_PAUSE_MS);
    expect([m.told(), seenByOthers(m), m.text(), m.screen.focus]).toEqual([[why], [], "", "messages"]);
  },
);

test.each(["\x1b", "\x7f"])(
  "Esc and Backspace take a letter back that waits for its second press",
  async (key) => {
    const m = await browsing("default");
    await m.send("p");
    await m.send(key);
    expect([m.screen.typed, m.screen.focus, m.text()]).toEqual([undefined, "messages", ""]);
    await m.send("\r");
    expect(seenByOthers(m)).toEqual([]);
  },
);

test("dd deletes in the vim profile, unless a text goes on with it", async () => {
  const m = await browsing("vim");
  await m.send("dd");
  await m.wait(TYPING_PAUSE_MS);
  expect(seenByOthers(m).map(([name]) => name)).toEqual(["remove"]);
});

test("letters that move are followed by letters that act, at any speed", async () => {
  const m = await browsing("default");
  await m.send("kkjkr");
  expect(m.screen.panels).toMatchObject([{ name: "thread", key: "m1" }]);
  await m.wait(TYPING_PAUSE_MS);
  await m.send("hello");
  expect([m.text(), m.screen.panels.length]).toEqual(["hello", 1]);
});

test("what goes on in what a key has opened is for that: a command, a jump, hint letters, vim's i", async () => {
  const command = await browsing("default");
  await command.send("/topic");
  expect([command.text(), command.screen.enterHeld]).toEqual(["/topic", undefined]);
  const written = await browsing("default");
  await written.send("i/topic");
  expect([written.text(), written.screen.enterHeld]).toEqual(["/topic", undefined]);
  const jump = await browsing("default");
  await jump.send(":yesterday");
  expect(jump.screen.popups.length).toBe(1);
  const vim = await browsing("vim");
  await vim.send("ihello\r");
  expect(vim.asked("send").length).toBe(1);
  const hints = await browsing("default");
  await hints.send("f");
  const { label } = hints.screen.hints!.all.find(({ spot }) => spot?.name === "react")!;
  await hints.send(label);
  await hints.wait(TYPING_PAUSE_MS);
  expect(seenByOthers(hints).map(([name]) => name)).toEqual(["react"]);
});

test("letters are over when something else has the keys, and in a list what a letter opened gets the next ones", async () => {
  const m = await browsing("default");
  await m.send("s");
  m.change((s) => ({ ...s, focus: "composer" }));
  await m.send("hello\r");
  expect(m.asked("send").map(([, , message]) => message)).toMatchObject([{ text: "hello" }]);
  const remind = await browsing("default");
  await remind.send("R2h");
  expect([remind.screen.popups.length, remind.text()]).toEqual([1, ""]);
  const sidebar = await browsing("default");
  await sidebar.press("esc", "S-tab", "j");
  await sidebar.send("m");
  expect(sidebar.screen.popups.length).toBe(1);
  await sidebar.send("mu");
  expect([sidebar.screen.popups.length, sidebar.text()]).toEqual([1, ""]);
});

test("a text typed in a list, in the sidebar or in a panel lands in the box, too", async () => {
  for (const open of [["A-i"], ["S-tab"], ["esc", "P"]]) {
    const m = await browsing("default");
    await m.press("esc", ...open);
    expect(m.screen.focus).not.toBe("composer");
    await m.send("x marks the spot\r");
    expect([m.text(), seenByOthers(m)]).toEqual(["x marks the spot", []]);
  }
});
