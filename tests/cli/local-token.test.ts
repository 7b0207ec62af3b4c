/** `local token` and `user token`: a new token signs in even after earlier ones were revoked and the provider's clock was moved. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

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
const listWith = async (token: string): Promise<string> => {
  const { code, err } = await home.sh(`PARLEY_TOKEN=${token} parley --as bo channel list --retries 0`);
  return `${code} ${err.split("\n", 1)[0]}`;
};

test.each([
  ["local token bo", "now"],
  ["user token bo --for 30m", "now"],
  ["local token bo", "an hour ahead"],
  ["user token bo --for 30m", "two hours ahead"],
])("a token made by `%s` after a revocation is accepted (%s)", async (line, when) => {
  if (when !== "now") await ok("parley local clock advance 1h");
  const before = await ok(`parley ${line}`);
  expect(await listWith(before)).toBe("0 ");
  await ok("parley user revoke bo --yes");
  expect(await listWith(before)).toBe("4 error: token was revoked");
  expect(await listWith(await ok(`parley ${line}`))).toBe("0 ");
});

test("token check is about the token of the environment: its user and when it ends, if it does", async () => {
  const checked = async (token: string): Promise<Record<string, unknown>> =>
    JSON.parse(await ok(`PARLEY_TOKEN=${token} PARLEY_USER= parley token check --json`)) as never;
  const limited = await ok("parley user token bo --for 30m");
  const { exp } = JSON.parse(Buffer.from(limited.split(".")[1]!, "base64url").toString()) as { exp: number };
  const found = await checked(limited);
  expect(found).toMatchObject({ accepted: true, user_id: "bo" });
  expect(Date.parse(String(found.expires_at))).toBe(exp * 1000);
  const { expires_at: none, ...endless } = await checked(await ok("parley local token cy"));
  expect([none, endless]).toEqual([undefined, expect.objectContaining({ accepted: true, user_id: "cy" })]);
});

test("a token of another user acts as that user, whatever the profile", async () => {
  const mine = await ok("parley local token mira");
  const other = await ok("parley local token bo");
  await ok(
    `eval "$(parley local status -o env)"; printf %s '${mine}' | parley login own --url "$PARLEY_LOCAL_URL" --key "$PARLEY_LOCAL_KEY" --with-token --no-test`,
  );
  expect(await ok("parley whoami --jq .user")).toBe("mira");
  expect(await ok(`PARLEY_USER= PARLEY_TOKEN=${other} parley whoami --jq .user`)).toBe("bo");
  const creator = await ok(
    `PARLEY_USER= PARLEY_TOKEN=${other} parley channel create messaging:ours --json=created_by --jq .created_by.id`,
  );
  expect(creator).toBe("bo");
  await ok(`PARLEY_USER= PARLEY_TOKEN=${other} parley tail messaging:ours --exit-after 5s`);
  await ok("parley logout own");
});
