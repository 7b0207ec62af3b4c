/**
 * Folders written by old versions are opened without loss. `older/<commit>.tar.gz` contains the four folders of that commit's built
 * program: ana's workspace with Bo and Cy, one message that was never answered, and one draft in the box.
 */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openStore } from "../../src/core/store/open-store.ts";
import { Home } from "../support/home.ts";

const FOLDERS = path.join(import.meta.dirname, "older");
let home: Home;
afterEach(() => home.end());

function oldHome(file: string): void {
  home = new Home();
  execFileSync("tar", ["xzf", path.join(FOLDERS, file), "-C", home.folder]);
}

/** Runs a command and parses its JSON output. */
async function runJson(...words: string[]): Promise<unknown> {
  const { code, out, err } = await home.run(words);
  expect([words.join(" "), code, err]).toEqual([words.join(" "), 0, ""]);
  return JSON.parse(out);
}
const local = (...words: string[]): Promise<unknown> => runJson("--profile", "local", ...words);

describe.each(readdirSync(FOLDERS))("%s", (file) => {
  test("settings, profiles with their secrets, and unsent messages are read", async () => {
    oldHome(file);
    expect(await runJson("config", "get", "theme", "--json")).toMatchObject({ value: "dark" });
    expect(await runJson("profile", "list", "--json=name,kind,current")).toEqual([
      { name: "local", kind: "local", current: false },
      { name: "work", kind: "secret", current: true },
    ]);
    expect(await runJson("outbox", "list", "--json=id,text,cid")).toEqual([
      { id: "unsent-1", text: "not sent yet", cid: "messaging:ops" },
    ]);
  });

  test("the provider has every message with its replies, reactions, polls and files, and every channel, reminder and user", async () => {
    oldHome(file);
    const messages = (await local(
      "message",
      "list",
      "-c",
      "#ops",
      "--json=id,text,pinned,reply_count,reaction_counts,poll,attachments",
    )) as Record<string, unknown>[];
    expect(messages.slice(0, 3)).toMatchObject([
      { id: "old-1", text: "the kettle is on", pinned: true, reply_count: 1 },
      { id: "old-2", text: "two cups @ana", reaction_counts: { like: 1 } },
      { poll: { id: "poll-1", name: "Which tea?", options: [{ text: "Oolong" }, { text: "Mint" }] } },
    ]);
    expect(await local("message", "replies", "old-1", "--json=id,text")).toEqual([
      { id: "old-3", text: "a reply" },
    ]);
    expect(await local("channel", "list", "--json=cid,name,muted")).toEqual(
      expect.arrayContaining([
        { cid: "messaging:ops", name: "Ops", muted: false },
        { cid: "messaging:quiet", name: "Quiet", muted: true },
      ]),
    );
    expect(await local("reminder", "list", "--json=message_id")).toEqual([{ message_id: "old-2" }]);
    expect(await local("user", "list", "--json=id,name")).toEqual([
      { id: "ana", name: "ana" },
      { id: "bo", name: "Bo Berg" },
      { id: "cy", name: "Cy" },
    ]);
    expect(readdirSync(path.join(home.data, "files"))).toHaveLength(1);
    expect(await local("search", "kettle", "--json=id")).toEqual([{ id: "old-1" }]);
  });

  test("drafts of this machine and of the provider are listed, and the box shows the local one", async () => {
    oldHome(file);
    const drafts = (await local("draft", "list", "--json=channel_cid,message,origin")) as unknown[];
    expect(drafts).toHaveLength(2);
    expect(drafts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          channel_cid: "messaging:ops",
          message: expect.objectContaining({ text: "half a thought of mine" }),
        }),
        expect.objectContaining({
          channel_cid: "messaging:quiet",
          message: expect.objectContaining({ text: "half a thought of the provider" }),
        }),
      ]),
    );
    const screen = home.screen(["--profile", "local", "chat", "messaging:ops"]);
    await screen.waitFor("› half a thought of mine");
    await screen.waitFor("● online   local");
    expect(screen.text()).toContain("two cups @ana (bookmarked)");
  });

  test("the cache has the channels with their newest messages, and no file was set aside as damaged", () => {
    oldHome(file);
    const under = (kind: string, name: string): string =>
      path.join(home.folder, kind, "parley/local/ana", name);
    const store = openStore({ state: under("state", "state.db"), cache: under("cache", "cache.db") });
    const cached = new Map(store.cache.channels(50).map(({ channel, messages }) => [channel.cid, messages]));
    expect(cached.get("messaging:ops")).toMatchObject([
      { id: "old-1" },
      { id: "old-2" },
      { poll: { id: "poll-1" } },
    ]);
    expect([cached.get("messaging:quiet"), store.cache.me()?.id]).toEqual([[], "ana"]);
    store.close();
    const files = readdirSync(home.folder, { recursive: true, encoding: "utf8" });
    expect(files.filter((name) => name.includes("damaged"))).toEqual([]);
  });
});
