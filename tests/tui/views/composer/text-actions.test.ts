/** What the keys do in the box: rows, history, completion, edits, commands, and text that is not sent. */
import { scrollTo } from "../../../../src/tui/views/messages/navigation.ts";
import { describe, expect, test } from "vitest";
import type { Upload } from "../../../../src/core/core.ts";
import type { ClientMessage } from "../../../../src/model/state.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { composerHeight, drawComposer } from "../../../../src/tui/views/composer/rows.ts";
import type { UploadedFile } from "../../../../src/wire/entities/attachment.ts";
import { viewLines } from "../../../../src/tui/views/composer/show-result.ts";
import { LocalError } from "../../../../src/model/errors.ts";
import { words } from "../../../../src/text/words.ts";
import { setText } from "../../../../src/tui/editor/edits.ts";
import { threadPanel, scrollOf } from "../../../../src/tui/screen/screen.ts";
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
import { ScreenDriver, type ScreenDriverOptions } from "../../../support/screen-driver.ts";

const GENERAL = "messaging:general";
const workspace = (): FakeCore =>
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
const screenOf = (options?: ScreenDriverOptions): ScreenDriver => new ScreenDriver(workspace(), options);

describe("a selection in the box", () => {
  const written = async (text: string): Promise<ScreenDriver> => {
    const m = new ScreenDriver(new FakeCore(stateOf([channel("general")])));
    await m.type(text);
    return m;
  };

  test("grows with Shift and the arrows, Home and End; typing replaces it and Backspace deletes it", async () => {
    const m = await written("one two three");
    await m.press("C-S-left");
    await m.type("four");
    expect(m.text()).toBe("one two four");
    await m.press("S-home", "backspace");
    expect(m.text()).toBe("");
    await m.type("ab");
    await m.press("C-j");
    await m.type("cd");
    await m.press("S-up", "S-left", "delete");
    expect(m.text()).toBe("a");
    await m.press("home", "S-right", "S-right");
    await m.type("x");
    expect(m.text()).toBe("x");
    await m.press("S-left", "right");
    await m.type("y");
    expect(m.text()).toBe("xy");
  });

  test("is copied by Ctrl-C, which then clears nothing", async () => {
    const m = await written("one two");
    await m.press("C-S-left", "C-c");
    expect([m.copied, m.text()]).toEqual([["two"], "one two"]);
    await m.press("C-c");
    expect(m.text()).toBe("");
  });
});

