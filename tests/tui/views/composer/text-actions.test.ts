/** What the keys do in the box: rows, history, completion, edits, commands, and text that is not sent. */
import { scrollTo } from "../../../../src/tui/views/messages/navigation.ts";
import { describe, expect, test } from "vitest";
import type { Upload } from "../../../../src/core/core.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { composerHeight, drawComposer } from "../../../../src/tui/views/composer/rows.ts";
import type { UploadedFile } from "../../../../src/wire/entities/attachment.ts";
import { viewLines } from "../../../../src/tui/views/composer/show-result.ts";
import { LocalError } from "../../../../src/model/errors.ts";
import { scrollOf } from "../../../../src/tui/screen/screen.ts";
import {
  EPOCH,
  FakeCore,
  channel,
  message,
  messageSet,
  stateOf,
  thread,
  user,
} from "../../../support/fake-core.ts";
import { Hands, type HandsOptions } from "../../../support/hands.ts";

const GENERAL = "messaging:general";
const room = (): FakeCore =>
  new FakeCore(
    stateOf([
      channel("general", {
        messages: [message("m1", "ana", "one"), message("m2", "me", "two of mine", { minute: 1 })],
        threads: new Map([
          ["m1", thread("m1", [message("r1", "bo", "re"), message("r2", "me", "in a thread")])],
        ]),
      }),
      channel("ops"),
    ]),
  );
const hands = (options?: HandsOptions): Hands => new Hands(room(), options);

describe("the cursor", () => {
  test("↑ and ↓ go by rows, and past the first and the last row to the ends of the text", async () => {
    const m = hands();
    await m.type("abc");
    await m.press("C-j");
    await m.type("defg");
    const at: number[] = [];
    for (const key of ["up", "up", "down", "down"]) {
      await m.press(key);
      at.push(m.ports.boxes.at().editor.cursor);
    }
    expect(at).toEqual([3, 0, 4, 8]);
    expect(m.ports.boxes.at().editing).toBeUndefined();
  });

  test("↑ in an empty box edits my last message of this place, in a thread the one of the thread", async () => {
    const m = hands();
    await m.press("up");
    expect(m.ports.boxes.at().editing?.message.id).toBe("m2");
    const inThread = hands();
    inThread.change((s) => ({ ...s, panels: [{ kind: "thread", cid: GENERAL, parentId: "m1" }] }));
    await inThread.press("up");
    expect([inThread.ports.boxes.at().editing?.message.id, inThread.text()]).toEqual(["r2", "in a thread"]);
    const nothing = new Hands(
      new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "x")] })])),
    );
    await nothing.press("up");
    expect(nothing.ports.boxes.at().editing).toBeUndefined();
  });

  test("what was written is walked through in both directions, and the ends hold", async () => {
    const m = hands();
    for (const text of ["first", "second"]) await m.type(`${text}\r`);
    await m.type("now");
    const walked: string[] = [];
    for (const key of ["C-up", "C-up", "C-up", "C-down", "C-down", "C-down"]) {
      await m.press(key);
      walked.push(m.text());
    }
    expect(walked).toEqual(["second", "first", "first", "second", "now", "now"]);
  });
});

describe("completion", () => {
  test("Tab takes the only one at once; of several a list is walked round and Tab or Enter takes one", async () => {
    const m = hands();
    await m.type("see #op");
    await m.press("esc", "tab");
    expect([m.text(), m.screen.completion]).toEqual(["see #ops ", undefined]);
    await m.type("and /");
    expect(m.screen.completion).toBeUndefined();
    const several = hands();
    await several.type("#");
    const items = several.screen.completion!.items;
    expect(items.map((i) => i.insert)).toEqual(["#general ", "#ops "]);
    const at: number[] = [];
    for (const key of ["up", "down", "down"]) {
      await several.press(key);
      at.push(several.screen.completion!.selected);
    }
    expect(at).toEqual([1, 0, 1]);
    await several.press("enter");
    expect([several.text(), several.asked("send")]).toEqual(["#ops ", []]);
  });

  test("Tab where nothing can be completed goes on to the messages, Esc closes a list and keeps the text", async () => {
    const m = hands();
    await m.type("#");
    await m.press("esc");
    expect([m.screen.completion, m.text(), m.screen.focus]).toEqual([undefined, "#", "composer"]);
    const plain = hands();
    await plain.type("words");
    await plain.press("tab");
    expect([plain.screen.focus, plain.text()]).toEqual(["messages", "words"]);
  });

  test("moving the cursor closes the list, and a word that is gone takes it along", async () => {
    const m = hands();
    await m.type("#");
    await m.press("left");
    expect(m.screen.completion).toBeUndefined();
    await m.press("end");
    await m.type("o");
    expect(m.screen.completion?.items).toHaveLength(1);
    await m.type(" ");
    expect(m.screen.completion).toBeUndefined();
  });
});

