/** Signing in to a provider that lacks one of the calls that a sign-in is tested with, or keeps it from users. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home, type Ran } from "../support/home.ts";
import { startProxy, type ProxiedAnswer, type Ways } from "./answer-proxy.ts";

let home: Home;
let token: string;
beforeAll(async () => {
  home = new Home();
  token = (await home.sh("parley local token ana")).out.trim();
});
afterAll(() => home.end());

async function signIn(answers: Readonly<Record<string, ProxiedAnswer>>): Promise<Ran> {
  const ways: Ways = { instead: ({ method, url }) => answers[`${method} ${url.pathname}`] };
  const proxy = await startProxy(home.provider()!.url, ways);
  const login = `parley login odd --url ${proxy.url} --key ${home.provider()!.apiKey} --with-token`;
  const ran = await home.sh(`printf %s '${token}' | ${login}`);
  proxy.close();
  return ran;
}

const absent = (status: number): ProxiedAnswer => ({ status, text: "404 page not found" });
const refused: ProxiedAnswer = {
  status: 403,
  text: JSON.stringify({ code: 17, message: "not for users", StatusCode: 403, duration: "", more_info: "" }),
};

test.each([
  ["GET /app", absent(404)],
  ["GET /app", absent(405)],
  ["GET /unread", absent(404)],
  ["GET /unread", absent(501)],
  ["GET /app", refused],
  ["POST /channels", absent(404)],
])("a provider that answers %s with %j is signed in to", async (call, answer) => {
  const ran = await signIn({ [call]: answer });
  expect([ran.code, ran.err]).toEqual([0, expect.stringContaining("signed in as ana, ")]);
});

test("an address that has none of the calls is not a provider's", async () => {
  const ran = await signIn({ "GET /app": absent(404), "GET /unread": absent(404) });
  expect([ran.code, ran.err]).toEqual([3, expect.stringContaining("No chat provider answers at ")]);
});
