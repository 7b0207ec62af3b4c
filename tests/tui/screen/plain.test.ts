/** The plain chat: lines in, lines out, and never a control sequence (decisions 35). */
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { Opened } from "../../../src/open.ts";
import { runPlain, spoken } from "../../../src/tui/plain.ts";
import { EPOCH, FakeCore, channel, message, stateOf, user } from "../../support/fake-core.ts";

function workspace(): FakeCore {
  return new FakeCore(
    stateOf([
      channel("general", { messages: [message("m1", "ana", "hello\nyou")] }),
      channel("ops", {
        unread: 2,
        mentions: 1,
        messages: [message("o1", "bo", "\x1b[2Jlook", { minute: 5 })],
      }),
    ]),
  );
}

async function chat(
  core: FakeCore,
  typed: string[],
  connect = () => core.connectUser(),
): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const opened: Opened = {
    core,
    profile: { name: "local", kind: "local" },
    user: { id: "me" },
    maybeSent: () => false,
    left: () => Infinity,
    connect,
    close: async () => {},
  };
  const code = await runPlain({
    opened,
    channelType: "messaging",
    utc: true,
    channel: "messaging:general",
    input: Readable.from(typed.map((line) => `${line}\n`)),
    print: (line) => lines.push(line),
    load: async () => {},
    random: () => "id",
    now: () => EPOCH,
  });
  return { code, lines };
}

test("a channel is opened with its last messages, one line each", async () => {
  const { code, lines } = await chat(workspace(), []);
  expect(code).toBe(0);
  expect(lines).toContain("-- #general --");
  expect(lines).toContain("09:00 ana: hello / you");
});

test("a line is sent to the open channel, a slash runs a command of the client", async () => {
  const core = workspace();
  await chat(core, ["hi there", "/next", "again", "/quit", "never read"]);
  expect(core.calls("send")).toMatchObject([
    [{ cid: "messaging:general" }, { text: "hi there" }],
    [{ cid: "messaging:ops" }, { text: "again" }],
  ]);
});

test("/go finds a channel by a few letters and says so when there is none", async () => {
  const { lines } = await chat(workspace(), ["/go op", "/go zzzz"]);
  expect(lines).toContain("-- #ops --");
  expect(lines).toContain("No such channel.");
});

test("nothing that is printed holds a control character", async () => {
  const { lines } = await chat(workspace(), ["/next"]);
  expect(lines.some((l) => l.includes("look"))).toBe(true);
  // oxlint-disable-next-line no-control-regex
  expect(lines.filter((l) => /[\x00-\x1f\x7f-\x9f]/.test(l))).toEqual([]);
});

test("a message is spoken as time, name and words", () => {
  const held = message("m", "ana", "", { attachments: [{ type: "image" }], parent_id: "p" });
  expect(spoken({ ...held, user: user("ana", { name: "Ana\x07" }) }, true)).toMatch(
    /^09:00 Ana.?, in a thread, 1 attached: \(no text\)$/,
  );
});

test("a refused sign-in is said with what helps; an empty line tries again, and what was typed early is kept", async () => {
  const core = workspace();
  let tries = 0;
  const refused = {
    phase: "stopped",
    cause: "refused",
    code: 40,
    reason: "x",
    failures: 0,
    catchingUp: false,
  };
  const { code, lines } = await chat(core, ["", "hi there"], () => {
    if (++tries > 1) return core.connectUser();
    core.change((state) => ({ ...state, link: refused as never }));
    return Promise.reject(new Error("token was revoked"));
  });
  expect(code).toBe(0);
  expect(tries).toBe(2);
  expect(lines).toContain(
    "-- signed out: the token has expired or was revoked · parley login or Enter tries again --",
  );
  expect(core.calls("send")).toMatchObject([[{ cid: "messaging:general" }, { text: "hi there" }]]);
});

test("what a notice has said, such as an upload that failed, is said once and with its reason", async () => {
  const core = workspace();
  core.upload = () => {
    const notice = {
      id: "n",
      level: "error",
      text: "Upload failed",
      reason: "too big",
      until: 9e15,
    } as const;
    core.change((state) => ({ ...state, notices: [notice] }));
    return Promise.reject(Object.assign(new Error("Upload failed: too big"), { noticed: true }));
  };
  const { lines } = await chat(core, ["/upload notes.txt"]);
  expect(lines.filter((line) => line.includes("Upload failed"))).toEqual(["! Upload failed: too big"]);
});
