/** The built program with a provider behind TLS: https and wss work like plain connections on loopback. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { until } from "../support/home.ts";
import { startCompanyNetwork, type CompanyNetwork } from "../support/company-network.ts";
import { spread } from "../support/proof.ts";

let office: CompanyNetwork;
beforeAll(async () => {
  office = await startCompanyNetwork();
});
afterAll(() => office?.end());

describe("over TLS", () => {
  test("send, message list and upload work over https", async () => {
    const { home, front } = office;
    expect(await home.run(["send", "messaging:general", "over tls"])).toMatchObject({ code: 0 });
    expect((await home.run(["message", "list", "-c", "messaging:general"])).out).toContain("over tls");
    const file = path.join(home.folder, "tea.txt");
    writeFileSync(file, "tea");
    const sent = await home.run(["upload", "-c", "messaging:general", file]);
    expect(sent, sent.err).toMatchObject({ code: 0 });
    expect(front.seen.some((line) => /^POST .*\/file/.test(line))).toBe(true);
  });

  test.each(["websocket", "longpoll"])("tail receives messages over %s", async (transport) => {
    const { home, front } = office;
    const tail = home.start([
      "tail",
      "messaging:general",
      "--last",
      "0",
      "--transport",
      transport,
      "--exit-after",
      "60s",
    ]);
    const opening = transport === "websocket" ? /^GET \/connect/ : /^GET \/longpoll/;
    await until("the connection", () => front.seen.some((line) => opening.test(line)));
    let n = 0;
    const writing = setInterval(
      () => void home.say("messaging:general", "bob", { text: `${transport} ${++n}` }),
      300,
    );
    await tail.waitFor(`${transport} `).finally(() => clearInterval(writing));
    tail.child.kill("SIGTERM");
    await tail.ended;
  });

  test("the screen opens, sends and receives over wss", async () => {
    const { home } = office;
    const screen = home.screen(["chat", "messaging:general"]);
    await screen.waitFor("● online");
    screen.type("from the screen");
    screen.key("enter");
    await until("it is there", async () =>
      (await home.messages("messaging:general")).some(({ text }) => text === "from the screen"),
    );
    await home.say("messaging:general", "bob", { text: "to the screen" });
    await screen.waitFor("to the screen");
    await screen.close();
  });

  test("NODE_EXTRA_CA_CERTS makes an authority trusted, as caFile does", async () => {
    const { home, authority } = office;
    home.env.PARLEY_CA_FILE = "";
    const without = await home.run(["message", "list", "-c", "messaging:general"]);
    expect(without.code).toBe(10);
    home.env.NODE_EXTRA_CA_CERTS = authority.file;
    expect(await home.run(["message", "list", "-c", "messaging:general"])).toMatchObject({ code: 0 });
    delete home.env.NODE_EXTRA_CA_CERTS;
    home.env.PARLEY_CA_FILE = authority.file;
  });

  test.each([
    ["is not there", () => "nowhere.pem"],
    ["holds no certificate", () => "config/parley/config.json"],
  ])("a caFile that %s is reported with code 2", async (_, file) => {
    const { home, authority } = office;
    home.env.PARLEY_CA_FILE = file();
    const { code, err } = await home.run(["message", "list", "-c", "messaging:general"]);
    home.env.PARLEY_CA_FILE = authority.file;
    expect([code, err]).toEqual([2, expect.stringContaining("caFile: ")]);
  });
});

describe("a certificate that is not trusted", () => {
  const wrong: [string, () => { cert: string; key: string } | undefined, RegExp, RegExp][] = [
    ["expired", () => office.authority.issue(["localhost"], -1), /certificate has expired/, /clock/],
    [
      "of another name",
      () => office.authority.issue(["other.test"]),
      /certificate belongs to another host/,
      /profile/,
    ],
    ["of an unknown authority", () => undefined, /certificate is signed by an unknown authority/, /caFile/],
  ];
  afterEach(() => {
    office.front.show(office.authority.issue(["localhost"]));
    office.home.env.PARLEY_CA_FILE = office.authority.file;
  });

  test.each(spread(wrong, 2))(
    "(%s) ends commands with 10, the reason and a hint",
    async (_, certificate, reason, hint) => {
      const { home, front } = office;
      const shown = certificate();
      if (shown) front.show(shown);
      else home.env.PARLEY_CA_FILE = "";
      for (const words of [
        ["message", "list", "-c", "messaging:general"],
        ["send", "messaging:general", "never"],
        ["tail", "messaging:general"],
      ]) {
        const { code, err } = await home.run(words);
        expect([words[0], code]).toEqual([words[0], 10]);
        expect(err).toMatch(reason);
        expect(err).toMatch(hint);
      }
      expect((await home.messages("messaging:general")).some(({ text }) => text === "never")).toBe(false);
    },
  );

  test.each(spread(wrong, 1))(
    "(%s) is named on the screen, which stops reconnecting until Enter is pressed",
    async (_, certificate, reason) => {
      const { home, front } = office;
      const shown = certificate();
      if (shown) front.show(shown);
      else home.env.PARLEY_CA_FILE = "";
      const screen = home.screen(["chat", "messaging:general"]);
      await screen.waitFor(reason);
      // Reads in progress are retried a few times; then nothing more is tried.
      let before = -1;
      await until("quiet", async () => {
        before = front.brokenOff.length;
        await new Promise((done) => setTimeout(done, 6000));
        return front.brokenOff.length === before;
      });
      screen.key("enter");
      await until("one more try", () => front.brokenOff.length > before);
      await screen.close();
    },
  );
});
