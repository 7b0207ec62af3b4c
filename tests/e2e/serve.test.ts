/** Start options of `parley serve`, as its callers see them (specification/wire.md §3, specification/errors.md §5). */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { signToken } from "../../src/wire/token.ts";
import { Home, until } from "../support/home.ts";

const home = new Home();
afterAll(() => home.end());

async function startProvider(data: string, ...flags: string[]): Promise<string> {
  home.start(["serve", "--data", data, "--seed", "none", ...flags]);
  return until("the provider", async () => {
    const { url } = home.provider(data) ?? {};
    return url !== undefined && (await fetch(`${url}/hi`).catch(() => undefined))?.ok ? url : undefined;
  });
}

test("--allow-origin answers pages of that origin only, and --rate-limits refuses with 429", async () => {
  const data = path.join(home.folder, "served");
  const url = await startProvider(data, "--allow-origin", "http://localhost:5173/", "--rate-limits");
  const preflight = async (Origin: string): Promise<[number, string | null]> => {
    const { status, headers } = await fetch(`${url}/hi`, { method: "OPTIONS", headers: { Origin } });
    return [status, headers.get("access-control-allow-origin")];
  };
  expect(await preflight("http://localhost:5173")).toEqual([204, "http://localhost:5173"]);
  expect(await preflight("http://evil.example")).toEqual([403, null]);
  const Authorization = signToken({ user_id: "ana" }, readFileSync(path.join(data, "secret"), "utf8").trim());
  const headers = { Authorization, "stream-auth-type": "jwt" };
  const unread = `${url}/unread?api_key=${home.provider(data)!.apiKey}&user_id=ana`;
  const statuses: number[] = [];
  for (let n = 0; n < 200 && statuses.at(-1) !== 429; n++)
    statuses.push((await fetch(unread, { headers })).status);
  expect(statuses.slice(0, 3)).not.toContain(429);
  expect(statuses.at(-1)).toBe(429);
});

test.each(["*", "null", "localhost:5173", "http://a.example/path", "file:///tmp"])(
  "--allow-origin %s is refused with 2 because it is not an origin",
  async (origin) => {
    const { code, err } = await home.run(["serve", "--memory", "--allow-origin", origin]);
    expect([code, err]).toEqual([2, expect.stringContaining("scheme, host and port")]);
  },
);