describe("people of a channel that does not hold them all", () => {
  const big = (): Hands => {
    const core = new FakeCore(
      stateOf([channel("general", { memberCount: 150, messages: [message("m1", "ana", "one")] })]),
    );
    core.call = async (name: string, args?: unknown) => {
      core.asked.push({ name, args: [args] });
      const members = [{ user_id: "zed", user: user("zed", { name: "Zed Quist" }) }];
      return (name === "queryMembers" ? { members } : {}) as never;
    };
    return new Hands(core);
  };

  test("are searched, completed and mentioned (R-MENT-4)", async () => {
    const m = big();
    await m.type("hi @zed");
    expect(m.screen.completion).toBeUndefined();
    await m.core.clock.advance(300);
    await m.settle();
    expect(m.core.calls("queryMembers")).toMatchObject([
      [{ query: { filter_conditions: { name: { $autocomplete: "zed" } } } }],
    ]);
    expect(m.screen.completion?.items).toMatchObject([{ label: "@Zed Quist" }]);
    await m.press("tab");
    expect(m.text()).toBe("hi @Zed Quist ");
    await m.press("enter");
    expect(m.core.calls("send").map(([, composition]) => composition)).toEqual([
      { text: "hi @Zed Quist ", mentionedUsers: ["zed"] },
    ]);
  });

  test("found late open no list over another word, nor over one that was left", async () => {
    const m = big();
    await m.type("hi @zed");
    await m.press("left");
    await m.core.clock.advance(300);
    await m.settle();
    expect(m.screen.completion).toBeUndefined();
    await m.press("end");
    await m.type(" and on");
    await m.core.clock.advance(300);
    await m.settle();
    expect(m.screen.completion).toBeUndefined();
  });
});

describe("files of a message", () => {
  test("are attached by a line, shown with how far they are, and go with the next message", async () => {
    const m = hands();
    const { promise, resolve } = Promise.withResolvers<UploadedFile>();
    m.core.uploads.transfer = (_cid, _source, how) => {
      how?.started?.();
      how?.progress?.(1, 4);
      return promise;
    };
    await m.type("/attach notes.txt\r");
    expect(m.ports.boxes.at().uploads).toMatchObject([{ name: "notes.txt", state: "uploading" }]);
    const box = (): string[] =>
      drawComposer({
        theme: makeTheme(0),
        width: 60,
        height: composerHeight(m.ports.boxes.at(), 60, {}),
        composer: m.ports.boxes.at(),
        placeholder: "",
        context: {},
        note: "",
      }).map((row) => row.trimEnd());
    expect(box()).toEqual([" files · [notes.txt · 4 B · 25 % ✕]", " ›"]);
    resolve({ file: "https://files.example/notes.txt", duration: "1ms" });
    await m.settle();
    expect(box()).toEqual([" files · [notes.txt · 4 B ✕]", " ›"]);
    await m.press("enter");
    const [[, sent]] = m.core.calls("send") as [[unknown, { text: string; uploads: Upload[] }]];
    expect(sent).toMatchObject({ text: "", uploads: [{ name: "notes.txt", state: "finished" }] });
    expect(m.ports.boxes.at().uploads).toEqual([]);
  });

  test("are taken off again by name, or all of them, and what does not hang there is said; without a file a list opens", async () => {
    const m = hands();
    m.core.uploads.transfer = async () => ({ file: "https://files.example/x", duration: "1ms" });
    await m.type("/attach a.txt b.txt c.txt\r");
    await m.type("/detach b.txt\r");
    expect(m.ports.boxes.at().uploads.map(({ name }) => name)).toEqual(["a.txt", "c.txt"]);
    await m.type("/detach b.txt\r");
    expect([m.text(), m.told().at(-1)]).toEqual([
      "/detach b.txt",
      "No attached file is named b.txt; /detach alone removes all.",
    ]);
    await m.press("C-u");
    await m.type("/detach\r");
    expect(m.ports.boxes.at().uploads).toEqual([]);
    await m.type("/detach\r");
    expect(m.told().at(-1)).toBe("No file is attached.");
    await m.press("C-u");
    await m.type("/attach\r");
    expect([m.screen.popups.at(-1)?.kind, m.text(), m.asked("send")]).toEqual(["files", "", []]);
  });
});

