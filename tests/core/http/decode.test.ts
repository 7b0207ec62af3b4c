/** How HTTP statuses are decoded, at the edges of each hundred, with any body. */
import { expect, test } from "vitest";
import { decodeReply, retryAfterOf } from "../../../src/core/http/decode.ts";
import { rateLimitOf } from "../../../src/wire/rate-limits.ts";
import { ApiError, TransportError } from "../../../src/model/errors.ts";

const reply = (status: number, text = "{}") => ({ status, headers: {}, text });

test.each([200, 201, 204, 299])("%i with an object is an answer", (status) => {
  expect(decodeReply("hi", reply(status), "r")).toEqual({});
});

test.each([100, 199, 300, 301, 304, 399])(
  "%i is neither an answer nor a refusal, even with an object",
  (status) => {
    expect(() => decodeReply("hi", reply(status), "r")).toThrow(TransportError);
  },
);

test.each([
  [299, undefined],
  [300, "portal"],
  [399, "portal"],
  [304, undefined],
  [511, "portal"],
])("%i: the obstacle is %j", (status, kind) => {
  let thrown: unknown;
  try {
    decodeReply("getApp", reply(status, "[]"), "r");
  } catch (error) {
    thrown = error;
  }
  expect((thrown as TransportError).obstacle?.kind).toBe(kind);
});

test.each([400, 404, 499, 500, 599])("%i is a refusal, whatever its body", (status) => {
  expect(() => decodeReply("hi", reply(status), "r")).toThrow(ApiError);
  expect(() => decodeReply("hi", reply(status, "<html>no</html>"), "r")).toThrow(ApiError);
});

test("a refusal that was cut off says so and may be repeated; a whole one, a page and an empty one may not", () => {
  const refusal = (text: string): ApiError => {
    try {
      decodeReply("sendMessage", reply(400, text), "r");
    } catch (error) {
      return error as ApiError;
    }
    throw new Error("accepted");
  };
  const whole = '{"code":4,"message":"Message m1 already exists","StatusCode":400}';
  for (const length of [1, 2, 9, 10, whole.length - 1]) {
    const cut = refusal(whole.slice(0, length));
    expect(cut).toMatchObject({ status: 400, code: undefined, isCut: true, retryable: true });
    expect(cut.message).toBe("SendMessage failed with status 400; the reason was cut off on the way");
  }
  for (const text of [whole, "{}", "", "<html>no</html>", "no"])
    expect(refusal(text)).toMatchObject({ isCut: false, retryable: false });
});

test.each(["", "null", "[]", "7", '"x"', "{", "<html></html>"])(
  "200 with %j is an invalid answer",
  (text) => {
    expect(() => decodeReply("hi", reply(200, text), "r")).toThrow(TransportError);
  },
);

test("rate limit headers count only when all three are numbers, zero included", () => {
  const headers = (limit: string, remaining: string, reset: string) => ({
    "x-ratelimit-limit": limit,
    "x-ratelimit-remaining": remaining,
    "x-ratelimit-reset": reset,
  });
  expect(rateLimitOf(headers("60", "0", "1800000000"))).toEqual({
    limit: 60,
    remaining: 0,
    reset: 1_800_000_000,
  });
  for (const invalid of [headers("60", "", "1"), headers("60", "x", "1"), headers(" ", "1", "1")])
    expect(rateLimitOf(invalid)).toBeUndefined();
});

test.each([
  ["7", undefined, 7000],
  [" 0 ", undefined, 0],
  ["Tue, 24 Nov 2026 03:00:30 GMT", "Tue, 24 Nov 2026 03:00:00 GMT", 30_000],
  ["Tue, 24 Nov 2026 03:00:00 GMT", "Tue, 24 Nov 2026 03:00:30 GMT", 0],
  ["Tue, 24 Nov 2026 03:00:30 GMT", undefined, undefined],
  ["soon", "Tue, 24 Nov 2026 03:00:00 GMT", undefined],
  ["", undefined, undefined],
])("Retry-After %j with the date %j is %j milliseconds", (text, date, ms) => {
  expect(retryAfterOf({ "retry-after": text, ...(date && { date }) })).toBe(ms);
});
