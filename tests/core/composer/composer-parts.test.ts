/** A composer with fake parts: what each action saves as draft, passes to the parts and sends (R-SEND-4, R-DRAFT). */
import { mentionsIn } from "../../../src/model/mentions.ts";
import { describe, expect, test } from "vitest";
import { Composer, type ComposerDeps } from "../../../src/core/composer/composer.ts";
import type { DraftContent } from "../../../src/core/lists/provider-drafts.ts";
import type { OutgoingMessage, Upload } from "../../../src/core/base/api-types.ts";
import type { LocationChoice } from "../../../src/core/locations/validity.ts";
import type { Attachment } from "../../../src/wire/entities/attachment.ts";
import type { User } from "../../../src/wire/entities/user.ts";
import { fixedRandom } from "../../support/virtual-clock.ts";
import { channel, CID, msg, subject, user } from "../state/world.ts";

const ID = "ada-00000000-0000-4000-8000-000000000001";
const cake: Attachment = { type: "file", title: "cake" };
const tea: Attachment = { type: "image", title: "tea" };
const page: Attachment = { og_scrape_url: "https://tea.example", title: "Tea" };
const upload = (localId: string, state: Upload["state"] = "finished"): Upload => ({
  localId,
  name: localId,
  state,
  sent: 0,
  total: 0,
  attachment: { type: "file", title: localId },
});

/** A composer whose parts record their calls. */
function fakeComposer(more: Partial<ComposerDeps> = {}) {
  const bob = {
    user_id: "bob",
    user: user("bob"),
    channel_role: "channel_member",
    created_at: "",
    updated_at: "",
  };
  const { machine } = subject(channel([], { members: [bob] }));
  const calls: string[] = [];
  const drafts: unknown[] = [];
  const sent: OutgoingMessage[] = [];
  const edits: unknown[] = [];
  const fake = {
    uploads: [] as Upload[],
    remembered: [] as User[],
    restored: [] as readonly Pick<User, "id" | "name">[],
    draft: undefined as DraftContent | undefined,
    links: { attachments: [] } as { attachments: Attachment[]; skip_enrich_url?: true },
    refuse: undefined as Error | undefined,
    changed: (): void => {},
  };
  const record =
    (what: string) =>
    (...args: unknown[]): void =>
      void calls.push(
        [what, ...args.map((each) => (typeof each === "object" ? JSON.stringify(each) : each))].join(" "),
      );
  const composer = new Composer({
    place: { cid: CID },
    parts: {
      attachments: {
        state: () => ({ uploads: fake.uploads, slots: 10 }),
        draftFiles: () => ({
          attachments: fake.uploads.flatMap(({ state, attachment }) =>
            state === "finished" ? [attachment] : [],
          ),
          files: fake.uploads.flatMap(({ state, name }) => (state === "uploading" ? `/home/${name}` : [])),
          heldFiles: [],
        }),
        subscribe: (listener: () => void) => {
          fake.changed = listener;
          return () => {};
        },
        clear: () => {
          fake.uploads = [];
          record("files.clear")();
        },
      } as never,
      links: {
        typed: record("links.typed"),
        clear: record("links.clear"),
        pause: record("links.pause"),
        resume: record("links.resume"),
        outgoing: () => fake.links,
      } as never,
      suggestions: {
        typed: record("words.typed"),
        close: record("words.close"),
        moved: () => {},
        restore: (_text: string, users: typeof fake.restored) => (fake.restored = users),
        user: (id: string) => (id === "bob" ? user("bob") : { id }),
        chosenIds: () => mentionsIn(composer.state().text, { others: fake.remembered }).ids,
        mentioned: (text: string) => mentionsIn(text, { others: [...fake.restored, ...fake.remembered] }),
        clear: () => {
          fake.remembered = [];
          record("words.clear")();
        },
      } as never,
      poll: {} as never,
    },
    random: fixedRandom(),
    state: machine.state,
    audiences: { known: () => [], note: () => {}, find: async () => {} },
    sendSeparately: () => {
      throw new Error("nothing is sent beside it");
    },
    userId: () => "ada",
    now: () => 0,
    deviceId: () => "device",
    locations: true,
    send(composition) {
      if (fake.refuse) throw fake.refuse;
      sent.push(composition);
      return { id: composition.id!, outcome: new Promise(() => {}) };
    },
    edit: async (message, set) => {
      edits.push([message.id, set]);
      if (fake.refuse) throw fake.refuse;
    },
    typing: record("typing"),
    draft: () => fake.draft,
    saveDraft: (draft) => void drafts.push(draft),
    saveNow: record("saveNow"),
    failed: (error) => record("failed")(error.message),
    warn: record("warn"),
    ...more,
  });
  const takeCalls = (): string[] => calls.splice(0);
  return { composer, fake, drafts, sent, edits, takeCalls };
}

