/** Data on this machine belong to an app, not to a profile's name: no message and no answer of one provider reaches another (specification/storage.md §1). */
import { globSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { signToken } from "../../src/wire/token.ts";
import { Home, type Ran } from "../support/home.ts";

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end());

const CHANNEL = "messaging:tea";
const token = signToken({ user_id: "ana" }, "a secret of another provider");

async function ok(...words: string[]): Promise<string> {
  const { code, out, err } = await home.run(words);
  expect([words.join(" "), code, err]).toMatchObject([words.join(" "), 0, expect.anything()]);
  return out;
}
const waiting = async (profile: string): Promise<string[]> =>
  (await ok("-p", profile, "outbox", "list", "--jq", ".id")).split("\n").filter(Boolean);

/** Signs in to a hosted app without asking it. */
async function login(profile: string, url: string, key = "k3y"): Promise<Ran> {
  const words = ["login", profile, "--url", url, "--key", key, "--with-token", "--no-test"];
  return home.run(words, token);
}
const queue = (profile: string, id: string): Promise<string> =>
  ok("-p", profile, "send", CHANNEL, "--id", id, "hello", "--queue", "--max-wait", "1s");

/** Stops the embedded provider; messages of this profile, which knows it by its address, wait. */
async function stopped(profile: string): Promise<void> {
  const { url, apiKey } = home.provider()!;
  const flags = [
    "--user",
    "ana",
    "--kind",
    "secret",
    "--secret-file",
    path.join(home.data, "secret"),
    "--no-test",
  ];
  await ok("login", profile, "--url", url, "--key", apiKey, ...flags);
  await ok("local", "stop");
}

test("a waiting message stays with its provider when the profile gets another one, and is sent when that is signed in to again", async () => {
  const folders = ["one", "two"].map((name) => path.join(home.folder, name));
  const secrets: string[] = [];
  for (const folder of folders) {
    home.env.PARLEY_LOCAL_DATA = folder;
    await ok("local", "start");
    await home.channel("tea", ["ana"], {}, folder);
    secrets.push(path.join(folder, "secret"));
  }
  const [one, two] = folders.map((folder) => home.provider(folder)!);
  const signIn = (profile: string, { url, apiKey }: { url: string; apiKey: string }, secret: string) =>
    ok(
      "login",
      profile,
      "--url",
      url,
      "--key",
      apiKey,
      "--user",
      "ana",
      "--kind",
      "secret",
      "--secret-file",
      secret,
    );
  await signIn("work", one!, secrets[0]!);
  home.env.PARLEY_LOCAL_DATA = folders[0];
  await ok("local", "stop");
  await queue("work", "for-one");
  const { err } = await home.run([
    "login",
    "work",
    "--url",
    two!.url,
    "--key",
    two!.apiKey,
    "--user",
    "ana",
    "--kind",
    "secret",
    "--secret-file",
    secrets[1]!,
  ]);
  expect(err).toContain(`kept on this machine: 1 unsent message for ${one!.apiKey}@local`);
  expect(await waiting("work")).toEqual([]);
  await ok("-p", "work", "outbox", "retry");
  expect(await home.messages(CHANNEL, folders[1])).toEqual([]);

  // It listens on another port now, and belongs to the same key.
  renameSync(path.join(folders[0]!, "port"), path.join(folders[0]!, "port-before"));
  await ok("local", "start");
  await signIn("again", home.provider(folders[0])!, secrets[0]!);
  for (const profile of ["again", "local"]) expect(await waiting(profile)).toEqual(["for-one"]);
  await ok("-p", "again", "outbox", "retry");
  expect((await home.messages(CHANNEL, folders[0])).map(({ id }) => id)).toEqual(["for-one"]);
});

test("a key at another address ends every run without a terminal with 6, and an answer is asked for once", async () => {
  await login("work", "https://a.example");
  await queue("work", "m1");
  expect((await login("work", "https://b.example")).err).toContain("1 unsent message for k3y@a.example");
  for (const line of ["outbox list", "draft list", "send #tea hi --queue", "campaign optout list"]) {
    const { code, err } = await home.run(["-p", "work", ...line.split(" ")]);
    expect([line, code]).toEqual([line, 6]);
    expect(err).toContain("parley profile data work --same https://a.example");
  }
  expect(JSON.parse(await ok("profile", "data", "work", "--json"))).toMatchObject({
    app: "k3y@b.example",
    unsent: 0,
    undecided: ["https://a.example"],
  });
  await ok("profile", "data", "work", "--new");
  expect(await waiting("work")).toEqual([]);
  const { out } = await home.run(["-p", "local", "doctor", "--jq", 'select(.check == "unsent").message']);
  expect(out).toBe("1 message for k3y@a.example\n");
  await queue("work", "m2");

  await login("other", "https://c.example");
  await ok("profile", "data", "other", "--same", "https://A.example:443/");
  expect(await waiting("other")).toEqual(["m1"]);
  await login("back", "https://a.example/");
  expect(await waiting("back")).toEqual(["m1"]);
  await queue("back", "m3");
  expect([await waiting("other"), await waiting("work")]).toEqual([["m1", "m3"], ["m2"]]);
});

