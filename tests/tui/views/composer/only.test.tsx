/** `/only`: the box says who will see what is sent, and all that leaves it is for them (R-SEND-16). */
import { afterEach, describe, expect, test, vi } from "vitest";
import type { OutgoingMessage } from "../../../../src/core/core.ts";
import type { ClientMessage } from "../../../../src/model/state.ts";
import { openSharing } from "../../../../src/tui/views/map/share-location.ts";
import { CAPABLE, channel, FakeCore, message, stateOf, user } from "../../../support/fake-core.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";

const CID = "messaging:general";
const psst = message("psst", "ana", "psst", { restricted_visibility: ["bo", "me"], minute: 1 });
const MAY = [...CAPABLE, "send-restricted-visibility-message"];
const mounted: Mounted[] = [];
afterEach(() => {
  for (const m of mounted.splice(0)) m.unmount();
});

interface Options {
  may?: boolean;
  columns?: number;
  memberCount?: number;
  messages?: ClientMessage[];
}

const world = ({ may = true, memberCount = 3, messages = [psst] }: Options = {}): FakeCore => {
  const members = new Map(
    ["me", "ana", "bo"].map((id) => [id, { user_id: id, user: user(id) } as never] as const),
  );
  const entry = channel("general", { messages, members, memberCount });
  Object.assign(entry.channel, { own_capabilities: may ? MAY : CAPABLE });
  return new FakeCore(stateOf([entry, channel("ops")]));
};

async function screen(options: Options = {}, core = world(options)): Promise<Mounted> {
  const m = await mount(core, { columns: options.columns ?? 120 });
  mounted.push(m);
  return m;
}

const sent = (m: Mounted): [string, unknown][] =>
  m.core.calls("send").map(([, each]) => {
    const { text, audience } = each as OutgoingMessage;
    return [text, audience];
  });
const notices = (m: Mounted): string[] => m.core.state().notices.map(({ text }) => text);
const written = (m: Mounted): string => m.ports.boxes.at().editor.text;
/** The row above the text. */
const banner = (m: Mounted): string =>
  m
    .text()
    .split("\n")
    .findLast((row) => /sees? this|looked up/.test(row))
    ?.trim() ?? "";