describe("a command", () => {
  test("that the provider refuses has its line in the box again, unless something else was begun there", async () => {
    const refuses = (m: Hands): void => {
      m.core.call = async () => {
        throw new Error("not yours");
      };
    };
    const m = hands();
    refuses(m);
    await m.type("/pin m1\r");
    expect([m.text(), m.told()]).toEqual(["/pin m1", ["not yours"]]);
    const busy = hands();
    refuses(busy);
    await busy.type("/pin m1\rnext");
    expect(busy.text()).toBe("next");
    await busy.press("C-up");
    expect(busy.text()).toBe("/pin m1");
  });

  test("that asks stays in the box until it is answered with yes", async () => {
    const m = hands();
    m.core.call = async () => ({ message: message("m2", "me", "two of mine") }) as never;
    await m.type("/delete m2 --hard\r");
    expect(m.screen.popups).toHaveLength(1);
    await m.press("n");
    expect(m.text()).toBe("/delete m2 --hard");
    await m.type("\ry");
    expect(m.text()).toBe("");
  });

  test("for files that cannot be read has its line in the box again", async () => {
    const m = hands();
    m.core.uploads.prepare = async (file) => {
      throw new LocalError(`There is no file ${file}`, "ENOENT");
    };
    await m.type("/attach ~/repotr.pdf\r");
    await m.settle();
    expect(m.text()).toBe("/attach ~/repotr.pdf");
    expect(m.ports.boxes.at().uploads).toEqual([]);
  });

  test("for several files of which one cannot be read keeps the others, and does not come back over them", async () => {
    const m = hands();
    const { prepare } = m.core.uploads;
    m.core.uploads.transfer = async () => ({ file: "https://files.example/x", duration: "1ms" });
    m.core.uploads.prepare = async (file) => {
      if (file === "b.txt") throw new LocalError("There is no file b.txt", "ENOENT");
      return prepare(file);
    };
    await m.type("/attach a.txt b.txt\r");
    await m.settle();
    expect(m.text()).toBe("");
    expect(m.ports.boxes.at().uploads.map(({ name }) => name)).toEqual(["a.txt"]);
    expect(m.told()).toEqual(["There is no file b.txt"]);
  });
});

describe("a command about a message", () => {
  /** Ids of the messages that reactions were sent to. */
  const reactedTo = (m: Hands): unknown[] =>
    m.core.calls("call").map(([, args]) => (args as { path: { id: string } }).path.id);

  test("acts on the newest one, or on the one that was chosen while browsing, and says on which", async () => {
    const m = hands();
    await m.type("/react like");
    expect(m.screen.completion?.help).toContain("about me: two of mine");
    await m.press("enter");
    await m.press("esc", "k");
    await m.type("/react ");
    expect(m.screen.completion?.help).toContain("about ana: one");
    await m.type("like\r");
    expect(reactedTo(m)).toEqual(["m2", "m1"]);
  });

  test.each([
    ["/react like", { done: "reacted", back: ["unreact", "m2", "like"] }],
    ["/pin", { done: "pinned", back: ["pin", "m2", false] }],
  ] as const)(
    "%s can be taken back for ten seconds, and says so",
    async (line, { done, back: [name, id, how] }) => {
      const m = hands();
      await m.type(`${line}\r`);
      expect(m.told()).toEqual([`${done} · Ctrl-_ to undo`]);
      await m.press("C-_");
      expect(m.asked(name)).toEqual([[name, id, how]]);
    },
  );

  test("/delete asks nothing, since it can be taken back; for good it asks by what the message says, and what is not mine stays in the box", async () => {
    const m = hands();
    await m.type("/delete\r");
    expect([m.screen.popups, m.text()]).toEqual([[], ""]);
    expect(m.told()).toEqual(["deleted · Ctrl-_ to undo"]);
    expect(m.asked("remove")).toEqual([["remove", "m2", { afterMs: 10_000 }]]);
    await m.type("/delete --hard\r");
    expect(m.screen.popups).toMatchObject([
      { question: { question: "Delete “two of mine” permanently? This cannot be undone." } },
    ]);
    await m.press("n", "C-u");
    await m.type("/delete m1\r");
    expect(m.text()).toBe("/delete m1");
    expect(m.told().at(-1)).toBe("You can't delete that message.");
  });

  test("in a thread it means a reply", async () => {
    const m = hands();
    m.change((s) => ({ ...s, panels: [{ kind: "thread", cid: GENERAL, parentId: "m1" }] }));
    await m.type("/react like\r");
    expect(reactedTo(m)).toEqual(["r2"]);
  });
});

