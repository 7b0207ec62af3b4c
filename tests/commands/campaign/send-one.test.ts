/** One message of a campaign to one person: what a lost answer, a taken id and a rate limit lead to (D2). */
import { afterEach, expect, test, vi } from "vitest";
import { messageIdFor, sendOne, type CampaignSending } from "../../../src/commands/campaign/flow/send-one.ts";
import { Throttle } from "../../../src/commands/campaign/flow/throttle.ts";
import * as polling from "../../../src/commands/base/poll-task.ts";
import { ApiError, TransportError } from "../../../src/model/errors.ts";

const waits: number[] = [];
vi.mock("../../../src/commands/base/poll-task.ts", () => ({ sleep: vi.fn() }));
vi.mocked(polling.sleep).mockImplementation(async (ms) => void waits.push(Math.round(ms)));
afterEach(() => void (waits.length = 0));

const lost = new TransportError("ERR_NETWORK", "the connection was reset");
const broken = new ApiError("broken", { status: 503, code: -1 });
const failed = new ApiError("failed", { status: 500, code: -1 });
const taken = new ApiError("the id exists already", { status: 400, code: 4 });
const missing = new ApiError("not found", { status: 404, code: 16 });
const limited = new ApiError("too many", { status: 429, code: 9, retryAfter: 3000 });

/** A provider that answers each send with the next of `answers`, "ok" or an error, and each look-up with `stored`. */
function sendTo(answers: ("ok" | Error)[], stored: { campaign_id: string } | Error) {
  const sentIds: string[] = [];
  const call = async (name: string, request: { body?: { message: { id: string } } }): Promise<unknown> => {
    if (name === "queryDistinctChannel")
      return { channel: { type: "messaging", id: "x", cid: "messaging:x" } };
    if (name === "getMessage") {
      if (stored instanceof Error) throw stored;
      return { message: { user: { id: "ana" }, ...stored, cid: "messaging:x" } };
    }
    sentIds.push(request.body!.message.id);
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (answer instanceof Error) throw answer;
    return {};
  };
  const sending = {
    call: { core: { call, providerNow: () => 0 }, signal: new AbortController().signal },
    fields: { id: "spring", sender_id: "ana", message_template: { text: "hello" } },
    sender: { id: "ana" },
    throttle: new Throttle(1000),
  } as unknown as CampaignSending;
  return { sentIds, result: sendOne(sending, { id: "bo", columns: {} } as never) };
}

test("a message found after its answer was lost counts as sent and is not sent again", async () => {
  const { sentIds, result } = sendTo([lost], { campaign_id: "spring" });
  expect(await result).toEqual({ message: await messageIdFor("spring", "bo"), cid: "messaging:x" });
  expect(sentIds).toHaveLength(1);
});

test("without an answer it is tried five times under one id, each time after twice the wait, and then fails", async () => {
  for (const failure of [lost, failed, broken]) {
    waits.length = 0;
    const { sentIds, result } = sendTo([failure], missing);
    await expect(result).rejects.toBe(failure);
    expect(sentIds).toEqual(Array(5).fill(await messageIdFor("spring", "bo")));
    expect(waits.filter((ms) => ms >= 250)).toEqual([500, 1000, 2000, 4000]);
  }
});

test("a message of another campaign under this id does not count as sent", async () => {
  const { sentIds, result } = sendTo([taken], { campaign_id: "winter" });
  await expect(result).rejects.toBe(taken);
  expect(sentIds).toHaveLength(1);
});

test("a rate limit is waited for as long as the provider says and costs no attempt", async () => {
  const { sentIds, result } = sendTo([...Array.from({ length: 20 }, () => limited), "ok"], missing);
  await result;
  expect(sentIds).toHaveLength(21);
  expect(waits.filter((ms) => ms > 2500).length).toBeGreaterThanOrEqual(20);
});

test("a rate limit that never ends is reported after fifty refusals", async () => {
  const { sentIds, result } = sendTo([limited], missing);
  await expect(result).rejects.toBe(limited);
  expect(sentIds).toHaveLength(50);
});
