/** The proxy for requests, by setting and environment; a password in the proxy's address is never shown. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { proxyExceptions, proxyOf, proxyRoute } from "../../src/config/proxy.ts";
import { readSetting } from "../../src/config/settings.ts";

const NAMES = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"].flatMap((name) => [
  name,
  name.toUpperCase(),
]);
let before: NodeJS.ProcessEnv;
beforeEach(() => {
  before = { ...process.env };
  for (const name of NAMES) delete process.env[name];
});
afterEach(() => {
  process.env = before;
});

const FAR = "https://chat.example.com";
const routeTo = (env: Record<string, string>, proxy = "", url = FAR): Promise<string> => {
  Object.assign(process.env, env);
  return proxyRoute(url, { proxy }, process.env).then(({ reason: says }) => says);
};

test.each([
  [{}, "direct: no proxy is set"],
  [{ HTTPS_PROXY: "http://p.example:3128" }, "through the proxy http://p.example:3128 (HTTPS_PROXY)"],
  [{ https_proxy: " p.example:3128 " }, "through the proxy http://p.example:3128 (https_proxy)"],
  [{ ALL_PROXY: "http://all.example:1\t" }, "through the proxy http://all.example:1 (ALL_PROXY)"],
  [{ https_proxy: "p.example:3128" }, "through the proxy http://p.example:3128 (https_proxy)"],
  [{ ALL_PROXY: "http://all.example:1" }, "through the proxy http://all.example:1 (ALL_PROXY)"],
  [{ HTTP_PROXY: "http://plain.example:1" }, "direct: no proxy is set"],
  [
    { HTTPS_PROXY: "http://ann:s3cret@p.example:3128" },
    "through the proxy http://p.example:3128 (HTTPS_PROXY)",
  ],
  [{ HTTPS_PROXY: "http://p.example:1", NO_PROXY: "chat.example.com" }, "direct: NO_PROXY names the host"],
  [{ HTTPS_PROXY: "http://p.example:1", no_proxy: ".example.com" }, "direct: NO_PROXY names the host"],
  [{ HTTPS_PROXY: "http://p.example:1", NO_PROXY: "*" }, "direct: NO_PROXY names the host"],
  [
    { HTTPS_PROXY: "http://p.example:1", NO_PROXY: "other.example" },
    "through the proxy http://p.example:1 (HTTPS_PROXY)",
  ],
])("%j: %s", async (env, says) => expect(await routeTo(env)).toBe(says));

test('the proxy setting wins over the environment and NO_PROXY, and "none" means no proxy', async () => {
  const env = { HTTPS_PROXY: "http://env.example:1", NO_PROXY: "*" };
  expect(await routeTo(env, "http://own.example:2")).toBe(
    "through the proxy http://own.example:2 (the setting proxy)",
  );
  expect(proxyExceptions({ proxy: "http://own.example:2" }, process.env)).not.toContain("*");
  expect(await routeTo(env, "none")).toBe("direct: the setting proxy is none");
  expect(proxyOf("https", { proxy: "none" }, process.env)).toBeUndefined();
});

test.each(["http://127.0.0.1:1", "https://localhost:1", "https://[::1]:1", "http://127.9.9.9:1"])(
  "%s is this machine and never goes through a proxy",
  async (url) =>
    expect(await routeTo({ ALL_PROXY: "http://p.example:1" }, "http://own.example:2", url)).toBe(
      "direct: the provider is on this machine",
    ),
);

test.each(["socks5://p.example:1", "http://", "ftp://ann:s3cret@p.example", "http://ann:s3cret@:0x"])(
  "%s is refused without repeating it",
  async (address) => {
    const error = await routeTo({ HTTPS_PROXY: address }).catch((e: Error) => e.message);
    expect(error).toBe("HTTPS_PROXY: a proxy is an address such as http://proxy.example:3128.");
  },
);

test("a proxy setting with a password is refused without repeating it", () => {
  expect(() => readSetting("proxy", "http://ann:s3cret@p.example:1", "config set")).toThrow(
    /^(?!.*s3cret).*HTTPS_PROXY/,
  );
  expect(readSetting("proxy", "http://p.example:1", "config set")).toBe("http://p.example:1");
});

test("this machine is always excepted from the proxy", () => {
  for (const env of [{}, { NO_PROXY: "chat.example.com" }, { no_proxy: "chat.example.com" }]) {
    const named = proxyExceptions({ proxy: "" }, env).split(",");
    expect(named).toEqual(expect.arrayContaining([...Object.values(env), "localhost", "127.0.0.1", "[::1]"]));
  }
});
