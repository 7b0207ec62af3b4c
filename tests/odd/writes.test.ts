/** Changes whose success is answered without JSON: what a look by id finds is done, and of anything else it is said that it may have been done. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseObject } from "../../src/wire/json-object.ts";
import { Home, type Ran } from "../support/home.ts";
import * as here from "../support/shell-here.ts";
import { startAnswerProxy, type AnswerProxy, type ProxiedCall, type Ways } from "./answer-proxy.ts";

let home: Home;
let proxy: AnswerProxy | undefined;
const ways: Ways = {};

const run = (line: string): Promise<Ran> => home.sh(`parley ${line} --yes --max-wait 2s`);
const runByOps = (line: string): Promise<Ran> => home.sh(`parley ${line} --profile ops --yes --max-wait 2s`);

/** Calls that change nothing, although they are no GET. */
const READS = /\/query$|\/(?:channels|threads|votes|hi|sync)$/;
const isWrite = ({ method, url, body }: ProxiedCall): boolean =>
  method !== "GET" && (!READS.test(url.pathname) || parseObject(body)?.data !== undefined);

beforeAll(async () => {
  home = new Home({ here });
  for (const line of [
    "channel create messaging:tea",
    "user upsert ben",
    "send messaging:tea --id tea-1 hello",
    "send messaging:tea --id tea-2 hello again",
    "send messaging:tea --id tea-3 hello once more",
    "channel create messaging:cups",
    "member add ben -c messaging:cups",
    "poll create When --option Now --option Later --id poll-2",
  ])
    expect((await home.sh(`parley ${line}`)).code).toBe(0);
  await home.say("messaging:tea", "ana", { id: "tea-4", text: "", poll_id: "poll-2" });
  proxy = await startAnswerProxy(home, {
    instead: (call) => ways.instead?.(call),
    after: (answer, call) => ways.after?.(answer, call) ?? answer,
  });
  const { apiKey, secret } = home.provider()!;
  const login = `parley login ops --url ${proxy.url} --key ${apiKey} --kind secret --secret-stdin --no-test`;
  expect((await home.sh(`printf %s '${secret}' | ${login}`)).code).toBe(0);
});
afterAll(async () => {
  proxy?.close();
  await home.end();
});

/** In an order in which each of them changes something. */
const TOLD = [
  "send messaging:tea --id new-1 hello",
  "thread reply tea-1 there --id new-2",
  "thread set tea-1 --title Tea",
  "message edit tea-1 changed",
  "message pin tea-1",
  "message unpin tea-1",
  "message react tea-1 like",
  "message react tea-1 love --score 3",
  "message unreact tea-1 like",
  "message delete tea-3",
  "poll create Which --option Green --option Black --id poll-1",
  "poll option add poll-1 White",
  "poll vote tea-4 Now",
  "poll unvote tea-4 Now",
  "poll set poll-1 --name What",
  "poll option set poll-1 White Ivory",
  "poll option remove poll-1 Ivory",
  "poll close poll-1",
  "poll delete poll-1",
  "channel create messaging:milk --name Milk",
  "channel set messaging:milk name=Cream",
  "member add -c messaging:tea ben",
  "member remove -c messaging:tea ben",
  "channel pin messaging:tea",
  "channel unpin messaging:tea",
  "channel hide messaging:tea",
  "channel unhide messaging:tea",
  "member set ben desk=4 -c messaging:cups",
  "user block ben",
  "user unblock ben",
  "draft set -c messaging:tea later",
  "draft delete -c messaging:tea",
  "reminder set tea-2 --in 1h",
  "reminder remove tea-2",
  "device add token-1 --provider firebase",
  "device remove token-1",
];
/** Likewise, with the app's secret. */
const TOLD_TO_OPS = [
  "user upsert ben cleo --role user",
  "user set ben desk=4",
  "message undelete tea-3 --by ana",
  "permission create brew --name Brew --action CreateChannel",
  "permission set brew name='Brew more'",
  "permission delete brew",
  "channel-type create kitchen replies=false",
  "channel-type set kitchen uploads=false",
  "channel-type delete kitchen --confirm kitchen",
  "command create shout 'Say it loud'",
  "command set shout --description 'Say it louder'",
  "command delete shout",
  "blocklist create sweet sugar honey",
  "blocklist set sweet --add syrup",
  "blocklist delete sweet",
  "segment create user --id testers --name Testers",
  "segment set testers --name 'First testers'",
  "segment delete testers",
  "campaign create --id spring --sender ana --text hello --to ben --channel-id 'news-{{receiver.id}}' --create-channels",
  "campaign set spring --text 'hello again'",
  "campaign delete spring --confirm spring",
];
/** Nothing that can be read tells whether they were made. */
const UNTOLD = ["user mute ben", "channel mute messaging:tea", "channel delete messaging:milk"];

/** Answers changes with a success that is no JSON, after they were made or in place of making them; counts those that were sent. */
function answerBlindly(isMade: boolean): { sent(): number } {
  let sent = 0;
  const blind = { status: 200, text: "OK" };
  ways.instead = (call) => {
    sent += Number(isWrite(call));
    return isWrite(call) && !isMade ? blind : undefined;
  };
  ways.after = (answer, call) => (isWrite(call) && answer.status < 300 ? blind : answer);
  return { sent: () => sent };
}

async function isDoneOnceMade(line: string, runs: typeof run): Promise<void> {
  answerBlindly(false);
  const before = await runs(line);
  expect([before.code, before.err]).toEqual([11, expect.stringMatching(/may have|no answer/)]);
  const { sent } = answerBlindly(true);
  const { code, err } = await runs(line);
  expect([code, err, sent()]).toEqual([0, expect.not.stringContaining("error"), 1]);
}

test.each(TOLD)("%s is done once it was made, and may have been done before", (line) =>
  isDoneOnceMade(line, run),
);
test.each(TOLD_TO_OPS)("%s by the app is done once it was made, and may have been done before", (line) =>
  isDoneOnceMade(line, runByOps),
);

test.each(UNTOLD)("%s may have been done", async (line) => {
  const { sent } = answerBlindly(true);
  const { code, err } = await run(line);
  expect([code, err, sent()]).toEqual([11, expect.stringMatching(/may have happened/), 1]);
});
