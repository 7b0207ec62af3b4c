/** The built program behind a proxy: HTTP, uploads, WebSocket and long-poll go through it, and what it does wrong has a name. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { until } from "../support/home.ts";
import { FAR, openOffice } from "../support/office.ts";
import type { Office } from "../support/office.ts";

let office: Office;
beforeAll(async () => {
  office = await openOffice();
  office.home.env.PARLEY_PROFILE = "far";
}, 40_000);
afterAll(() => office?.end());
afterEach(() => {
  const { home, proxy, front } = office;
  for (const name of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "NO_PROXY", "PARLEY_PROXY"])
    delete home.env[name];
  Object.assign(proxy, { password: undefined, instead: undefined, cutAfter: undefined });
  Object.assign(front, { cutUpgradesAfter: undefined, answer: undefined });
  proxy.asked.length = front.seen.length = 0;
});

const LIST = ["message", "list", "-c", "messaging:general"];

/** A tail by a transport hears what bob writes. */
async function tailHears(transport: string, opening: RegExp): Promise<void> {
  const { home, front } = office;
  const tail = home.start(["tail", "messaging:general", "--last", "0", "--transport", transport]);
  await until("the connection", () => front.seen.some((line) => opening.test(line)), 15_000);
  let n = 0;
  const writing = setInterval(
    () => void home.say("messaging:general", "bob", { text: `${transport} ${++n}` }),
    300,
  );
  await tail.waitFor(`${transport} `, 20_000).finally(() => clearInterval(writing));
  tail.child.kill("SIGTERM");
  await tail.ended;
}

describe("a proxy", () => {
  test.each(["HTTPS_PROXY", "https_proxy", "PARLEY_PROXY"])("of %s takes calls and uploads", async (name) => {
    const { home, proxy, front } = office;
    home.env[name] = proxy.url;
    const file = path.join(home.folder, "tea.txt");
    writeFileSync(file, "tea");
    const sent = await home.run(["upload", "-c", "messaging:general", file]);
    expect(sent, sent.err).toMatchObject({ code: 0 });
    expect(proxy.asked.length).toBeGreaterThan(0);
    expect(new Set(proxy.asked)).toEqual(new Set([`${FAR}:443`]));
    expect(front.seen.some((line) => /^POST .*\/file/.test(line))).toBe(true);
  });

  test.each([
    ["websocket", /^GET \/connect/],
    ["longpoll", /^GET \/longpoll/],
  ])("takes the live events of a tail by %s", async (transport, opening) => {
    office.home.env.HTTPS_PROXY = office.proxy.url;
    await tailHears(transport, opening);
  });

  test("that asks for a password gets it", async () => {
    const { home, proxy } = office;
    proxy.password = "ann:p w%";
    home.env.HTTPS_PROXY = proxy.as("ann", "p w%");
    expect(await home.run(LIST)).toMatchObject({ code: 0 });
    await tailHears("websocket", /^GET \/connect/);
  });

  test("is not taken for loopback, whatever is set", async () => {
    const { home, proxy } = office;
    Object.assign(home.env, { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, NODE_USE_ENV_PROXY: "1" });
    for (const profile of ["near", "local"])
      expect((await home.run(["--profile", profile, ...LIST])).code).toBe(0);
    delete home.env.NODE_USE_ENV_PROXY;
    expect([proxy.asked, proxy.plain]).toEqual([[], []]);
  });

  test("is left out for hosts of NO_PROXY", async () => {
    const { home, proxy } = office;
    Object.assign(home.env, { HTTPS_PROXY: proxy.url, NO_PROXY: FAR });
    const { code, err } = await home.run(LIST);
    expect([code, err]).toEqual([10, expect.stringContaining("host name")]);
    expect(proxy.asked).toEqual([]);
  });

  test("doctor tells which way it takes", async () => {
    const { home, proxy } = office;
    home.env.HTTPS_PROXY = proxy.as("ann", "s3cret");
    const { out } = await home.run(["doctor"]);
    expect(out).toContain(`through the proxy ${proxy.url} (HTTPS_PROXY)`);
    expect(out).not.toContain("s3cret");
    home.env.PARLEY_PROFILE = "near";
    expect((await home.run(["doctor"])).out).toContain("straight: the provider is on this machine");
    home.env.PARLEY_PROFILE = "far";
  });
});