describe("R-SEND-16: /only", () => {
  test("names those who see what follows, says so above the box, and /only - ends it", async () => {
    const m = await screen();
    await m.type("/only @ana @bo\r");
    expect([banner(m), sent(m)]).toEqual(["only ana, bo see this", []]);
    await m.type("the key has changed\r");
    expect(banner(m)).toBe("only ana, bo see this");
    await m.type("/me waves\r");
    await m.type("/only -\r");
    expect(banner(m)).toBe("");
    await m.type("good morning\r");
    expect(sent(m)).toEqual([
      ["the key has changed", ["ana", "bo", "me"]],
      ["_waves_", ["ana", "bo", "me"]],
      ["good morning", undefined],
    ]);
  });

  test("text after the names is sent to them, and they stay chosen", async () => {
    const m = await screen();
    await m.type("/only @bo the key has changed\r");
    expect([sent(m), written(m), banner(m)]).toEqual([
      [["the key has changed", ["bo", "me"]]],
      "",
      "only bo sees this",
    ]);
  });

  test("completes the members of the channel", async () => {
    const m = await screen();
    await m.type("/only @");
    expect(m.ports.store.screen.completion?.items.map(({ label }) => label)).toEqual(["@ana", "@bo"]);
    await m.press("tab");
    await m.type("@b");
    await m.press("tab");
    expect(written(m)).toBe("/only @ana @bo ");
  });

  test("needs the right to, which ending it does not; the text stays", async () => {
    const m = await screen({ may: false });
    await m.type("/only @bo the key has changed\r");
    expect([written(m), sent(m)]).toEqual(["/only @bo the key has changed", []]);
    expect(notices(m)).toEqual(["You may not write to some members only in this channel."]);
    await m.press("C-u");
    await m.type("/only -\r");
    expect(notices(m).at(-1)).toBe("Everybody in this channel sees what you send here.");
  });

  test("takes members only, and asks the provider about those who are not loaded", async () => {
    const m = await screen();
    await m.type("/only @bo @cy hello\r");
    expect([written(m), notices(m)]).toEqual([
      "/only @bo @cy hello",
      ["Not in this channel: cy. Nobody was chosen."],
    ]);
    const big = await screen({ memberCount: 500 });
    big.core.answers.set("queryMembers", () => ({ members: [{ user_id: "cy" }] }));
    await big.type("/only @bo @cy hello\r");
    await big.settle();
    expect(sent(big)).toEqual([["hello", ["bo", "cy", "me"]]]);
    await big.type("/only @cy @dan hello\r");
    await big.settle();
    expect(sent(big)).toHaveLength(1);
    expect([written(big), banner(big)]).toEqual(["/only @cy @dan hello", "only bo, cy see this"]);
  });

  test("alone says how, and whom it names is said at any width", async () => {
    const m = await screen({ columns: 60 });
    await m.type("/only ");
    await m.press("enter");
    expect(notices(m).at(-1)).toContain("/only @name");
    const many = Array.from({ length: 12 }, (_, n) => `somebody-${n}`);
    m.ports.boxes.change((composer) => composer.onlyFor(many));
    await m.settle();
    expect(banner(m)).toBe("only somebody-0 and 11 others see this");
    m.ports.boxes.change((composer) => composer.onlyFor(["a".repeat(70), "b".repeat(70), "c".repeat(70)]));
    await m.settle();
    expect(banner(m)).toBe("only 3 people see this");
    m.ports.boxes.change((composer) => composer.onlyFor(["me"]));
    await m.settle();
    expect(banner(m)).toBe("only you see this");
    await m.press("C-u");
    await m.resize(60, 6);
    await m.type("hi");
    expect(banner(m)).toBe("only you see this");
  });

  test("two people of one name are told apart", async () => {
    const core = world();
    core.change((state) => ({
      ...state,
      users: new Map([
        ["b1", user("b1", { name: "Bo" })],
        ["b2", user("b2", { name: "Bo" })],
      ]),
    }));
    core.changeChannel(CID, (entry) => ({
      ...entry,
      members: new Map(
        ["b1", "b2"].map((id) => [id, { user_id: id, user: user(id, { name: "Bo" }) } as never]),
      ),
    }));
    const m = await screen({}, core);
    m.ports.boxes.change((composer) => composer.onlyFor(["b2"]));
    await m.settle();
    expect(banner(m)).toBe("only Bo (b2) sees this");
  });
});

describe("R-SEND-16: an answer", () => {
  test("keeps the people of a quoted message; without the right it stays, and everybody has to be chosen", async () => {
    const m = await screen({ may: false });
    m.ports.boxes.quote(psst);
    await m.type("so secret\r");
    expect(banner(m)).toBe("only bo, ana see this · quoting ana · psst");
    expect([sent(m), written(m)]).toEqual([[], "so secret"]);
    expect(notices(m).at(-1)).toContain("/only - shows it to everybody");
    await m.press("C-u");
    await m.type("/only -\r");
    expect(banner(m)).toBe("everybody in this channel sees this · quoting ana · psst");
    await m.type("to all\r");
    expect(sent(m)).toEqual([["to all", undefined]]);
  });

  test("to a message that is not loaded is sent once it is known who sees that, unless the text was changed", async () => {
    const m = await screen({ messages: [] });
    const answer = Promise.withResolvers<object>();
    m.core.answers.set("getMessage", () => answer.promise);
    m.ports.boxes.change((composer) => composer.quote("psst"));
    await m.type("so secret\r");
    expect([banner(m), sent(m)]).toEqual(["who sees this is looked up when you send it", []]);
    await m.type("!");
    answer.resolve({ message: psst });
    await m.settle();
    expect([sent(m), written(m)]).toEqual([[], "so secret!"]);
    await m.press("enter");
    expect(sent(m)).toEqual([["so secret!", ["bo", "ana", "me"]]]);
  });

  test("to a message that cannot be looked up stays in the box, with the reason", async () => {
    const m = await screen({ messages: [] });
    m.core.answers.set("getMessage", () => Promise.reject(new Error("no network")));
    m.ports.boxes.change((composer) => composer.quote("psst"));
    await m.type("so secret\r");
    await m.settle();
    expect([sent(m), written(m)]).toEqual([[], "so secret"]);
    expect(notices(m).at(-1)).toContain("nothing was sent: no network");
  });
});

