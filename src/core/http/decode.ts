/** Decodes an HTTP answer into the JSON of a 2xx or an error (specification/errors.md §1, §3). */
import { endpoints, type EndpointName, type EndpointRow } from "../../wire/endpoints/index.ts";
import { answerProblem, type NoteOddity } from "../../wire/reading.ts";
import type { ErrorBody } from "../../wire/errors.ts";
import { PORTAL, isPage, isPortal } from "../../model/obstacles.ts";
import { ApiError, TransportError } from "../../model/errors.ts";
import { budgetOf, rateLimitOf, type RateLimited, type RateLimit } from "../../wire/rate-limits.ts";
import type { HttpReply } from "../base/ports.ts";
import { parseBounded } from "../../wire/bounded-json.ts";
import { isObject } from "../../wire/json-object.ts";

/** Characters of a non-JSON body that become the error message. */
const PLAIN_BODY_LIMIT = 300;

/** Milliseconds of `Retry-After`: given in seconds, or as a date that is compared with the answer's `Date`. */
export function retryAfterOf({
  date = "",
  "retry-after": text = "",
}: Record<string, string>): number | undefined {
  const ms = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.parse(date);
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

const limitsOf = ({ headers }: HttpReply): RateLimited & { rateLimit: RateLimit | undefined } => ({
  budget: budgetOf(headers),
  rateLimit: rateLimitOf(headers),
  retryAfter: retryAfterOf(headers),
});

/** Creates the error for an error body of an HTTP answer or of an error frame. */
export function apiError(
  body: Partial<ErrorBody>,
  status: number,
  context: { requestId?: string | undefined } & Partial<ReturnType<typeof limitsOf>> = {},
): ApiError {
  const message =
    typeof body.message === "string" && body.message !== ""
      ? body.message
      : `the provider answered ${status} without a reason`;
  return new ApiError(message, {
    status,
    body,
    ...(typeof body.code === "number" && { code: body.code }),
    ...(context.requestId !== undefined && { requestId: context.requestId }),
    rateLimit: context.rateLimit,
    retryAfter: context.retryAfter,
    budget: context.budget,
  });
}

/** A captive portal or proxy answered instead of the provider. */
function portalError(op: string, requestId?: string): TransportError {
  return new TransportError(
    "ERR_BAD_RESPONSE",
    `${op} failed: ${PORTAL.reason}`,
    requestId,
    false,
    undefined,
    PORTAL,
  );
}

function plainError(op: string, reply: HttpReply, requestId: string): ApiError {
  const text = reply.text.trim();
  const isCut = text.startsWith("{");
  const message = isCut
    ? `${op} failed with status ${reply.status}; the reason was cut off on the way`
    : text === ""
      ? "empty response body"
      : isPage(text)
        ? `${op} failed: the answer was a web page with status ${reply.status}, not the provider's`
        : text.slice(0, PLAIN_BODY_LIMIT);
  return new ApiError(message, { status: reply.status, requestId, isCut, ...limitsOf(reply) });
}

const unreadAnswer = (op: string, { text }: HttpReply, requestId: string): TransportError =>
  new TransportError(
    "ERR_BAD_RESPONSE",
    text.trim() === ""
      ? `${op} was answered with an empty body`
      : `${op} was answered with something that is not a JSON object`,
    requestId,
  );

/** The decoded object of a 2xx. Throws `ApiError` for 4xx and 5xx, `TransportError` ERR_BAD_RESPONSE for anything else. */
export function decodeReply(
  name: EndpointName,
  reply: HttpReply,
  requestId: string,
  { unchecked = false, note }: { unchecked?: boolean | undefined; note?: NoteOddity | undefined } = {},
): Record<string, unknown> {
  const { op, answer: rows, safe }: EndpointRow = endpoints[name];
  const { status } = reply;
  const value = parseBounded(reply.text);
  if (isPortal(status, reply.text)) throw portalError(op, requestId);
  if (status >= 400) {
    if (!isObject(value)) throw plainError(op, reply, requestId);
    throw apiError(value, status, { requestId, ...limitsOf(reply) });
  }
  if (status < 200 || status >= 300)
    throw new TransportError(
      "ERR_BAD_RESPONSE",
      `${op} was answered with status ${status}, which is neither success nor a provider error`,
      requestId,
    );
  // What was written is written, whatever its answer lacks; the query of a channel is there for its answer.
  const done = !safe && op !== "GetOrCreateChannel";
  if (!isObject(value)) {
    note?.("answer", done && value !== undefined);
    if (!done || value === undefined) throw unreadAnswer(op, reply, requestId);
  }
  const answer = isObject(value) ? value : {};
  const problem = unchecked
    ? undefined
    : answerProblem(rows?.() ?? {}, answer, {
        done,
        ...(note && { note }),
        again: () => parseBounded(reply.text),
      });
  if (problem === undefined) return answer;
  note?.(problem.split(" ")[0]!);
  throw new TransportError(
    "ERR_BAD_RESPONSE",
    `${op} was answered with something the protocol does not know: ${problem}`,
    requestId,
  );
}