describe("what is sent", () => {
  test("only who was chosen is mentioned, or whose name is written in full and means nobody else", async () => {
    const member = (id: string, name: string) =>
      [id, { user_id: id, user: user(id, { name }), channel_role: "channel_member" }] as never;
    const core = new FakeCore(
      stateOf([
        channel("general", {
          members: new Map([member("sam1", "Sam"), member("sam2", "Sam"), member("bo", "Bo Berg")]),
        }),
      ]),
    );
    const m = new Hands(core);
    for (const text of ["hi @Bo Berg", "hi @bo", "hi @Sam", "hi @sam2", "hi @Bob"])
      await m.type(`${text} ok\r`);
    await m.type("hi @sam");
    const at = m.screen.completion!.items.findIndex(({ detail }) => detail === "sam2");
    for (let n = 0; n < at; n++) await m.press("down");
    await m.press("tab", "enter");
    const sent = m.core.calls("send") as [unknown, { mentionedUsers?: string[] }][];
    expect(sent.map(([, { mentionedUsers }]) => mentionedUsers)).toEqual([
      ["bo"],
      ["bo"],
      undefined,
      ["sam2"],
      undefined,
      ["sam2"],
    ]);
  });

  test("without a channel nothing is sent, and where one is opened is said", async () => {
    const m = hands({ open: "" });
    await m.type("hello\r");
    expect([m.asked("send", "typed"), m.told()]).toEqual([[], ["Open a channel first: Ctrl-K."]]);
  });

  test("blanks are not sent, and a connection that gave up is asked for again", async () => {
    const m = hands();
    await m.type("  \r");
    expect([m.asked("send", "reconnect"), m.text()]).toEqual([[], "  "]);
    for (const link of [
      { phase: "stopped", failures: 0, catchingUp: false },
      { phase: "waiting", cause: "ended", failures: 0, catchingUp: false },
    ]) {
      m.core.asked.length = 0;
      m.core.change((s) => ({ ...s, link: link as never }));
      await m.settle();
      await m.press("enter");
      expect(m.asked("reconnect")).toEqual([["reconnect"]]);
    }
  });

  test("a reply is also for the channel where that was asked, once; outside a thread it cannot be", async () => {
    const m = hands();
    await m.press("A-c");
    expect(m.told()).toEqual(["Only a thread reply can also be shown in the channel."]);
    m.change((s) => ({ ...s, panels: [{ kind: "thread", cid: GENERAL, parentId: "m1" }] }));
    for (const presses of [["A-c"], [], ["A-c", "A-c"]]) {
      await m.press(...presses);
      await m.type("re\r");
    }
    expect(m.core.calls("send").map(([, composition]) => composition)).toEqual([
      { text: "re", showInChannel: true },
      { text: "re" },
      { text: "re" },
    ]);
  });

  test("what cannot be kept on disk stays in the box and says why", async () => {
    const m = hands();
    m.core.send = () => {
      throw new Error("disk full");
    };
    await m.type("keep me\r");
    expect([m.text(), m.told()]).toEqual(["keep me", ["disk full"]]);
    await m.type("\r");
    expect(m.told()).toHaveLength(2);
  });

  test("a refusal of what was sent is said once, and a failure of sending itself, too", async () => {
    const m = hands();
    const send = m.core.send.bind(m.core);
    const held = message("x", "me", "x");
    m.core.send = (place, composition) => ({
      ...send(place, composition),
      outcome:
        composition.text === "a"
          ? Promise.resolve({ state: "failed", message: held, error: { message: "too long" } } as never)
          : Promise.reject(new Error("outbox closed")),
    });
    await m.type("a\r");
    await m.type("b\r");
    expect(m.told()).toEqual(["too long", "outbox closed"]);
  });

  test("sending from old history comes back to the newest messages", async () => {
    const old = messageSet([message("m1", "ana", "x")], { isLatest: false });
    const m = new Hands(new FakeCore(stateOf([{ ...channel("general"), sets: [old] }])));
    scrollTo(m.ports, { cid: GENERAL }, { id: "m1", row: 0 }, "m1");
    await m.type("hi\r");
    expect(m.asked("backToLatest")).toEqual([["backToLatest", { cid: GENERAL }]]);
    expect(scrollOf(m.screen, { cid: GENERAL })).toEqual({});
    const now = hands();
    await now.type("hi\r");
    expect(now.asked("backToLatest")).toEqual([]);
  });

  test("an edit may not end empty unless files are left, and one that changed nothing asks nothing", async () => {
    const m = hands();
    await m.press("up", "C-u", "enter");
    expect(m.told()).toEqual(["An edit cannot be empty; delete the message instead."]);
    expect(m.ports.boxes.at().editing).toBeDefined();
    await m.type("two of mine\r");
    expect([m.asked("edit"), m.ports.boxes.at().editing]).toEqual([[], undefined]);
    const files = message("m1", "me", "look", {
      attachments: [{ type: "file", asset_url: "https://a.example/f" }],
    });
    const withFile = new Hands(new FakeCore(stateOf([channel("general", { messages: [files] })])));
    await withFile.press("up", "C-u", "enter");
    expect(withFile.core.calls("edit").map(([, set]) => set)).toEqual([{ text: "", mentioned_users: [] }]);
  });

  test("a correction of words that are not there stays in the box; escapes and a missing end are understood", async () => {
    const m = hands();
    await m.type("s/three/four/\r");
    expect([m.text(), m.told()]).toEqual(["s/three/four/", ["Your last message does not contain “three”."]]);
    await m.press("C-c");
    await m.type("s/two of/a\\/b $&\r");
    expect(m.core.calls("edit").map(([, set]) => (set as { text: string }).text)).toEqual(["a/b $& mine"]);
    expect(m.text()).toBe("");
  });
});

