/** An outage from the user's view: the network fails, the user keeps writing, and everything arrives when it comes back. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { signToken } from "../../src/wire/token.ts";
import { FaultProxy } from "../support/fault-proxy.ts";
import { Home, until } from "../support/home.ts";

const HALL = "messaging:hall";
let home: Home;
let proxy: FaultProxy;

beforeAll(async () => {
  home = new Home();
  await home.up();
  await home.channel("hall", ["ana", "bob"]);
  await home.say(HALL, "bob", { text: "good morning" });
  proxy = await new FaultProxy(() => Number(new URL(home.provider()!.url).port)).listen();
  const words = ["login", "work", "--url", proxy.url, "--key", home.provider()!.apiKey, "--with-token"];
  const token = signToken({ user_id: "ana" }, home.provider()!.secret);
  expect(await home.run([...words, "--no-test"], token)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await home.end();
  await proxy.close();
});

test("messages written during an outage are shown as waiting, and arrive once and in order afterwards", async () => {
  await using ana = home.screen(["--profile", "work", "chat", HALL]);
  await ana.waitFor("● online");
  await ana.waitFor("good morning");
  await proxy.stop();
  // The state is shown in words, not by colour alone.
  await ana.waitFor(/● (retrying|reconnecting|connecting|offline)/);
  ana.type("first\rsecond\r");
  await ana.waitFor("waiting for the network");
  await ana.waitFor("2 unsent");
  await home.say(HALL, "bob", { text: "are you there?" });
  await home.say(HALL, "bob", { text: "hello?" });
  expect(ana.text()).not.toContain("hello?");
  await proxy.listen();
  await ana.waitFor("● online");
  await ana.waitFor("hello?");
  await until("both messages", async () => (await home.messages(HALL)).length === 5);
  const texts = (await home.messages(HALL)).map(({ text }) => text as string);
  expect(texts).toEqual(["good morning", "are you there?", "hello?", "first", "second"]);
  await ana.waitFor((pty) => !/unsent|sending/.test(pty.text()));
});

test("leaving with an unsent message asks first, and the next start sends it", async () => {
  const ana = home.screen(["--profile", "work", "chat", HALL]);
  await ana.waitFor("● online");
  await proxy.stop();
  await ana.waitFor(/● (retrying|reconnecting|connecting|offline)/);
  ana.type("for later\r");
  await ana.waitFor("1 unsent");
  ana.type("/quit\r");
  await ana.waitFor("1 message is not sent yet");
  ana.type("y");
  expect((await ana.exited).exitCode).toBe(0);
  await proxy.listen();
  await using again = home.screen(["--profile", "work", "chat", HALL]);
  await again.waitFor("● online");
  await until("the message", async () =>
    (await home.messages(HALL)).some(({ text }) => text === "for later"),
  );
  await again.waitFor((pty) => !pty.text().includes("unsent"));
});
