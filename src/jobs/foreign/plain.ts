/** Converts plain JSON lines, `{channel, user, text, at, id?, parent?, name?}`, into items of an import. */
import { createHash } from "node:crypto";
import { cidProblem, isMessageId, isUserId, splitCid } from "../../wire/ids.ts";
import type { ImportItem } from "../../wire/entities/import.ts";
import { normalTime } from "../../wire/time.ts";
import { readItems } from "../items.ts";

/** A line that cannot be a message; the message says which and why. */
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

/** Whether a value is such a line, for telling files apart. */
export const isPlainRecord = (value: unknown): boolean => {
  const { channel, user, text, at } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof channel === "string" && typeof user === "string" && typeof text === "string" && at !== undefined
  );
};

/** RFC 3339, or seconds or milliseconds since 1970. */
function readAt(at: unknown): string | undefined {
  if (typeof at === "string") return normalTime(at) === undefined ? undefined : at;
  if (typeof at !== "number" || !(at > 0) || at > 4e12) return undefined;
  return new Date(at < 1e11 ? at * 1000 : at).toISOString();
}

function readLine(value: unknown, n: number, channelType: string): PlainMessage {
  const refuse = (why: string): never => {
    throw new BadLine(`line ${n}: ${why}`);
  };
  if (!isPlainRecord(value)) return refuse("it needs channel, user, text and at");
  const { channel, user, text, at, id, parent, name } = value as Record<string, unknown>;
  const cid = String(channel).includes(":")
    ? String(channel)
    : `${channelType}:${String(channel).replace(/^#/, "")}`;
  const place = splitCid(cid);
  if (!place || cidProblem(cid)) return refuse(`'${String(channel)}' names no channel`);
  if (!isUserId(String(user))) return refuse(`'${String(user)}' is no user id (letters, digits, _, - and @)`);
  const when = readAt(at) ?? refuse(`'${String(at)}' is no time`);
  for (const one of [id, parent])
    if (one !== undefined && (typeof one !== "string" || !isMessageId(one)))
      refuse(`${JSON.stringify(one)} is no message id`);
  // The same line is the same message in each run.
  const made = createHash("sha256")
    .update(JSON.stringify([n, cid, user, text, at]))
    .digest("hex")
    .slice(0, 24);
  return {
    id: (id as string | undefined) ?? `plain-${made}`,
    type: place.type,
    channel: place.id,
    user: String(user),
    text: String(text),
    at: when,
    ...(parent === undefined ? {} : { parent: parent as string }),
    ...(typeof name === "string" && name !== "" ? { name } : {}),
  };
}

interface PlainOptions {
  /** The type that a channel without one has. */
  channelType: string;
  signal: AbortSignal;
}

async function* lines(file: string, { channelType, signal }: PlainOptions): AsyncIterable<PlainMessage> {
  for await (const { n, text } of readItems(file, { signal })) {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new BadLine(`line ${n}: it is not valid JSON`);
    }
    yield readLine(value, n, channelType);
  }
}

/** People and channels are those that the lines name; who wrote in a channel is a member. Throws `BadLine`. */
export async function* convertPlain(file: string, options: PlainOptions): AsyncIterable<ImportItem> {
  const users = new Map<string, string | undefined>();
  /** The people who wrote in each channel, by cid. */
  const channels = new Map<string, Set<string>>();
  for await (const { type, channel, user, name } of lines(file, options)) {
    users.set(user, users.get(user) ?? name);
    const cid = `${type}:${channel}`;
    channels.set(cid, (channels.get(cid) ?? new Set()).add(user));
  }
  for (const [id, name] of users)
    yield { type: "user", data: { id, ...(name === undefined ? {} : { name }) } };
  for (const [cid, members] of channels) {
    const { type, id } = splitCid(cid)!;
    yield { type: "channel", data: { type, id, created_by: [...members][0]! } };
  }
  for (const [cid, members] of channels)
    for (const user of members) {
      const { type, id } = splitCid(cid)!;
      yield { type: "member", data: { channel_type: type, channel_id: id, user_id: user } };
    }
  for await (const { id, type, channel, user, text, at, parent } of lines(file, options))
    yield {
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
    };
}
