/** A read-only screen: the requests of a whole session, and the refusal shown by each key that would write. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints, type EndpointRow } from "../../src/wire/endpoints/index.ts";
import { signToken } from "../../src/wire/token.ts";
import { FaultProxy } from "../support/fault-proxy.ts";
import { Home, until } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";

const HALL = "messaging:hall";
const NOTICE = "Read-only mode";

let home: Home;
let proxy: FaultProxy;
/** Every request line that passed the proxy. */
const requestLines: string[] = [];

beforeAll(async () => {
  home = new Home();
  await home.up();
  await home.channel("hall", ["ana", "bob"]);
  await home.channel("ops", ["ana", "bob"]);
  await home.channel("new", ["bob"]);
  await home.say(HALL, "ana", { text: "mine" });
  const { message } = await home.say(HALL, "bob", { text: "deploy at ten?" });
  await home.say(HALL, "bob", { text: "after lunch", parent_id: (message as { id: string }).id });
  const { poll } = await home.call("POST", "/polls", { name: "Tea?", options: [{ text: "yes" }] }, "bob");
  await home.say(HALL, "bob", { text: "vote", poll_id: (poll as { id: string }).id });
  proxy = await new FaultProxy(() => Number(new URL(home.provider()!.url).port)).listen();
  const begin = proxy.begin.bind(proxy);
  proxy.begin = (line) => {
    requestLines.push(line);
    return begin(line);
  };
  const words = ["login", "work", "--url", proxy.url, "--key", home.provider()!.apiKey, "--with-token"];
  const { code } = await home.run(
    [...words, "--no-test"],
    signToken({ user_id: "ana" }, home.provider()!.secret),
  );
  expect(code).toBe(0);
});
afterAll(async () => {
  await home.end();
  await proxy.close();
});

/** The endpoint that a request line matches. */
function rowOf(line: string): EndpointRow | undefined {
  const [method, target = ""] = line.split(" ");
  const path = target.split("?")[0]!;
  const fits = ({ method: own, path: template }: EndpointRow): boolean =>
    own === method &&
    new RegExp(`^${template.replace(/\{[^}]+\}/g, "[^/]+")}$`).test(decodeURIComponent(path));
  return (Object.values(endpoints) as EndpointRow[]).find(fits);
}

/** Requests that may write; querying an existing channel is only a read. */
const writes = (): string[] =>
  requestLines
    .map((line) => line.split("?")[0]!)
    .filter((line) => !/^GET \/(connect|longpoll)/.test(line))
    .filter((line) => !rowOf(line)?.safe && !/^POST \/channels\/messaging\/(hall|ops)\/query/.test(line));

async function expectRefusal(screen: Pty, act: () => void): Promise<void> {
  act();
  await screen.waitFor(NOTICE);
  // Close the notice again.
  screen.type("\x1bq");
  await screen.waitFor((pty) => !pty.text().includes(NOTICE));
}

test("a read-only screen sends no request that changes anything, and each key that would write says why it does not", async () => {
  await using screen = home.screen(["--profile", "work", "chat", HALL, "--read-only"]);
  await screen.waitFor("● online");
  await screen.waitFor("1 reply");
  await screen.waitFor("read-only · nothing is sent");
  await expectRefusal(screen, () => screen.type("hello\r"));
  expect(screen.text()).toContain("› hello");
  screen.key("C-u");
  for (const line of ["/topic tea", "/mute", "/react like", "/dm @bob", "/join #new"])
    await expectRefusal(screen, () => screen.type(`\x15${line}\r`));
  screen.key("C-u");
  screen.key("esc");
  await screen.waitFor("BROWSE");
  screen.type("g");
  for (const keys of ["pp", "s", "dd", "U", "+", "R"]) await expectRefusal(screen, () => screen.type(keys));
  screen.type("G");
  await expectRefusal(screen, () => screen.type("11"));
  screen.type("kt");
  await screen.waitFor("Thread · 1 reply");
  screen.key("esc");
  screen.type("\x1bi");
  await screen.waitFor("Inbox");
  screen.key("esc");
  await home.say(HALL, "bob", { text: "another one" });
  await screen.waitFor("another one");
  screen.key("C-k");
  screen.type("ops\r");
  await screen.waitFor("#ops   2 members");
  screen.type("\x03\x03");
  expect((await screen.exited).exitCode).toBe(0);
  expect(requestLines.length).toBeGreaterThan(5);
  expect(writes()).toEqual([]);
  const { channels } = await home.call("GET", "/unread", undefined, "ana");
  expect(channels).toMatchObject([{ channel_id: HALL, unread_count: 3 }]);
});

test("without --read-only the same session sends a read mark", async () => {
  await using screen = home.screen(["--profile", "work", "chat", HALL]);
  await screen.waitFor("another one");
  await until("a read mark", () => writes().some((line) => line.endsWith("/read")));
});