describe("a send", () => {
  test("contains text, mentions, quote, previews, carried files and location, and empties the composer", () => {
    const b = fakeComposer();
    b.composer.replace({ text: "x", attachments: [cake] });
    b.composer.typed("see @bob", 8);
    b.composer.quote("m7");
    b.composer.showInChannel(true);
    b.composer.locate({ latitude: 1, longitude: 2 });
    const uploads = [upload("u1")];
    Object.assign(b.fake, {
      uploads,
      remembered: [user("bob")],
      links: { attachments: [page], skip_enrich_url: true },
    });
    b.takeCalls();
    expect(
      b.composer.send({ silent: true, custom: { mood: "calm" }, options: { skip_push: true } })!.id,
    ).toBe(ID);
    expect(b.sent).toStrictEqual([
      {
        text: "see @bob",
        id: ID,
        uploads,
        attachments: [cake, page],
        mentionedUsers: ["bob"],
        quotedMessageId: "m7",
        showInChannel: true,
        silent: true,
        custom: {
          mood: "calm",
          shared_location: { latitude: 1, longitude: 2, created_by_device_id: "device" },
        },
        options: { skip_push: true, skip_enrich_url: true },
      },
    ]);
    expect(b.composer.state()).toStrictEqual({
      text: "",
      revision: 2,
      showInChannel: false,
      carried: [],
      audience: [],
    });
    expect(b.takeCalls()).toEqual(["files.clear", "links.clear", "words.clear"]);
  });
  test("of a text alone has no other key", () => {
    const b = fakeComposer();
    b.composer.typed("hi", 2);
    b.composer.send();
    expect(b.sent).toStrictEqual([{ text: "hi", id: ID, uploads: [] }]);
  });
  test.each<[string, (b: ReturnType<typeof fakeComposer>) => void, Attachment[]]>([
    ["carried", (b) => b.composer.replace({ text: "x", attachments: [cake] }), [cake]],
    ["found by a link", (b) => (b.fake.links = { attachments: [page] }), [page]],
  ])("contains only the attachments that were %s", (_, prepare, attachments) => {
    const b = fakeComposer();
    prepare(b);
    b.composer.send();
    expect(b.sent[0]!.attachments).toEqual(attachments);
    expect(b.sent[0]).not.toHaveProperty("options");
  });
  test("that is refused leaves the composition as it was", () => {
    const b = fakeComposer();
    b.composer.replace({ text: "hi", quotedMessageId: "m7", attachments: [cake] });
    const before = b.composer.state();
    b.takeCalls();
    b.fake.refuse = new Error("too long");
    expect(() => b.composer.send()).toThrow("too long");
    expect(b.composer.state()).toBe(before);
    expect(b.takeCalls()).toEqual([]);
  });
  test("an edit that is cleared does not bring back the text from before it", () => {
    const b = fakeComposer();
    b.composer.typed("before", 6);
    b.composer.edit(msg(5));
    b.composer.clear();
    b.composer.edit(undefined);
    expect(b.composer.state().text).toBe("");
  });
});

describe("typing", () => {
  test("a changed text goes to suggestions, links, the typing signal and the draft", () => {
    const b = fakeComposer();
    b.composer.typed("hi", 1);
    expect(b.takeCalls()).toEqual(["words.typed hi 1", "links.typed hi", "typing hi"]);
    expect(b.drafts).toStrictEqual([{ text: "hi" }]);
    expect(b.composer.state()).toStrictEqual({
      text: "hi",
      revision: 0,
      showInChannel: false,
      carried: [],
      audience: [],
    });
  });
  test("a moved cursor goes to suggestions only", () => {
    const b = fakeComposer();
    b.composer.typed("hi", 2);
    const before = b.composer.state();
    b.takeCalls();
    b.composer.typed("hi", 1);
    expect(b.takeCalls()).toEqual(["words.typed hi 1"]);
    expect(b.drafts).toHaveLength(1);
    expect(b.composer.state()).toBe(before);
  });
  test("typing during an edit looks for no links", () => {
    const b = fakeComposer();
    b.composer.edit(msg(5));
    b.takeCalls();
    b.composer.typed("text five", 9);
    expect(b.takeCalls()).toEqual(["words.typed text five 9", "typing text five"]);
    expect(b.drafts.at(-1)).toStrictEqual({ text: "text five", editingId: "m5" });
  });
  test("the draft stores the mentioned users that were chosen", () => {
    const b = fakeComposer();
    b.fake.remembered = [user("bob")];
    b.composer.typed("hi @bob ", 8);
    expect(b.drafts.at(-1)).toStrictEqual({ text: "hi @bob ", mentionedUsers: ["bob"] });
  });
});

