/** The client core as the package exports it: the example runs as written, and the types need no other file of the repository. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProvider, type Provider } from "../../src/provider/provider.ts";
import { signToken } from "../../src/wire/token.ts";
import { removeFolder } from "../support/remove-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SECRET = "a secret that is long enough for a test";
const run = promisify(execFile);

let folder: string;
let provider: Provider;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parley-package-"));
  provider = createProvider({ data: path.join(folder, "data"), secret: SECRET });
  await provider.listen();
});
afterAll(async () => {
  await provider.close();
  removeFolder(folder);
});

test("docs/example-client.mjs prints what it promises", async () => {
  const { stdout, stderr } = await run(process.execPath, [path.join(ROOT, "docs/example-client.mjs")], {
    env: {
      PARLEY_LOCAL_URL: provider.url,
      PARLEY_LOCAL_KEY: provider.apiKey,
      PARLEY_TOKEN: signToken({ user_id: "mira" }, SECRET),
    },
  });
  expect(stderr).toBe("");
  expect(stdout.trimEnd().split("\n").toSorted()).toEqual([
    "connected as mira, 0 unread",
    "heard mira: The kettle is on",
    "member of: messaging:kettle",
    "read mira: The kettle is on",
    "sent: received",
  ]);
});

test("docs/example-lists.mjs prints what it promises", async () => {
  const { stdout, stderr } = await run(process.execPath, [path.join(ROOT, "docs/example-lists.mjs")], {
    env: {
      PARLEY_LOCAL_URL: provider.url,
      PARLEY_LOCAL_KEY: provider.apiKey,
      PARLEY_TOKEN: signToken({ user_id: "mira" }, SECRET),
    },
  });
  expect(stderr).toBe("");
  expect(stdout.trimEnd().split("\n")).toEqual([
    "threads: 1",
    "reminder: upcoming",
    "bookmarks: 0",
    "members: mira",
    "found: Who takes the tea?",
    "tracking",
    "no longer tracking",
    "notice: That was all",
  ]);
});

test("docs/example-client.mjs exits with 1 and names the provider's code if it is refused", async () => {
  const env = {
    PARLEY_LOCAL_URL: provider.url,
    PARLEY_LOCAL_KEY: provider.apiKey,
    PARLEY_TOKEN: signToken({ user_id: "mira" }, "another secret, and as long as the first"),
  };
  await expect(
    run(process.execPath, [path.join(ROOT, "docs/example-client.mjs")], { env }),
  ).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("refused with code 43") });
});

/** A program of another developer that uses types of each kind: arguments, results and errors. */
const CONSUMER = `
import { createClient, ApiError, TransportError, type Client, type Message, type SendOutcome, type State, type Steps } from "parley-chat/core";

const client: Client = createClient({ baseUrl: "http://127.0.0.1:1", apiKey: "k3y", transport: "auto" });
const steps: Steps = { beforeWrite: (name) => (name === "sendMessage" ? Promise.reject(new Error("no")) : undefined) };
client.use(steps);
const state: State = client.state();
const texts: string[] = [...state.channels.values()].flatMap(({ sets }) => sets.map((set) => set.messages.at(0)?.text ?? ""));
const outcome: Promise<SendOutcome> = client.send({ cid: "messaging:tea" }, { text: texts.join() }).outcome;
const message: Message = (await client.call("getMessage", { path: { id: "m1" } })).message;
const stop: () => void = client.on("message.new", ({ message, cid }) => void texts.push(message.text ?? "", cid ?? ""));
client.on("all", ({ type, created_at }) => void texts.push(type, created_at));
client.on("deploy.done", ({ type, build }) => void texts.push(type, String(build)));
// @ts-expect-error What else an event may carry is of no known type.
client.on("reaction.new", ({ poll }) => poll.id);
// @ts-expect-error A call's reply has its own type.
const wrong: number = (await client.call("getMessage", { path: { id: "m1" } })).message;
// @ts-expect-error No endpoint has this name.
await client.call("getNothing");
export const facts = (error: unknown): unknown =>
  error instanceof ApiError ? error.code : error instanceof TransportError ? error.neverSent : [outcome, message, wrong, stop];
`;

test("the types describe arguments, results and errors, and need only Node's types", async () => {
  const home = path.join(folder, "consumer");
  mkdirSync(path.join(home, "node_modules"), { recursive: true });
  symlinkSync(ROOT, path.join(home, "node_modules/parley-chat"));
  writeFileSync(path.join(home, "package.json"), `{ "type": "module" }`);
  writeFileSync(path.join(home, "index.ts"), CONSUMER);
  const compiler = path.join(ROOT, "node_modules/typescript/bin/tsc");
  const flags = "--ignoreConfig --strict --noEmit --target es2024 --module nodenext --lib es2024,dom --types";
  const ended = await run(process.execPath, [compiler, ...flags.split(" "), "", "index.ts"], {
    cwd: home,
  }).catch((error: { stdout: string }) => error);
  expect(ended.stdout).toBe("");
});

test("no type of the package imports another package", () => {
  const types = path.join(ROOT, "dist/types");
  const files = readdirSync(types, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".d.ts"),
  );
  expect(files.length).toBeGreaterThan(20);
  const foreign = files.flatMap((file) => {
    const text = readFileSync(path.join(types, file), "utf8");
    return [...text.matchAll(/(?:from |import\()"([^."][^"]*)"/g)].map((found) => `${file}: ${found[1]}`);
  });
  expect(foreign).toEqual([]);
});