describe("the cursor", () => {
  test("↑ and ↓ move by rows, and beyond the first and last row to the ends of the text", async () => {
    const m = screenOf();
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

  test("↑ in an empty box edits my last message in the channel or in the thread", async () => {
    const m = screenOf();
    await m.press("up");
    expect(m.ports.boxes.at().editing?.message.id).toBe("m2");
    const inThread = screenOf();
    inThread.change((s) => ({ ...s, panels: [threadPanel({ cid: GENERAL, parentId: "m1" })] }));
    await inThread.press("up");
    expect([inThread.ports.boxes.at().editing?.message.id, inThread.text()]).toEqual(["r2", "in a thread"]);
    const nothing = new ScreenDriver(
      new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "x")] })])),
    );
    await nothing.press("up");
    expect(nothing.ports.boxes.at().editing).toBeUndefined();
  });

  test("sent messages are recalled in both directions, up to the ends", async () => {
    const m = screenOf();
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
  test("Tab completes a single match at once, or opens a list, in which Tab and Enter take one", async () => {
    const m = screenOf();
    await m.type("see #op");
    await m.press("esc", "tab");
    expect([m.text(), m.screen.completion]).toEqual(["see #ops ", undefined]);
    await m.type("and /");
    expect(m.screen.completion).toBeUndefined();
    const several = screenOf();
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

  test("Tab without a completion moves to the messages, and Esc closes a list and keeps the text", async () => {
    const m = screenOf();
    await m.type("#");
    await m.press("esc");
    expect([m.screen.completion, m.text(), m.screen.focus]).toEqual([undefined, "#", "composer"]);
    const plain = screenOf();
    await plain.type("words");
    await plain.press("tab");
    expect([plain.screen.focus, plain.text()]).toEqual(["messages", "words"]);
  });

  test("moving the cursor or deleting the word closes the list", async () => {
    const m = screenOf();
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

describe("people of a channel whose members are not all loaded", () => {
  const big = (): ScreenDriver => {
    const core = new FakeCore(
      stateOf([channel("general", { memberCount: 150, messages: [message("m1", "ana", "one")] })]),
    );
    core.call = async (name: string, args?: unknown) => {
      core.asked.push({ name, args: [args] });
      const members = [{ user_id: "zed", user: user("zed", { name: "Zed Quist" }) }];
      return (name === "queryMembers" ? { members } : {}) as never;
    };
    return new ScreenDriver(core);
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

  test("that arrive late open no list over another word, or after leaving it", async () => {
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

describe("attached files", () => {
  test("are added by a command, shown with their progress, and sent with the next message", async () => {
    const m = screenOf();
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
        height: composerHeight(m.ports.boxes.at(), 60, { placeholder: "", note: "" }),
        composer: m.ports.boxes.at(),
        context: { placeholder: "", note: "" },
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

  test("are removed by name or all together, an unknown name is refused, and without a name a list opens", async () => {
    const m = screenOf();
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
  test("refused by the provider returns to the box, unless other text was begun there", async () => {
    const refuses = (m: ScreenDriver): void => {
      m.core.call = async () => {
        throw new Error("not yours");
      };
    };
    const m = screenOf();
    refuses(m);
    await m.type("/pin m1\r");
    expect([m.text(), m.told()]).toEqual(["/pin m1", ["not yours"]]);
    const busy = screenOf();
    refuses(busy);
    await busy.type("/pin m1\rnext");
    expect(busy.text()).toBe("next");
    await busy.press("C-up");
    expect(busy.text()).toBe("/pin m1");
  });

  test("that needs confirmation stays in the box until yes", async () => {
    const m = screenOf();
    m.core.call = async () => ({ message: message("m2", "me", "two of mine") }) as never;
    await m.type("/delete m2 --hard\r");
    expect(m.screen.popups).toHaveLength(1);
    await m.press("n");
    expect(m.text()).toBe("/delete m2 --hard");
    await m.type("\ry");
    expect(m.text()).toBe("");
  });

  test("for files that cannot be read returns to the box", async () => {
    const m = screenOf();
    m.core.uploads.prepare = async (file) => {
      throw new LocalError(`There is no file ${file}`, "ENOENT");
    };
    await m.type("/attach ~/repotr.pdf\r");
    await m.settle();
    expect(m.text()).toBe("/attach ~/repotr.pdf");
    expect(m.ports.boxes.at().uploads).toEqual([]);
  });

  test("for several files of which one cannot be read keeps the others, and does not return", async () => {
    const m = screenOf();
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
  const reactedTo = (m: ScreenDriver): unknown[] =>
    m.core.calls("call").map(([, args]) => (args as { path: { id: string } }).path.id);

  test("acts on the newest message or the one selected while browsing, and says which", async () => {
    const m = screenOf();
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
    "%s can be undone for ten seconds, and says so",
    async (line, { done, back: [name, id, how] }) => {
      const m = screenOf();
      await m.type(`${line}\r`);
      expect(m.told()).toEqual([`${done} · Ctrl-_ to undo`]);
      await m.press("C-_");
      expect(m.asked(name)).toEqual([[name, id, how]]);
    },
  );

  test("/delete does not ask, as it can be undone; --hard asks with the message's text, and another user's message stays", async () => {
    const m = screenOf();
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

  test("in a thread acts on a reply", async () => {
    const m = screenOf();
    m.change((s) => ({ ...s, panels: [threadPanel({ cid: GENERAL, parentId: "m1" })] }));
    await m.type("/react like\r");
    expect(reactedTo(m)).toEqual(["r2"]);
  });
});

describe("sending", () => {
  test("mentions only people who were chosen, or whose full name is unique", async () => {
    const member = (id: string, name: string) =>
      [id, { user_id: id, user: user(id, { name }), channel_role: "channel_member" }] as never;
    const core = new FakeCore(
      stateOf([
        channel("general", {
          members: new Map([member("sam1", "Sam"), member("sam2", "Sam"), member("bo", "Bo Berg")]),
        }),
      ]),
    );
    const m = new ScreenDriver(core);
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

  test("leaves without blank lines before and after it, and keeps its indentation and mentions", async () => {
    const bo = ["bo", { user_id: "bo", user: user("bo"), channel_role: "channel_member" }] as never;
    const mine = message("m1", "me", "one");
    const core = new FakeCore(stateOf([channel("general", { members: new Map([bo]), messages: [mine] })]));
    const m = new ScreenDriver(core);
    await m.type(" ");
    await m.press("C-j", "C-j");
    await m.type("  hello @bo");
    await m.press("tab", "C-j", "enter");
    expect(core.calls("send")).toMatchObject([
      [expect.anything(), { text: "  hello @bo ", mentionedUsers: ["bo"] }],
    ]);
    await m.press("up", "C-j", "C-j", "enter");
    expect(core.calls("edit")).toEqual([]);
  });

  test("is saved after an edit without the blank lines before and after it, too, with its indentation and the mentions in it", async () => {
    const bo = ["bo", { user_id: "bo", user: user("bo"), channel_role: "channel_member" }] as never;
    const core = new FakeCore(
      stateOf([channel("general", { members: new Map([bo]), messages: [message("m1", "me", "one")] })]),
    );
    const m = new ScreenDriver(core);
    await m.press("up", "C-u", "C-j", "C-j");
    await m.type("  two @bo");
    await m.press("tab", "C-j", "C-j", "enter");
    expect(core.calls("edit").map(([, set]) => set)).toEqual([
      { text: "  two @bo ", mentioned_users: ["bo"] },
    ]);
  });

  test("keeps a chosen mention before a particle, through /me and an edit, and says whom nobody is called (R-MENT-2, R-MENT-6)", async () => {
    const core = new FakeCore(
      stateOf([
        channel("general", {
          members: new Map(
            ["sam1", "sam2"].map((id) => [
              id,
              { user_id: id, user: user(id, { name: "Sam" }), channel_role: "channel_member" },
            ]),
          ) as never,
        }),
      ]),
    );
    const m = new ScreenDriver(core);
    const chooseSecond = async (before: string, after: string): Promise<void> => {
      await m.type(`${before}@sam`);
      const at = m.screen.completion!.items.findIndex(({ detail }) => detail === "sam2");
      for (let n = 0; n < at; n++) await m.press("down");
      await m.press("tab", "backspace");
      await m.type(`${after}\r`);
    };
    await chooseSecond("", "님 안녕");
    await chooseSecond("/me waves at ", "さん");
    await m.type("hi @Sam and @nobody, not `@code` or a@b.example\r");
    const sent = m.core.calls("send") as [unknown, { text: string; mentionedUsers?: string[] }][];
    expect(sent.map(([, { text, mentionedUsers }]) => [text, mentionedUsers])).toEqual([
      ["@Sam님 안녕", ["sam2"]],
      ["_waves at @Samさん_", ["sam2"]],
      ["hi @Sam and @nobody, not `@code` or a@b.example", undefined],
    ]);
    expect(m.told()).toEqual([
      "Not mentioned: Nobody here is called @nobody. Several people are called @Sam: choose one from the list, or write @ and the id.",
    ]);
  });

  test("needs an open channel, and says how to open one", async () => {
    const m = screenOf({ open: "" });
    await m.type("hello\r");
    expect([m.asked("send", "typed"), m.told()]).toEqual([[], ["Open a channel first: Ctrl-K."]]);
  });

  test("ignores blanks, and reconnects a stopped connection", async () => {
    const m = screenOf();
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

  test("shows a reply in the channel too if requested, once; outside a thread that is refused", async () => {
    const m = screenOf();
    await m.press("A-c");
    expect(m.told()).toEqual(["Only a thread reply can also be shown in the channel."]);
    m.change((s) => ({ ...s, panels: [threadPanel({ cid: GENERAL, parentId: "m1" })] }));
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

  test("Alt-N sends silently, also an answer with a quote, and only that message", async () => {
    const m = screenOf();
    await m.press("A-n");
    expect([m.core.calls("send"), m.told()]).toEqual([[], [words.silently.nothing]]);
    await m.press("esc", "q");
    await m.type("no hurry");
    await m.press("A-n");
    await m.type("look!\r");
    expect(m.core.calls("send").map(([, composition]) => composition)).toMatchObject([
      { text: "no hurry", silent: true },
      { text: "look!" },
    ]);
    expect(m.core.calls("send")[0]![1]).toHaveProperty("quotedMessageId");
    expect(m.core.calls("send")[1]![1]).not.toHaveProperty("silent");
    expect(m.told().at(-1)).toBe("sent silently: it notifies nobody");
  });

  test("keeps a text that cannot be stored, and says why", async () => {
    const m = screenOf();
    m.core.send = () => {
      throw new Error("disk full");
    };
    await m.type("keep me\r");
    expect([m.text(), m.told()]).toEqual(["keep me", ["disk full"]]);
    await m.type("\r");
    expect(m.told()).toHaveLength(2);
  });

  test("reports a refusal and a failure once", async () => {
    const m = screenOf();
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

  test("from old history returns to the newest messages", async () => {
    const old = messageSet([message("m1", "ana", "x")], { isLatest: false });
    const m = new ScreenDriver(new FakeCore(stateOf([{ ...channel("general"), sets: [old] }])));
    scrollTo(m.ports, { cid: GENERAL }, { id: "m1", row: 0 }, "m1");
    await m.type("hi\r");
    expect(m.asked("backToLatest")).toEqual([["backToLatest", { cid: GENERAL }]]);
    expect(scrollOf(m.screen, { cid: GENERAL })).toEqual({});
    const now = screenOf();
    await now.type("hi\r");
    expect(now.asked("backToLatest")).toEqual([]);
  });

  test("refuses an empty edit unless files remain, and an unchanged edit sends nothing", async () => {
    const m = screenOf();
    await m.press("up", "C-u", "enter");
    expect(m.told()).toEqual(["An edit cannot be empty; delete the message instead."]);
    expect(m.ports.boxes.at().editing).toBeDefined();
    await m.type("two of mine\r");
    expect([m.asked("edit"), m.ports.boxes.at().editing]).toEqual([[], undefined]);
    const files = message("m1", "me", "look", {
      attachments: [{ type: "file", asset_url: "https://a.example/f" }],
    });
    const withFile = new ScreenDriver(new FakeCore(stateOf([channel("general", { messages: [files] })])));
    await withFile.press("up", "C-u", "enter");
    expect(withFile.core.calls("edit").map(([, set]) => set)).toEqual([{ text: "", mentioned_users: [] }]);
  });

  test("a correction of words that do not occur stays in the box; escapes and a missing end are understood", async () => {
    const m = screenOf();
    await m.type("s/three/four/\r");
    expect([m.text(), m.told()]).toEqual(["s/three/four/", ["Your last message does not contain “three”."]]);
    await m.press("C-c");
    await m.type("s/two of/a\\/b $&\r");
    expect(m.core.calls("edit").map(([, set]) => (set as { text: string }).text)).toEqual(["a/b $& mine"]);
    expect(m.text()).toBe("");
  });
});

/** A channel in which links get previews. */
function withLinks(messages: ClientMessage[] = []): FakeCore {
  const core = new FakeCore(stateOf([channel("general", { messages })]), { linkPreviews: true });
  core.changeChannel(GENERAL, (entry) => ({
    ...entry,
    channel: { ...entry.channel, own_capabilities: ["send-message", "send-links", "update-own-message"] },
  }));
  return core;
}

test("link previews are switched off and on by a key, and the address stays in the text (R-LINK-10)", async () => {
  const core = withLinks();
  const m = new ScreenDriver(core);
  core.call = async () => ({ og_scrape_url: "https://ci.example/881", title: "Build 881" }) as never;
  await m.press("A-l");
  await m.press("A-l");
  expect(m.told()).toEqual([
    "This message is sent without link previews.",
    "Links of this message get a preview while you write.",
  ]);
  await m.type("see https://ci.example/881 now");
  await core.clock.advance(5000);
  await expect.poll(() => m.ports.boxes.at().previews).toMatchObject([{ status: "loaded" }]);
  await m.press("A-l");
  expect(m.ports.boxes.at().previews).toMatchObject([{ status: "dismissed" }]);
  await m.press("A-l");
  await expect.poll(() => m.ports.boxes.at().previews).toMatchObject([{ status: "loaded" }]);
  expect(m.text()).toBe("see https://ci.example/881 now");
});

test("one link preview of several is chosen and removed by the key that removes files, and the send goes without it (R-LINK-5)", async () => {
  const core = withLinks();
  const m = new ScreenDriver(core);
  core.call = (async (_name: string, { query: { url } }: { query: { url: string } }) => ({
    og_scrape_url: url,
    title: url.slice(-1),
  })) as never;
  await m.type("https://ci.example/a https://ci.example/b");
  await core.clock.advance(5000);
  await expect
    .poll(() => m.ports.boxes.at().previews.map(({ status }) => status))
    .toEqual(["loaded", "loaded"]);
  await m.press("A-x", "enter");
  expect(m.ports.boxes.at().previews).toMatchObject([{ status: "loaded" }, { status: "dismissed" }]);
  await m.press("enter");
  expect(core.calls("send").map(([, composition]) => composition)).toMatchObject([
    { attachments: [{ title: "a" }], options: { skip_enrich_url: true } },
  ]);
});

test("links get no previews in a channel without them, and an edit has none (R-LINK-1)", async () => {
  const mine = message("m1", "me", "see https://ci.example/881");
  const core = withLinks([mine]);
  const m = new ScreenDriver(core);
  await m.press("up", "A-l");
  await m.press("esc");
  core.changeChannel(GENERAL, (entry) => ({
    ...entry,
    channel: { ...entry.channel, config: { ...entry.channel.config!, url_enrichment: false } },
  }));
  await m.press("A-l");
  expect(m.told()).toEqual([
    "An edit keeps the previews that the message has.",
    "Links get no previews in this channel.",
  ]);
});

describe("after Ctrl-C and Esc", () => {
  test("a text cleared by Ctrl-C returns by undo, Ctrl-Y and the history", async () => {
    for (const key of ["C-_", "C-y", "C-up"]) {
      const m = screenOf();
      await m.type("a long thought");
      await m.press("C-c");
      expect(m.text()).toBe("");
      expect(m.told()).toEqual(["cleared; Ctrl-Y brings it back"]);
      await m.press(key);
      expect(m.text(), key).toBe("a long thought");
    }
  });

  test("Esc ends an edit and restores the draft, and Ctrl-Y has the edited text", async () => {
    const m = screenOf();
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
    const again = screenOf();
    await again.press("up");
    await again.type("!");
    await again.press("esc", "C-y");
    expect(again.text()).toBe("two of mine!");
  });

  test("Esc removes a quote and keeps the text; the next Esc browses", async () => {
    const m = screenOf();
    await m.press("esc", "q");
    await m.type("right");
    await m.press("esc");
    expect([m.ports.boxes.at().quote, m.text(), m.screen.focus]).toEqual([undefined, "right", "composer"]);
    await m.press("esc");
    expect(m.screen.focus).toBe("messages");
  });

  test("sending a message removes the new-messages line", async () => {
    const m = screenOf();
    await m.type("so it is\r");
    expect(m.asked("endLine")).toEqual([["endLine", GENERAL]]);
  });
});

describe("other keys of the box", () => {
  test("Ctrl-C ends an unchanged edit silently, and any other key disarms quitting", async () => {
    const m = screenOf();
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

  test("a long paste asks first, a shorter one does not, and pasting while browsing focuses the box", async () => {
    for (const [text, asks] of [
      [Array.from({ length: 20 }, () => "l").join("\n"), false],
      [Array.from({ length: 21 }, () => "l").join("\r"), true],
      [Array.from({ length: 21 }, () => "l").join("\r\n"), true],
      ["x".repeat(4000), false],
      ["x".repeat(4001), true],
    ] as const) {
      const m = screenOf();
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

  test("the editor's text is used without its last line end; unchanged or cancelled it changes nothing", async () => {
    for (const [edited, expected] of [
      ["new\n\n", "new\n"],
      ["old", "old"],
      [undefined, "old"],
    ] as const) {
      const m = screenOf({ edited: () => edited });
      await m.type("old");
      const before = m.ports.boxes.at();
      await m.press("C-g");
      expect(m.text()).toBe(expected);
      expect(m.ports.boxes.at() === before).toBe(expected === "old");
    }
  });

  test("redraw, suspend and quit do not change the text", async () => {
    const m = screenOf();
    await m.press("C-l", "C-z", "C-c", "C-c");
    expect([m.redrawn, m.suspended, m.left, m.text()]).toEqual([1, 1, true, ""]);
  });
});

describe("output of commands", () => {
  const table = (...rows: string[][]) => ({ kind: "table" as const, columns: ["id", "name"], rows });

  test("consecutive tables with the same columns are joined, with columns as wide as their content", () => {
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

  test("fields and messages are printed as lines, with readable times and wrapped cells", () => {
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

describe("a command line begun by a key while a text is in the box", () => {
  async function begun(): Promise<ScreenDriver> {
    const m = screenOf();
    await m.type("half a thought");
    await m.press("esc", "/");
    expect(m.text()).toBe("/");
    return m;
  }
  test("gives the text back when it is deleted", async () => {
    const m = await begun();
    await m.press("backspace");
    expect(m.text()).toBe("half a thought");
    await m.type(", finished");
    expect(m.text()).toBe("half a thought, finished");
  });
  test("gives it back when it was cleared, and only once", async () => {
    const m = await begun();
    await m.type("channel mute");
    await m.press("C-c");
    expect(m.text()).toBe("half a thought");
    await m.press("C-c");
    expect(m.text()).toBe("");
  });
  test("gives it back when it has run, and after a message that it sent", async () => {
    const m = await begun();
    await m.type("schedule\r");
    expect(m.text()).toBe("half a thought");
    await m.press("esc", "/");
    await m.type("me waves\r");
    expect(m.core.calls("send")).toMatchObject([[{}, { text: "_waves_" }]]);
    expect(m.text()).toBe("half a thought");
  });
  test("keeps it aside while another line replaces the first, and comes back itself when it is refused", async () => {
    const m = await begun();
    await m.press("esc", "esc", "/");
    expect(m.text()).toBe("/");
    m.core.call = (() => Promise.reject(new LocalError("not now"))) as never;
    await m.type("user mute @ana\r");
    await expect.poll(() => m.text()).toBe("/user mute @ana");
    m.ports.boxes.setEditor(setText(m.ports.boxes.at().editor, ""));
    expect(m.text()).toBe("half a thought");
  });
});
