/** Finds the channel of each folder of a Slack export, also of renamed channels and of those that are in no list. */
import { channelIdProblem } from "../../../wire/ids.ts";
import type { Tally } from "../../tally.ts";
import type { SlackFolder, SlackLayout } from "./layout.ts";
import { foreignId } from "../base/ids.ts";
import { textsOf } from "../base/shapes.ts";
import { microsOf } from "../base/times.ts";
import type { ExportFile } from "../base/zip.ts";
import type { SlackConversation } from "./reader.ts";
import type { SlackMessage } from "./shapes.ts";

export interface SlackChannel extends SlackConversation {
  /** The workspace that lists it. */
  root: string;
  /** Files of messages in their order. */
  files: ExportFile[];
}

/** How programs write a channel's name as the name of a folder. */
const folderForm = (name: string): string =>
  name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[<>:"/\\|?*]/g, "_")
    .replace(/(?<![. ])[. ]+$/, "");

const CHANNEL_ID = /^[CDG][A-Z0-9]{2,}$/;

/** What the messages of a folder tell about its channel. */
interface FolderFacts {
  authors: Set<string>;
  /** Microseconds since 1970. */
  begins: number;
  /** Names that the channel was given, in order. */
  names: string[];
}

async function readFacts(messages: AsyncIterable<SlackMessage>): Promise<FolderFacts> {
  const facts: FolderFacts = { authors: new Set(), begins: Infinity, names: [] };
  for await (const { user, ts, subtype = "", old_name: before, name } of messages) {
    if (user) facts.authors.add(user);
    facts.begins = Math.min(facts.begins, microsOf(ts) ?? Infinity);
    if (/^(channel|group)_name$/.test(subtype)) facts.names.push(before ?? "", name ?? "");
  }
  return facts;
}

interface FolderReading {
  channels: Map<string, SlackChannel>;
  tally: Tally;
  messagesOf(folder: SlackFolder): AsyncIterable<SlackMessage>;
}

/** Channels by a name that a folder may have; several have one name. */
class NameIndex {
  readonly #channels = new Map<string, SlackChannel[]>();

  add(root: string, name: unknown, channel: SlackChannel): void {
    if (typeof name !== "string" || name === "") return;
    const key = root + folderForm(name);
    const known = this.#channels.get(key) ?? [];
    if (!known.includes(channel)) this.#channels.set(key, [...known, channel]);
  }

  find(root: string, name: string): readonly SlackChannel[] {
    return this.#channels.get(root + folderForm(name)) ?? [];
  }
}

/** Gives each folder of messages to one channel; a folder without one becomes a channel of its own. */
export async function assignFolders({ folders }: SlackLayout, reading: FolderReading): Promise<void> {
  const { channels, tally } = reading;
  const now = new NameIndex();
  const before = new NameIndex();
  for (const channel of channels.values()) {
    for (const name of [channel.name, channel.name_normalized]) now.add(channel.root, name, channel);
    for (const name of channel.previous_names ?? []) before.add(channel.root, name, channel);
  }
  for (const folder of folders) {
    const byId = channels.get(folder.name);
    const channel =
      (byId?.root === folder.root ? byId : undefined) ??
      (await findByName(folder, [now, before], reading)) ??
      ownChannel(folder, channels, tally);
    channel.files.push(...folder.files);
    channels.set(channel.id, channel);
  }
  // A channel may have folders of several names.
  const last = (name: string): string => name.slice(name.lastIndexOf("/") + 1);
  for (const channel of channels.values())
    channel.files.sort((a, b) => (last(a.name) < last(b.name) ? -1 : last(a.name) > last(b.name) ? 1 : 0));
}

async function findByName(
  folder: SlackFolder,
  [now, before]: readonly [NameIndex, NameIndex],
  { tally, messagesOf }: FolderReading,
): Promise<SlackChannel | undefined> {
  const { root, name } = folder;
  const current = now.find(root, name);
  const found = current.length > 0 ? current : before.find(root, name);
  if (found.length === 1) return found[0];
  const facts = await readFacts(messagesOf(folder));
  if (found.length === 0) return facts.names.flatMap((given) => now.find(root, given))[0];
  tally.add(
    "channel",
    `called ${name} like another one, which has the messages of that folder`,
    found.length - 1,
  );
  return bestOf(found, facts);
}

/** The channel that existed already, has most of the authors as members, and is still in use. */
function bestOf(channels: readonly SlackChannel[], { authors, begins }: FolderFacts): SlackChannel {
  const score = ({ created = 0, members = [], is_archived: archived, files }: SlackChannel): number => {
    const ofAuthors = textsOf(members).filter((id) => authors.has(id)).length;
    return (
      (files.length === 0 ? 1e9 : 0) +
      (created * 1e6 <= begins ? 1e6 : 0) +
      ofAuthors * 10 +
      (archived ? 0 : 1)
    );
  };
  return channels.toSorted((a, b) => score(b) - score(a))[0]!;
}

/** A channel for a folder that no list names. */
function ownChannel(
  { name, root }: SlackFolder,
  channels: ReadonlyMap<string, SlackChannel>,
  tally: Tally,
): SlackChannel {
  tally.add("notice", "a folder is in no list of channels and became one of its own");
  const isId = CHANNEL_ID.test(name) && channelIdProblem(name) === undefined;
  const id = isId ? name : foreignId("slack-", `${root.replace(/^.*teams\//, "")}${name}`);
  return (
    channels.get(id) ?? {
      id,
      root,
      isDirect: name.startsWith("D") && isId,
      files: [],
      ...(isId ? {} : { name }),
    }
  );
}
