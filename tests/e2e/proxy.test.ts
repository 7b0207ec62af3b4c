/** The built program behind a proxy: HTTP, uploads, WebSocket and long-poll go through it, and each proxy failure is named. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { until } from "../support/home.ts";
import { PROXIED_HOST, startCompanyNetwork, type CompanyNetwork } from "../support/company-network.ts";
import { CONNECT_TIMEOUT } from "../../src/wire/constants.ts";
import { spread } from "../support/proof.ts";

let office: CompanyNetwork;
beforeAll(async () => {
  office = await startCompanyNetwork();
  office.home.env.PARLEY_PROFILE = "far";
});
afterAll(() => office?.end());
afterEach(() => {
  const { home, proxy, front } = office;
  for (const name of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "NO_PROXY", "PARLEY_PROXY"])
    delete home.env[name];
  Object.assign(proxy, { password: undefined, rawResponse: undefined, cutAfter: undefined, dribbles: false });
  Object.assign(front, { cutUpgradesAfter: undefined, answer: undefined });
  proxy.tunnels.length = front.seen.length = 0;
});

const LIST = ["message", "list", "-c", "messaging:general"];

/** Checks that a tail over this transport receives bob's messages. */
async function tailReceives(transport: string, opening: RegExp): Promise<void> {
  const { home, front } = office;
  const tail = home.start(["tail", "messaging:general", "--last", "0", "--transport", transport]);
  await until("the connection", () => front.seen.some((line) => opening.test(line)));
  let n = 0;
  const writing = setInterval(
    () => void home.say("messaging:general", "bob", { text: `${transport} ${++n}` }),
    300,
  );
  await tail.waitFor(`${transport} `).finally(() => clearInterval(writing));
  tail.child.kill("SIGTERM");
  await tail.ended;
}