describe("a draft", () => {
  test("stores quote, show-in-channel, files and mentions, each only when there is one (R-DRAFT-8)", () => {
    const b = fakeComposer();
    b.composer.quote("m7");
    b.composer.showInChannel(true);
    b.composer.replace({
      text: "@bob",
      quotedMessageId: "m8",
      showInChannel: true,
      attachments: [cake, tea],
    });
    b.fake.uploads = [upload("u1"), upload("u2", "uploading")];
    b.fake.remembered = [user("bob"), user("eve")];
    b.composer.drop(cake);
    b.composer.quote(undefined);
    b.composer.showInChannel(false);
    const files = [tea, { type: "file", title: "u1" }];
    const left = { files: ["/home/u2"] };
    expect(b.drafts).toStrictEqual([
      { text: "", quotedMessageId: "m7" },
      { text: "", quotedMessageId: "m7", showInChannel: true },
      {
        text: "@bob",
        quotedMessageId: "m8",
        showInChannel: true,
        attachments: files,
        ...left,
        mentionedUsers: ["bob"],
      },
      { text: "@bob", showInChannel: true, attachments: files, ...left, mentionedUsers: ["bob"] },
      { text: "@bob", attachments: files, ...left, mentionedUsers: ["bob"] },
    ]);
    expect(b.composer.state().carried).toEqual([tea]);
    expect(b.composer.state()).not.toHaveProperty("quotedMessageId");
  });
  test("that is opened replaces the composition, remembers its mentioned users and looks for links (R-DRAFT-5)", () => {
    const b = fakeComposer();
    b.fake.draft = { text: "a @bob", mentionedUsers: ["bob", "eve"], showInChannel: true };
    b.composer.open();
    expect(b.composer.state()).toStrictEqual({
      audience: [],
      text: "a @bob",
      revision: 1,
      showInChannel: true,
      carried: [],
    });
    expect(b.fake.restored).toEqual([user("bob"), { id: "eve" }]);
    expect(b.takeCalls()).toEqual(["links.typed a @bob"]);
    b.composer.replace({ text: "b" });
    expect(b.composer.state()).toStrictEqual({
      text: "b",
      revision: 2,
      showInChannel: false,
      carried: [],
      audience: [],
    });
  });
  test.each<[string, boolean, (b: ReturnType<typeof fakeComposer>) => void]>([
    ["nothing", true, () => {}],
    ["blanks", true, (b) => b.composer.typed(" \n", 2)],
    ["a location", true, (b) => b.composer.locate({ latitude: 1, longitude: 2 } satisfies LocationChoice)],
    ["a text", false, (b) => b.composer.typed("x", 1)],
    ["a quote", false, (b) => b.composer.quote("m7")],
    ["a running edit", false, (b) => b.composer.edit(msg(5, { text: "" }))],
    ["a file", false, (b) => (b.fake.uploads = [upload("u1", "pending")])],
    ["a carried file", false, (b) => b.composer.replace({ text: "", attachments: [cake] })],
  ])("is taken over by a composer with %s: %s (R-DRAFT-5)", (_, taken, prepare) => {
    const b = fakeComposer();
    prepare(b);
    b.fake.draft = { text: "kept" };
    b.composer.open();
    expect(b.composer.state().text === "kept").toBe(taken);
  });
  test("is saved when its set of files changes, not for upload progress, blocked files, or during an edit", () => {
    const b = fakeComposer();
    const draftsAfter = (...uploads: Upload[]): number => {
      b.fake.uploads = uploads;
      const before = b.drafts.length;
      b.fake.changed();
      return b.drafts.length - before;
    };
    expect(draftsAfter(upload("u1", "uploading"))).toBe(1);
    expect(draftsAfter(upload("u1", "uploading"))).toBe(0);
    expect(draftsAfter(upload("u1"))).toBe(1);
    expect(draftsAfter(upload("u1"), upload("u0", "blocked"))).toBe(0);
    expect(draftsAfter(upload("u1"), upload("u2", "uploading"))).toBe(1);
    expect(draftsAfter(upload("u1"), upload("u2"))).toBe(1);
    // The last finished upload is removed while another is running, and while there is a text.
    expect(draftsAfter(upload("u3", "uploading"))).toBe(1);
    expect(draftsAfter(upload("u1"))).toBe(1);
    b.composer.typed("x", 1);
    expect(draftsAfter()).toBe(1);
    b.composer.typed("", 0);
    expect(draftsAfter(upload("u1"))).toBe(1);
    expect(draftsAfter()).toBe(0);
    b.composer.edit(msg(5));
    expect(draftsAfter(upload("u9"))).toBe(0);
  });
});

