/** The built program with a provider that returns invalid answers: a listed exit code and a clear error, never a stack trace or `undefined`. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { EXITS } from "../../src/cli/base/exit.ts";
import { signToken } from "../../src/wire/token.ts";
import { startFakeProvider, type FakeProvider } from "../support/fake-provider.ts";
import { PATIENCE, patient } from "../support/patience.ts";
import { makeHome, type Home } from "../support/transcript.ts";

/** For sends that end by their answer: a busy machine may need long for the first one. */
const LONG = `--max-wait ${PATIENCE}ms`;
/** For sends that are tried until their wait is over. */
const SHORT = `--max-wait ${patient(1500)}ms`;

let home: Home;
let fake: FakeProvider;
beforeAll(async () => {
  home = makeHome();
  fake = await startFakeProvider();
  await home.sh(
    `printf %s '${signToken({ user_id: "mira" }, "s")}' | parley login fake --url ${fake.url} --key k3y --with-token --no-test`,
  );
});
afterAll(async () => {
  await fake.close();
  await home.end();
});

const INVALID_ANSWER = {
  body: { channels: [{ channel: { cid: 7 } }], message: [], poll: 5, users: {}, results: "x" },
};
const BROKEN = /NaN|undefined|\[object|Cannot read|is not a function|\n +at |cannot be reached/;

test("reading commands say that the answer was not understood", async () => {
  fake.on = new Proxy({}, { get: () => () => INVALID_ANSWER });
  const lines = ["channel list", "message list -c messaging:ops", "poll get p", "search hello", "whoami"];
  const runs = await Promise.all(lines.map((line) => home.sh(`parley ${line} --retries 0`)));
  for (const [n, { code, out, err }] of runs.entries()) {
    const what = lines[n];
    expect([what, EXITS.some((row) => row.code === code)]).toEqual([what, true]);
    expect([what, BROKEN.exec(out + err)?.input]).toEqual([what, undefined]);
    if (what === "whoami") continue;
    // The only channel of the list cannot be read: the list ends, and says so.
    if (what === "channel list") {
      expect([code, out, err]).toEqual([0, "", expect.stringContaining("QueryChannels channels.channel.")]);
      continue;
    }
    expect([what, code, out, err]).toEqual([
      what,
      1,
      "",
      expect.stringMatching(
        /^(?:the provider's answers have .+\n)?error: the provider's answer was not understood\n {2}because: .+\nhint: .+\n$/,
      ),
    ]);
  }
});

test.each([1e300, "soon"])(
  "a rate limit that resets at %j is listed without that time and ends with 0",
  async (reset) => {
    const SendMessage = { limit: 10, remaining: 3, reset };
    fake.on = new Proxy({}, { get: () => () => ({ body: { web: { SendMessage }, duration: "1ms" } }) });
    const { code, out } = await home.sh(
      `export PARLEY_API_SECRET=s; parley profile add ops --url ${fake.url} --key k3y --kind secret > /dev/null 2>&1;
    parley limits --profile ops --json=remaining,resets_at --retries 0`,
    );
    expect([code, out]).toEqual([0, '[{"remaining":3,"resets_at":null}]\n']);
  },
);

test("a send that was answered is done, whatever the answer lacks; one without JSON exits with 11 and names the lookup", async () => {
  fake.on = new Proxy({}, { get: () => () => INVALID_ANSWER });
  const done = await home.sh(`parley send messaging:ops --id said-1 hello ${LONG}`);
  expect([done.code, done.err]).toEqual([0, expect.stringContaining("left out: SendMessage message")]);
  fake.on = new Proxy({}, { get: () => () => ({ body: "stored" }) });
  const { code, err } = await home.sh(`parley send messaging:ops --id said-2 hello ${SHORT}`);
  expect([code, BROKEN.exec(err)?.input]).toEqual([11, undefined]);
  expect(err).toContain("parley message get said-2");
});

test("a send answered with a web page says so, and whether it may have been sent", async () => {
  const page = "<!doctype html><title>Sign in</title>";
  const run = async (status: number, body: string): Promise<[number | null, string]> => {
    fake.on = new Proxy(
      {},
      { get: () => () => ({ status, headers: { location: "http://portal.example/" }, body }) },
    );
    const { code, err } = await home.sh(`parley send messaging:ops --id page-${status} hello ${SHORT}`);
    return [code, err];
  };
  const why = "because: a web page was returned instead of the provider's answer";
  expect(await run(302, "")).toEqual([10, expect.stringMatching(`${why}[^]+sign in to the network`)]);
  expect(await run(200, page)).toEqual([11, expect.stringMatching(`${why}[^]+parley message get page-200`)]);
});

test("a send answered with server errors only exits with 11, and a refused one with 5", async () => {
  const ends = async (status: number, code: number, wait: string): Promise<(number | null)[]> => {
    const body = { code, message: "no", StatusCode: status, duration: "", more_info: "" };
    fake.on = new Proxy({}, { get: () => () => ({ status, body }) });
    const run = await home.sh(`parley send messaging:ops --id broken-${status} hello ${wait}`);
    return [run.code, Number(run.err.includes(`parley message get broken-${status}`))];
  };
  expect(await ends(500, -1, SHORT)).toEqual([11, 1]);
  expect(await ends(403, 17, LONG)).toEqual([5, 0]);
});
