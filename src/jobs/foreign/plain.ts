/** Converts plain JSON lines, `{channel, user, text, at, id?, parent?, name?}`, into import items. */
import { createHash } from "node:crypto";
import { cidProblem, isMessageId, isUserId, splitCid } from "../../wire/ids.ts";
import type { ImportItem } from "../../wire/entities/import.ts";
import { normalTime } from "../../wire/time.ts";
import { parseGiven, UnusableValue } from "../../wire/given-json.ts";
import { dateProblem, itemProblem } from "../../wire/imports/forms.ts";
import type { Tally } from "../tally.ts";
import { readItems } from "../items.ts";

/** An invalid line; the message says which and why. */
export class BadLine extends Error {}

interface PlainMessage {
  id: string;
  type: string;
  channel: string;
  user: string;
  name?: string;
  text: string;
  at: string;
  parent?: string;
}

/** Whether a value has the required fields of a line. */
export const isPlainRecord = (value: unknown): boolean => {
  const { channel, user, text, at } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof channel === "string" && typeof user === "string" && typeof text === "string" && at !== undefined
  );
};

/** RFC 3339, or seconds or milliseconds since 1970; a text or number that is neither as it is, for the check of its form. */
function readTime(at: unknown): unknown {
  if (typeof at !== "number" || !(Math.abs(at) < 4e12)) return at;
  return new Date(Math.abs(at) < 1e11 ? at * 1000 : at).toISOString();
}

const problemWords = (problem: string): string => problem.replace(/^(message|user)\./, "");

function readLine(value: unknown, n: number, { channelType, now }: PlainOptions): PlainMessage {
  const refuse = (reason: string): never => {
    throw new BadLine(`line ${n}: ${reason}`);
  };
  if (!isPlainRecord(value)) return refuse("it needs channel, user, text and at");
  const { channel, user, text, at, id, parent, name } = value as Record<string, unknown>;
  const cid = String(channel).includes(":")
    ? String(channel)
    : `${channelType}:${String(channel).replace(/^#/, "")}`;
  const channelPath = splitCid(cid);
  if (!channelPath || cidProblem(cid)) return refuse(`'${String(channel)}' names no channel`);
  if (!isUserId(String(user)))
    return refuse(`'${String(user)}' is not a user id (letters, digits, _, - and @)`);
  const time = readTime(at);
  const timeProblem = dateProblem(time, now * 1000);
  if (typeof time !== "string" || normalTime(time) === undefined)
    return refuse(`'${String(at)}' is not a time`);
  if (timeProblem !== undefined) refuse(`the time '${String(at)}' ${timeProblem}`);
  for (const one of [id, parent])
    if (one !== undefined && (typeof one !== "string" || !isMessageId(one)))
      refuse(`${JSON.stringify(one)} is not a message id`);
  // Derived from the line, so that every run gives it the same id.
  const hash = createHash("sha256")
    .update(JSON.stringify([n, cid, user, text, at]))
    .digest("hex")
    .slice(0, 24);
  const message: PlainMessage = {
    id: (id as string | undefined) ?? `plain-${hash}`,
    type: channelPath.type,
    channel: channelPath.id,
    user: String(user),
    text: String(text),
    at: time,
    ...(parent === undefined ? {} : { parent: parent as string }),
    ...(typeof name === "string" && name !== "" ? { name } : {}),
  };
  const problem =
    itemProblem(messageItem(message), now * 1000) ??
    itemProblem(userItem(message.user, message.name), now * 1000);
  return problem === undefined ? message : refuse(problemWords(problem));
}

const userItem = (id: string, name: string | undefined): ImportItem => ({
  type: "user",
  data: { id, ...(name === undefined ? {} : { name }) },
});

const messageItem = ({ id, type, channel, user, text, at, parent }: PlainMessage): ImportItem => ({
  type: "message",
  data: {
    id,
    channel_type: type,
    channel_id: channel,
    user,
    text,
    created_at: at,
    type: parent === undefined ? "regular" : "reply",
    ...(parent === undefined ? {} : { parent_id: parent }),
  },
});

interface PlainOptions {
  /** Type for channels that name none. */
  channelType: string;
  signal: AbortSignal;
  /** Milliseconds since 1970. */
  now: number;
  tally: Tally;
}

const LINE_FIELDS: ReadonlySet<string> = new Set(["channel", "user", "text", "at", "id", "parent", "name"]);

/** Counts the fields of a line that mean nothing to an import. */
function countOtherFields(line: object, tally: Tally): void {
  for (const name of Object.keys(line))
    if (!LINE_FIELDS.has(name)) tally.add("field", `'${name}' means nothing in a plain line`);
}

async function* lines(
  file: string,
  options: PlainOptions,
  onLine: (line: object) => void = () => {},
): AsyncIterable<[n: number, PlainMessage]> {
  for await (const { n, text } of readItems(file, options)) {
    let value: unknown;
    try {
      value = parseGiven(text);
    } catch (error) {
      if (error instanceof UnusableValue) throw new BadLine(`line ${n}: it ${error.message}`);
      throw new BadLine(`line ${n}: it is not valid JSON`);
    }
    const message = readLine(value, n, options);
    onLine(value as object);
    yield [n, message];
  }
}

/** Users and channels are collected from the lines; authors become members of the channel. Throws `BadLine`. */
export async function* convertPlain(file: string, options: PlainOptions): AsyncIterable<ImportItem> {
  const users = new Map<string, string | undefined>();
  /** Cid → authors. */
  const channels = new Map<string, Set<string>>();
  /** Id of a message → its line. */
  const lineOf = new Map<string, number>();
  for await (const [n, { id, type, channel, user, name }] of lines(file, options, (line) =>
    countOtherFields(line, options.tally),
  )) {
    const before = lineOf.get(id);
    if (before !== undefined) throw new BadLine(`line ${n}: its id '${id}' is that of line ${before}`);
    lineOf.set(id, n);
    users.set(user, users.get(user) ?? name);
    const cid = `${type}:${channel}`;
    channels.set(cid, (channels.get(cid) ?? new Set()).add(user));
  }
  for (const [id, name] of users) yield userItem(id, name);
  for (const [cid, members] of channels) {
    const { type, id } = splitCid(cid)!;
    yield { type: "channel", data: { type, id, created_by: [...members][0]! } };
  }
  for (const [cid, members] of channels)
    for (const user of members) {
      const { type, id } = splitCid(cid)!;
      yield { type: "member", data: { channel_type: type, channel_id: id, user_id: user } };
    }
  for await (const [, message] of lines(file, options)) yield messageItem(message);
}
