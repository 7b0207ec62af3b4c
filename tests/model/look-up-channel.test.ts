/** A channel is looked up in the list and then among the hidden ones; whatever else goes wrong is not "does not exist". */
import { expect, test } from "vitest";
import { ApiError, ChannelNotFound, TransportError } from "../../src/model/errors.ts";
import { lookUpChannel } from "../../src/model/look-up-channel.ts";

const CID = "messaging:hall";
const hall = { channel: { cid: CID } };

/** Looks it up where each question gets the next answer; `asked` holds the filters. */
async function lookUp(answers: readonly (object | Error)[], by: { userId?: string } = { userId: "ana" }) {
  const asked: object[] = [];
  const waiting = [...answers];
  const found = await lookUpChannel(
    {
      ...by,
      async call(_name: string, { body }: { body: { filter_conditions?: object } }) {
        asked.push(body.filter_conditions!);
        const answer = waiting.shift() ?? { channels: [] };
        if (answer instanceof Error) throw answer;
        return answer;
      },
    } as never,
    CID,
  ).catch((error: unknown) => error);
  return { found, asked };
}

const refusal = (status: number): ApiError => new ApiError("refused", { status } as never);
const listed = { channels: [hall] };
const none = { channels: [] };

test("the hidden channels are asked for only if the list has it not, and never for a server", async () => {
  expect(await lookUp([listed])).toEqual({ found: hall, asked: [{ cid: CID }] });
  expect(await lookUp([none, listed])).toEqual({
    found: hall,
    asked: [{ cid: CID }, { cid: CID, hidden: true }],
  });
  const server = await lookUp([none, listed], {});
  expect(server.found).toBeInstanceOf(ChannelNotFound);
});

test("another channel than the one asked for does not count", async () => {
  const other = { channels: [{ channel: { cid: "messaging:ops" } }] };
  expect((await lookUp([other, other])).found).toBeInstanceOf(ChannelNotFound);
});

test.each([400, 403])("a provider that refuses the hidden ones with %i has none", async (status) => {
  expect((await lookUp([none, refusal(status)])).found).toBeInstanceOf(ChannelNotFound);
});

test.each([
  refusal(401),
  refusal(404),
  refusal(429),
  refusal(500),
  new TransportError("ERR_NETWORK", "lost"),
  new Error("other"),
])("any other failure of either question is passed on: %s", async (error) => {
  expect((await lookUp([none, error])).found).toBe(error);
  expect((await lookUp([error])).found).toBe(error);
});

test("a refusal of the first question is passed on", async () => {
  const error = refusal(403);
  expect(await lookUp([error])).toEqual({ found: error, asked: [{ cid: CID }] });
});
