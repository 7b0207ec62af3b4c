/** Messages that a running provider refuses: what cannot be retried is put back into the box. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Core } from "../../../../src/core/core.ts";
import { createProvider, type Provider } from "../../../../src/provider/provider.ts";
import { openChannel } from "../../../../src/tui/navigation/open-channel.ts";
import { signToken } from "../../../../src/wire/token.ts";
import { coreOn } from "../../../support/core-on.ts";
import { draftList } from "../../../../src/tui/views/lists/drafts.ts";
import { until } from "../../../support/fake-provider.ts";
import { realScreen, type RealScreen } from "../../../support/real-screen.ts";

const SECRET = "a secret that is long enough for a test";
const CID = "messaging:tea";
let folder: string;
let provider: Provider;
let mira: Core;
let screen: RealScreen;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parley-commands-"));
  provider = createProvider({ data: path.join(folder, "data"), secret: SECRET });
  await provider.listen();
  mira = coreOn(provider.url, { apiKey: provider.apiKey });
  await mira.connectUser({ id: "mira" }, signToken({ user_id: "mira" }, SECRET));
  await mira.watch(CID, { members: ["mira"] });
  screen = realScreen(mira);
  openChannel(screen.ports, CID);
});
afterEach(async () => {
  screen.close();
  await mira.close();
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

const text = (): string => screen.ports.boxes.at().editor.text;
const notices = (): string[] => mira.state().notices.map((notice) => notice.text);

const enter = (line: string): void =>
  screen.press(...line.split("").map((c) => (c === " " ? "space" : c)), "enter");

test("a command refused by the provider returns to the box with the reason, and is not left unsent", async () => {
  enter("/mute @nobody");
  await until("the line is back", () => text() === "/mute @nobody");
  expect(notices()).toEqual(['User "nobody" not found']);
  expect(mira.unsent()).toEqual([]);
  expect(
    mira
      .state()
      .channels.get(CID)!
      .sets.map((set) => set.messages.length),
  ).toEqual([0]);
});

test("if the box has other text, a refused command stays among the unsent messages", async () => {
  enter("/mute @nobody");
  screen.press("h", "i");
  await until("it was refused", () => notices().length > 0);
  expect(text()).toBe("hi");
  expect(mira.unsent()).toMatchObject([{ text: "/mute @nobody", state: "failed" }]);
});

test("a text for a deleted channel returns to the box, and is listed as a draft until it is sent elsewhere", async () => {
  openChannel(screen.ports, "messaging:gone");
  screen.press("h", "i", "enter");
  await until("it is back", () => text() === "hi");
  expect(notices().at(-1)).toContain("does not exist");
  expect(mira.unsent()).toEqual([]);
  openChannel(screen.ports, CID);
  expect(draftList.entries(screen.ports.store.get())).toMatchObject([
    { title: "#gone", lines: [{ text: "hi" }] },
  ]);
});