describe("an edit", () => {
  test("puts text and quote aside until it ends, also when another edit follows it (R-DRAFT-8)", () => {
    const b = fakeComposer();
    b.composer.typed("before", 6);
    b.composer.quote("m7");
    b.takeCalls();
    b.composer.edit(msg(5));
    expect(b.composer.state()).toStrictEqual({
      audience: [],
      text: "text 5",
      revision: 1,
      editing: msg(5),
      showInChannel: false,
      carried: [],
    });
    b.composer.edit(msg(6));
    b.composer.edit(undefined);
    expect(b.composer.state()).toStrictEqual({
      audience: [],
      text: "before",
      revision: 3,
      quotedMessageId: "m7",
      showInChannel: false,
      carried: [],
    });
    expect(b.takeCalls()).toEqual(["words.close", "words.close", "words.close"]);
    expect(b.drafts.slice(2)).toStrictEqual([
      { text: "text 5", editingId: "m5", aside: { text: "before", quotedMessageId: "m7" } },
      { text: "text 6", editingId: "m6", aside: { text: "before", quotedMessageId: "m7" } },
      { text: "before", quotedMessageId: "m7" },
    ]);
    b.composer.edit(undefined);
    expect(b.composer.state()).toMatchObject({ text: "", revision: 4 });
  });
  test("is sent with the users mentioned in its text, and ends at once", async () => {
    const b = fakeComposer();
    b.composer.edit(msg(5, { mentioned_users: [user("eve"), user("zed")] }));
    b.composer.typed("@eve @bob", 9);
    b.fake.remembered = [user("bob")];
    expect(b.composer.send()).toBeUndefined();
    expect(b.edits).toStrictEqual([["m5", { text: "@eve @bob", mentioned_users: ["eve", "bob"] }]]);
    expect(b.sent).toEqual([]);
    expect(b.composer.state()).toStrictEqual({
      text: "",
      revision: 2,
      showInChannel: false,
      carried: [],
      audience: [],
    });
    b.takeCalls();
    b.fake.refuse = new Error("no");
    b.composer.edit(msg(6));
    b.composer.typed("better", 6);
    b.composer.send();
    await new Promise<void>((done) => setImmediate(done));
    expect(b.takeCalls()).toContain("failed no");
  });
  test("holds back a draft of another device until it ends (R-DRAFT-7)", () => {
    const b = fakeComposer();
    b.composer.edit(msg(5));
    b.composer.replace({ text: "theirs", quotedMessageId: "m8" });
    expect(b.composer.state().text).toBe("text 5");
    b.composer.edit(undefined);
    expect(b.composer.state()).toMatchObject({ text: "theirs", quotedMessageId: "m8" });
  });
});

test("leaving closes lists and previews and saves at once; a clear empties everything, stops typing and saves an empty draft", () => {
  const b = fakeComposer();
  b.composer.replace({ text: "x", attachments: [cake], quotedMessageId: "m7", showInChannel: true });
  b.composer.locate({ latitude: 1, longitude: 2 });
  b.takeCalls();
  b.composer.onLeft();
  expect(b.takeCalls()).toEqual(["links.pause", "words.close", "saveNow"]);
  expect(b.composer.state()).toMatchObject({ text: "x", carried: [cake] });
  b.composer.clear();
  expect(b.takeCalls()).toEqual(["files.clear", "links.clear", "words.clear", "typing "]);
  expect(b.composer.state()).toStrictEqual({
    text: "",
    revision: 2,
    showInChannel: false,
    carried: [],
    audience: [],
  });
  expect(b.drafts).toStrictEqual([{ text: "" }]);
});

test.each<[string, Partial<ComposerDeps>]>([
  ["switched off", { locations: false }],
  ["not valid without a device", { deviceId: () => "" }],
])("a location that is %s is not sent, and custom fields are", (_, more) => {
  const b = fakeComposer(more);
  b.composer.typed("x", 1);
  b.composer.locate({ latitude: 1, longitude: 2 });
  b.composer.send({ custom: { mood: "calm" } });
  expect(b.sent).toStrictEqual([{ text: "x", id: ID, uploads: [], custom: { mood: "calm" } }]);
});
