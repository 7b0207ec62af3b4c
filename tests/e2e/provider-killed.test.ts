/** The provider is killed while two people type: both screens say so and recover by themselves, and no message is lost or duplicated. */
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Home, online, until, type Running } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";

const CID = "messaging:general";
let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end());

/** The numbered messages on a screen from top to bottom, without the box. */
function shown(screen: Pty): string[] {
  return screen
    .text()
    .split("\n")
    .slice(0, -3)
    .flatMap((line) => /│.*?\b([ab]-\d+)\b/.exec(line)?.[1] ?? []);
}

async function sendAndWait(screen: Pty, text: string): Promise<void> {
  screen.type(text);
  screen.key("enter");
  // Listed among the messages and gone from the box: now it is durable (D1).
  await screen.waitFor((pty) => shown(pty).includes(text));
}

async function waitUntilOnline(screen: Pty): Promise<void> {
  await screen.waitFor("message #general");
  await screen.waitFor("● online");
}

/** D2, D3, D5: each message once, and in the same order on both screens and at the provider. */
async function expectAllDelivered(screens: Pty[], sent: string[], folder?: string): Promise<void> {
  const inOrder = await until("every message at the provider", async () => {
    const texts = (await home.messages(CID, folder)).map((m) => m.text as string);
    return texts.length >= sent.length ? texts : undefined;
  });
  expect(inOrder.toSorted()).toEqual(sent.toSorted());
  for (const letter of ["a", "b"]) {
    const own = (list: string[]): string[] => list.filter((text) => text.startsWith(letter));
    expect(own(inOrder)).toEqual(own(sent));
  }
  for (const screen of screens) {
    await screen.waitFor((pty) => shown(pty).join() === inOrder.join(), 10_000).catch(() => {});
    expect(shown(screen)).toEqual(inOrder);
    await screen.waitFor((pty) => !/unsent|waiting for|sending|not sent/.test(pty.text()));
  }
}

test("screens of the local profile start a killed provider again", async () => {
  const pid = await home.up();
  await home.channel("general", ["ana", "bob"]);
  const ana = home.screen(["chat", CID]);
  const bob = home.screen(["chat", CID, "--as", "bob"]);
  await Promise.all([waitUntilOnline(ana), waitUntilOnline(bob)]);
  const sent: string[] = [];
  for (let n = 1; n <= 7; n++) {
    ana.type(`a-${n}`);
    bob.type(`b-${n}`);
    ana.key("enter");
    bob.key("enter");
    sent.push(`a-${n}`, `b-${n}`);
    if (n === 4) {
      process.kill(pid, "SIGKILL");
      // Both screens report it while both people keep typing.
      await Promise.all([ana, bob].map((s) => s.waitFor(/● (retrying|reconnecting|connecting)/)));
    } else
      await Promise.all(
        [ana, bob].map((s) => s.waitFor((pty) => shown(pty).includes(sent.at(s === ana ? -2 : -1)!))),
      );
  }
  bob.type("half a thou");
  await Promise.all([ana, bob].map((s) => s.waitFor(online("local"))));
  await Promise.all([ana, bob].map((s) => s.waitFor("● online")));
  expect(home.provider()!.pid).not.toBe(pid);
  await expectAllDelivered([ana, bob], sent);
  // The unfinished text is still in the box.
  expect(bob.text()).toContain("› half a thou");
  bob.type("ght");
  await bob.waitFor("› half a thought");
  await until("bob to be seen typing again", () => {
    bob.type(".");
    return ana.text().includes("bob is typing");
  });
});

test("screens reconnect to a provider that is started again by hand", async () => {
  const data = path.join(home.folder, "served");
  const serve = async (): Promise<Running> => {
    const running = home.start(["serve", "--data", data, "--seed", "none"]);
    const pid = running.child.pid!;
    await until("the provider", () => home.provider(data)?.pid === pid);
    await until("its answer", async () => (await fetch(`${home.provider(data)!.url}/hi`)).ok);
    return running;
  };
  let provider = await serve();
  await home.channel("general", ["ana", "bob"], {}, data);
  const { url, apiKey } = home.provider(data)!;
  const login = ["login", "work", "--url", url, "--key", apiKey, "--user", "ana", "--kind", "secret"];
  expect(await home.run([...login, "--secret-file", path.join(data, "secret")])).toMatchObject({ code: 0 });
  const ana = home.screen(["--profile", "work", "chat", CID]);
  const bob = home.screen(["--profile", "work", "chat", CID, "--as", "bob"]);
  await Promise.all([waitUntilOnline(ana), waitUntilOnline(bob)]);
  expect(ana.text()).toContain("● online   work");
  const sent = ["a-1", "b-1", "a-2", "b-2"];
  for (const text of sent) await sendAndWait(text.startsWith("a") ? ana : bob, text);
  await Promise.all([ana, bob].map((s) => s.waitFor((pty) => !/unsent|sending/.test(pty.text()))));

  // Both press Enter, and the provider is killed before it sends any event.
  ana.type("a-3");
  bob.type("b-3");
  ana.key("enter");
  bob.key("enter");
  provider.child.kill("SIGKILL");
  sent.push("a-3", "b-3");
  await Promise.all([ana, bob].map((s) => s.waitFor(/● (retrying in \d+ s|reconnecting…)/)));
  for (const text of ["a-4", "b-4", "a-5", "b-5"]) {
    await sendAndWait(text.startsWith("a") ? ana : bob, text);
    sent.push(text);
  }
  for (const screen of [ana, bob]) expect(screen.text()).toMatch(/[23] unsent +… sync/);
  ana.type("half a thou");
  await ana.waitFor("› half a thou");

  provider = await serve();
  expect(home.provider(data)!.url).toBe(url);
  await Promise.all([ana, bob].map((s) => s.waitFor(online("work"))));
  await Promise.all([ana, bob].map((s) => s.waitFor("● online")));
  await expectAllDelivered([ana, bob], sent, data);
  expect(ana.text()).toContain("› half a thou");
});
