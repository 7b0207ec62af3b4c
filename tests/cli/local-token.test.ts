/** `local token`: a new one signs in again, also after those of before were revoked and after the provider's clock was moved. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome } from "../support/transcript.ts";
import type { Home } from "../support/transcript.ts";

let home: Home;
beforeAll(() => {
  home = makeHome();
});
afterAll(() => home.end());

const ok = async (line: string): Promise<string> => {
  const { out, err, code } = await home.sh(line);
  expect([line, code, err]).toEqual([line, 0, expect.not.stringContaining("error")]);
  return out.trim();
};
const speaks = async (token: string): Promise<string> => {
  const { code, err } = await home.sh(`PARLEY_TOKEN=${token} parley --as bo channel list --retries 0`);
  return `${code} ${err.split("\n", 1)[0]}`;
};

test.each(["now", "an hour ahead"])(
  "a token made after a revocation is accepted (%s)",
  async (when) => {
    if (when !== "now") await ok("parley local clock advance 1h");
    const before = await ok("parley local token bo");
    expect(await speaks(before)).toBe("0 ");
    await ok("parley user revoke bo --yes");
    expect(await speaks(before)).toBe("4 error: token was revoked");
    expect(await speaks(await ok("parley local token bo"))).toBe("0 ");
  },
  60_000,
);