test("link previews are taken off by a key, and the address stays in the text (R-LINK-6)", async () => {
  const core = new FakeCore(stateOf([channel("general")]), { linkPreviews: true });
  core.changeChannel(GENERAL, (entry) => ({
    ...entry,
    channel: { ...entry.channel, own_capabilities: ["send-message", "send-links"] },
  }));
  const m = new Hands(core);
  core.call = async () => ({ og_scrape_url: "https://ci.example/881", title: "Build 881" }) as never;
  await m.press("A-l");
  expect(m.told()).toEqual(["No link in the message has a preview."]);
  await m.type("see https://ci.example/881 now");
  await core.clock.advance(5000);
  await expect.poll(() => m.ports.boxes.at().previews).toMatchObject([{ status: "loaded" }]);
  await m.press("A-l");
  expect(m.ports.boxes.at().previews).toMatchObject([{ status: "dismissed" }]);
  expect(m.text()).toBe("see https://ci.example/881 now");
});

describe("what Ctrl-C and Esc leave", () => {
  test("a text that Ctrl-C cleared comes back by undo, by Ctrl-Y and from the history", async () => {
    for (const key of ["C-_", "C-y", "C-up"]) {
      const m = hands();
      await m.type("a long thought");
      await m.press("C-c");
      expect(m.text()).toBe("");
      expect(m.told()).toEqual(["cleared; Ctrl-Y brings it back"]);
      await m.press(key);
      expect(m.text(), key).toBe("a long thought");
    }
  });

  test("Esc ends an edit: the draft from before is back, and Ctrl-Y has the changed text", async () => {
    const m = hands();
    await m.type("a draft");
    await m.press("esc", "e");
    expect(m.ports.boxes.at().editing?.message.id).toBe("m2");
    await m.type(" and more");
    await m.press("esc");
    expect([m.ports.boxes.at().editing, m.text(), m.screen.focus]).toEqual([
      undefined,
      "a draft",
      "composer",
    ]);
    expect(m.told().at(-1)).toMatch(/Ctrl-Y/);
    await m.press("C-u", "esc", "i", "C-c");
    const again = hands();
    await again.press("up");
    await again.type("!");
    await again.press("esc", "C-y");
    expect(again.text()).toBe("two of mine!");
  });

  test("Esc ends a quote and keeps the text; the next Esc browses", async () => {
    const m = hands();
    await m.press("esc", "q");
    await m.type("right");
    await m.press("esc");
    expect([m.ports.boxes.at().quote, m.text(), m.screen.focus]).toEqual([undefined, "right", "composer"]);
    await m.press("esc");
    expect(m.screen.focus).toBe("messages");
  });

  test("an answer takes the line of new messages away", async () => {
    const m = hands();
    await m.type("so it is\r");
    expect(m.asked("left")).toEqual([["left", GENERAL]]);
  });
});