test("on a terminal the question is asked before anything is shown, and its answer is kept", async () => {
  await login("work", "https://a.example");
  await queue("work", "m1");
  await login("work", "https://b.example");
  const unsure = home.screen(["-p", "work", "outbox", "list"]);
  await unsure.waitFor("Does https://b.example lead to the same app");
  await unsure.type("perhaps\r");
  expect((await unsure.end()).exitCode).toBe(130);
  const asked = home.screen(["-p", "work", "outbox", "list"]);
  await asked.waitFor("[y/n]");
  await asked.type("y\r");
  expect((await asked.end()).exitCode).toBe(0);
  expect(asked.text()).toContain("m1");
  expect(await waiting("work")).toEqual(["m1"]);
});

test("the screen asks before it starts", async () => {
  await login("work", "https://127.0.0.1:1");
  await queue("work", "m1");
  await login("work", "https://127.0.0.1:2");
  const screen = home.screen();
  await screen.waitFor("Does https://localhost:2 lead to the same app");
  await screen.type("n\r");
  await screen.waitFor(/● .* work *$/m);
  expect(await waiting("work")).toEqual([]);
});

test("removing a profile keeps what another one of the same app and user has waiting", async () => {
  await login("work", "https://a.example");
  await login("job", "https://A.example/");
  await queue("work", "m1");
  const removed = await home.run(["profile", "remove", "work", "--yes"]);
  expect(removed).toMatchObject({ code: 0, err: expect.stringContaining("profile job uses them") });
  expect(await waiting("job")).toEqual(["m1"]);
  expect((await home.run(["profile", "remove", "job", "--yes"])).code).toBe(2);
  await ok("profile", "remove", "job", "--confirm", "job");
  await login("work", "https://a.example");
  expect(await waiting("work")).toEqual([]);
});

test("a reset erases what waits for the erased provider, and no other profile's data", async () => {
  await home.up();
  await home.channel("tea", ["ana"]);
  await ok("send", CHANNEL, "seen");
  await stopped("far");
  await queue("far", "lost");
  await login("work", "https://a.example");
  await queue("work", "m1");
  await ok("local", "reset", "--confirm", "reset");
  expect([await waiting("local"), await waiting("work")]).toEqual([[], ["m1"]]);
  await home.channel("tea", ["ana"]);
  await ok("-p", "local", "outbox", "retry");
  expect(await home.messages(CHANNEL)).toEqual([]);
  const left = ["state", "cache"].flatMap((kind) =>
    globSync("parley/*@local/**/*.db", { cwd: path.join(home.folder, kind) }).map((file) =>
      readFileSync(path.join(home.folder, kind, file), "latin1"),
    ),
  );
  expect(left.filter((text) => /seen|lost/.test(text))).toEqual([]);
});

test("a screen of an erased provider keeps a text in its box, and leaves nothing of it behind", async () => {
  await home.up();
  await home.channel("tea", ["ana"]);
  await ok("send", CHANNEL, "kettle");
  const screen = home.screen(["chat", CHANNEL]);
  await screen.waitFor("kettle");
  await screen.waitFor("● online");
  await ok("local", "reset", "--confirm", "reset");
  await screen.waitFor("was erased");
  await screen.type("typed after\r");
  await screen.waitFor("was removed");
  await screen.waitFor("› typed after");
  await screen.close();
  expect(globSync("{state,cache}/parley/*@local", { cwd: home.folder })).toEqual([]);
});

test("people of one app do not share what waits", async () => {
  await home.up();
  await home.channel("tea", ["ana", "bo"]);
  await stopped("far");
  await queue("far", "of-ana");
  await ok(
    "-p",
    "far",
    "--as",
    "bo",
    "send",
    CHANNEL,
    "--id",
    "of-bo",
    "hello",
    "--queue",
    "--max-wait",
    "1s",
  );
  expect(await waiting("far")).toEqual(["of-ana"]);
  expect(await ok("-p", "far", "--as", "bo", "outbox", "list", "--jq", ".id")).toBe("of-bo\n");
});