describe("R-SEND-16: what leaves the box otherwise", () => {
  test("a location and a command typed into it are for the same people", async () => {
    const m = await screen();
    await m.type("/only @bo\r");
    openSharing(m.ports);
    await m.type("52.1,4.8\r");
    await m.press("down", "down", "down", "enter");
    await m.settle();
    await m.type("/message send by command\r");
    await m.settle();
    expect(sent(m)).toEqual([
      ["", ["bo", "me"]],
      ["by command", ["bo", "me"]],
    ]);
  });

  test("an undone send comes back with its people, also into a box that has a quote by then", async () => {
    const m = await screen();
    m.core.unsend = () => ({ id: "x", text: "so secret", restricted_visibility: ["bo", "me"] });
    const { offerUnsend } = await import("../../../../src/tui/views/composer/scheduled.ts");
    const { takeBack } = await import("../../../../src/tui/ports/take-back.ts");
    m.ports.boxes.change((composer) => composer.quote("open"));
    offerUnsend(m.ports, "x", CID, 5000);
    takeBack(m.ports);
    await m.settle();
    expect([written(m), banner(m)]).toEqual(["so secret", "only bo sees this"]);
  });

  test.each([
    ["failed", { status: "failed" }],
    ["was stopped by moderation", { type: "error", moderation: { action: "bounce" } }],
  ])("a message that %s goes back into the box with its people", async (_, more) => {
    const mine = message("x", "me", "so secret", { ...more, restricted_visibility: ["bo", "me"] } as never);
    const m = await screen({ messages: [mine] });
    await m.press("esc", "e");
    expect([written(m), banner(m)]).toEqual(["so secret", "only bo sees this"]);
    await m.type("!\r");
    expect(sent(m)).toEqual([["so secret!", ["bo", "me"]]]);
  });

  test("a command that would post outside of a thread for some is not run", async () => {
    const m = await screen();
    const place = { cid: CID, parentId: "psst" };
    m.ports.boxes.open(place);
    const { runText } = await import("../../../../src/tui/views/composer/run-command-line.ts");
    const { NOT_TYPED } = await import("../../../../src/tui/views/composer/typed-command.ts");
    Object.defineProperty(m.ports.boxes, "place", { get: () => place });
    runText(m.ports, "/message send to all", NOT_TYPED);
    runText(m.ports, "/message send --only-for - to all", NOT_TYPED);
    await vi.waitFor(() => expect(sent(m)).toHaveLength(1));
    expect(sent(m)).toEqual([["to all", undefined]]);
    expect(notices(m)[0]).toContain("everybody in the channel");
  });

  test("clearing the box keeps those who were chosen", async () => {
    const m = await screen();
    await m.type("/only @bo\r");
    await m.type("so secret");
    await m.press("C-c");
    expect([written(m), banner(m)]).toEqual(["", "only bo sees this"]);
  });

  test("a message that waits for an upload stays if other people are chosen meanwhile", async () => {
    const m = await screen();
    m.core.uploads.transfer = () => new Promise(() => {});
    await m.core.composer({ cid: CID }).attachments.hold(["/a.txt"]);
    await m.settle();
    await m.type("so secret\r");
    expect(m.ports.store.screen.waitingSends.size).toBe(1);
    m.ports.boxes.change((composer) => composer.onlyFor(["bo"]));
    await m.settle();
    expect([m.ports.store.screen.waitingSends.size, sent(m), written(m)]).toEqual([0, [], "so secret"]);
  });
});