describe("a proxy", () => {
  test.each(spread(["HTTPS_PROXY", "https_proxy", "PARLEY_PROXY"], 1))(
    "named by %s is used for calls and uploads",
    async (name) => {
      const { home, proxy, front } = office;
      home.env[name] = proxy.url;
      const file = path.join(home.folder, "tea.txt");
      writeFileSync(file, "tea");
      const sent = await home.run(["upload", "-c", "messaging:general", file]);
      expect(sent, sent.err).toMatchObject({ code: 0 });
      expect(proxy.tunnels.length).toBeGreaterThan(0);
      expect(new Set(proxy.tunnels)).toEqual(new Set([`${PROXIED_HOST}:443`]));
      expect(front.seen.some((line) => /^POST .*\/file/.test(line))).toBe(true);
    },
  );

  test.each([
    ["websocket", /^GET \/connect/],
    ["longpoll", /^GET \/longpoll/],
  ])("carries the live events of tail over %s", async (transport, opening) => {
    office.home.env.HTTPS_PROXY = office.proxy.url;
    await tailReceives(transport, opening);
  });

  test("that requires a password gets it, and a missing or wrong one is reported", async () => {
    const { home, proxy } = office;
    proxy.password = "ann:p w%";
    home.env.HTTPS_PROXY = proxy.as("ann", "p w%");
    expect(await home.run(LIST)).toMatchObject({ code: 0 });
    await tailReceives("websocket", /^GET \/connect/);
    for (const address of [proxy.url, proxy.as("ann", "s3cret")]) {
      home.env.HTTPS_PROXY = address;
      for (const words of [LIST, ["tail", "messaging:general"]]) {
        const { code, err } = await home.run(words);
        expect([code, err]).toEqual([
          10,
          expect.stringContaining("the proxy requires a name and a password"),
        ]);
        expect(err).toContain("HTTPS_PROXY=http://name:password@");
        expect(err).not.toContain("s3cret");
      }
    }
  });

  test("that cannot be reached is named in the error", async () => {
    const { home } = office;
    home.env.HTTPS_PROXY = "http://127.0.0.1:1";
    const { code, err } = await home.run(LIST);
    expect([code, err]).toEqual([
      10,
      expect.stringMatching(/the connection was refused.*http:\/\/127\.0\.0\.1:1/),
    ]);
  });

  test("is not used for loopback addresses, whatever is set", async () => {
    const { home, proxy } = office;
    Object.assign(home.env, { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, NODE_USE_ENV_PROXY: "1" });
    for (const profile of ["near", "local"])
      expect((await home.run(["--profile", profile, ...LIST])).code).toBe(0);
    delete home.env.NODE_USE_ENV_PROXY;
    expect([proxy.tunnels, proxy.plainRequests]).toEqual([[], []]);
  });

  test("is not used for hosts in NO_PROXY", async () => {
    const { home, proxy } = office;
    Object.assign(home.env, { HTTPS_PROXY: proxy.url, NO_PROXY: PROXIED_HOST });
    const { code, err } = await home.run(LIST);
    expect([code, err]).toEqual([10, expect.stringContaining("host name")]);
    expect(proxy.tunnels).toEqual([]);
  });

  test.each([
    ["a redirect to it", "HTTP/1.1 302 Found\r\nLocation: http://portal.test/\r\nContent-Length: 0\r\n\r\n"],
    ["code 511", "HTTP/1.1 511 Network Authentication Required\r\nContent-Length: 0\r\n\r\n"],
  ])("that answers with a network's sign-in page (%s) is reported as that", async (_, instead) => {
    const { home, proxy } = office;
    home.env.HTTPS_PROXY = proxy.url;
    proxy.rawResponse = instead;
    const { code, err } = await home.run(LIST);
    expect([code, err]).toEqual([10, expect.stringContaining("sign-in page")]);
  });

  test("that never finishes its answer holds neither the call nor the end of the run", async () => {
    const { home, proxy } = office;
    home.env.HTTPS_PROXY = proxy.url;
    proxy.rawResponse = "HTTP/1.1 200 OK\r\nX-A: ";
    proxy.dribbles = true;
    const began = performance.now();
    const { code, err } = await home.run([...LIST, "--timeout", "500ms", "--retries", "0"]);
    expect([code, err]).toEqual([10, expect.stringContaining("no answer in time")]);
    // It did not wait for the tunnel either, which has a time limit of its own.
    expect(performance.now() - began).toBeLessThan(CONNECT_TIMEOUT);
  });

  test("that refuses the address is reported as that", async () => {
    const { home, proxy } = office;
    home.env.HTTPS_PROXY = proxy.url;
    proxy.rawResponse = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
    const { code, err } = await home.run(LIST);
    expect([code, err]).toEqual([10, expect.stringContaining("the proxy blocked the connection")]);
  });

  test("that cuts long connections makes tail fall back to long-polling", async () => {
    const { home, proxy, front } = office;
    home.env.HTTPS_PROXY = proxy.url;
    front.cutUpgradesAfter = 300;
    await tailReceives("auto", /^GET \/longpoll/);
  });

  test("is named by parley doctor, without its password, unless the provider is on this machine", async () => {
    const { home, proxy } = office;
    home.env.HTTPS_PROXY = proxy.as("ann", "s3cret");
    const { out } = await home.run(["doctor"]);
    expect(out).toContain(`through the proxy ${proxy.url} (HTTPS_PROXY)`);
    expect(out).not.toContain("s3cret");
    home.env.PARLEY_PROFILE = "near";
    expect((await home.run(["doctor"])).out).toContain("direct: the provider is on this machine");
    home.env.PARLEY_PROFILE = "far";
  });
});

describe("a network's sign-in page instead of the provider", () => {
  const html = "<!doctype html><title>Welcome to the hotel</title>";
  const pages: [string, number, Record<string, string>, string][] = [
    ["a page with 200", 200, { "content-type": "text/html" }, html],
    ["a redirect", 302, { location: "https://hotel.test/login" }, ""],
    ["a page with 511", 511, { "content-type": "text/html" }, html],
  ];
  test.each(spread(pages, 1))("(%s) is reported with code 10", async (_, status, headers, body) => {
    const { home, proxy, front } = office;
    home.env.HTTPS_PROXY = proxy.url;
    front.answer = (_, response) => (response.writeHead(status, headers).end(body), true);
    for (const words of [LIST, ["tail", "messaging:general"]]) {
      const { code, err } = await home.run(words);
      expect([code, err]).toEqual([10, expect.stringContaining("sign-in page")]);
    }
  });
});
