/** Tokens are sent unencrypted to this machine only; a host name that merely looks like it is refused. */
import { expect, test } from "vitest";
import { checkProfile, type Profile } from "../../src/config/profiles.ts";

const hosted = (url: string, key = "k"): Profile => ({ name: "x", kind: "token", url, key, user: "mira" });

test.each([
  "http://localhost.example.com",
  "http://localhost.",
  "http://127.0.0.1.example.com",
  "http://127.example.com",
  "http://notlocalhost",
  "http://localhost@example.com",
  "http://127.0.0.1@example.com",
  "http://128.0.0.1",
  "http://0.0.0.0",
  "http://10.0.0.1",
  "http://[::2]",
  "http://[::ffff:127.0.0.1]",
  "http://example.com/localhost",
  "http://example.com#127.0.0.1",
])("%s is another machine, so http and local keys are refused", (url) => {
  expect(() => checkProfile(hosted(url))).toThrow(/https|must not contain/);
  expect(() => checkProfile(hosted(url.replace("http:", "https:"), "local_x"))).toThrow(
    /local_ key|must not contain/,
  );
});

test.each([
  "http://localhost:4100",
  "http://LOCALHOST",
  "http://127.0.0.1:4100/",
  "http://127.8.9.10",
  "http://2130706433",
  "http://[::1]:4100",
])("%s is this machine", (url) => {
  expect(checkProfile(hosted(url, "local_x"))).toMatchObject({ url });
});