describe("the rest of the box", () => {
  test("Ctrl-C gives an edit up that changed nothing without a word of it, and forgets that it was about to leave once something else is done", async () => {
    const m = hands();
    await m.press("C-c");
    expect(m.screen.quitArmed).toBe(true);
    await m.press("left");
    expect(m.screen.quitArmed).toBe(false);
    await m.press("C-c");
    await m.type("x");
    expect([m.screen.quitArmed, m.left]).toEqual([false, false]);
    await m.press("C-c", "up", "C-c", "C-up");
    expect(m.text()).toBe("x");
  });

  test("a paste of twenty lines or four thousand characters goes in at once, more is asked about; browsing it takes the box", async () => {
    for (const [text, asks] of [
      [Array.from({ length: 20 }, () => "l").join("\n"), false],
      [Array.from({ length: 21 }, () => "l").join("\r"), true],
      [Array.from({ length: 21 }, () => "l").join("\r\n"), true],
      ["x".repeat(4000), false],
      ["x".repeat(4001), true],
    ] as const) {
      const m = hands();
      await m.press("esc");
      await m.paste(text);
      expect([m.screen.popups.length, m.text().length > 0]).toEqual(asks ? [1, false] : [0, true]);
      await m.type("y");
      expect([m.screen.focus, m.text().replace(/y$/, "")]).toEqual([
        "composer",
        text.replaceAll(/\r\n?/g, "\n"),
      ]);
    }
  });

  test("the editor's text comes back without its last line end; unchanged or given up it changes nothing", async () => {
    for (const [edited, expected] of [
      ["new\n\n", "new\n"],
      ["old", "old"],
      [undefined, "old"],
    ] as const) {
      const m = hands({ edited: () => edited });
      await m.type("old");
      const before = m.ports.boxes.at();
      await m.press("C-g");
      expect(m.text()).toBe(expected);
      expect(m.ports.boxes.at() === before).toBe(expected === "old");
    }
  });

  test("what the screen is asked for goes to the terminal, and Ctrl-Z, Ctrl-L and leaving are no text", async () => {
    const m = hands();
    await m.press("C-l", "C-z", "C-c", "C-c");
    expect([m.redrawn, m.suspended, m.left, m.text()]).toEqual([1, 1, true, ""]);
  });
});

describe("what a command shows", () => {
  const table = (...rows: string[][]) => ({ kind: "table" as const, columns: ["id", "name"], rows });

  test("tables of the same columns that follow each other are one, with columns as wide as their words", () => {
    const views = [
      table(["1", "a"]),
      table(["22", "bo"]),
      { kind: "line", text: "then\nmore" } as const,
      table(["3", "c"]),
    ];
    expect(viewLines(views, true)).toEqual([
      "ID  NAME",
      "1   a",
      "22  bo",
      "then",
      "more",
      "ID  NAME",
      "3   c",
    ]);
    const other = { kind: "table" as const, columns: ["id"], rows: [["x"]] };
    expect(viewLines([table(["1", "a"]), other], true)).toEqual(["ID  NAME", "1   a", "ID", "x"]);
  });

  test("fields and messages are lines, times are those of people, long cells keep the columns", () => {
    const at = new Date(EPOCH).toISOString();
    expect(
      viewLines(
        [
          {
            kind: "fields",
            fields: [
              ["created", at],
              ["none", undefined],
              ["n", 3],
            ],
          },
        ],
        true,
      ),
    ).toEqual(["created  2026-11-17 09:00:00", "none     ", "n        3"]);
    expect(viewLines([{ kind: "messages", messages: [message("m1", "ana", "a\nb")] }], true)).toEqual([
      "09:00 ana: a b",
    ]);
    const long = "x".repeat(60);
    expect(viewLines([table([long, "y"])], true)).toEqual([`${"ID".padEnd(40)}  NAME`, `${long}  y`]);
  });
});
