/** Writes the demo workspace into an empty provider; the same seed and user give the same workspace. */
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { MessageInput } from "../../wire/bodies/messages.ts";
import { timeFromMicros } from "../../wire/time.ts";
import { CAST, GUIDE } from "./cast.ts";
import type { RobotHost } from "../robots/host.ts";
import { DEMO_FILES } from "./files.ts";
import { positionOnRoute } from "./route.ts";
import { STORY, YOU, type StoryLine, type Scene } from "./story.ts";

interface SeededRandom {
  /** 0 ≤ r < 1 */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
}

/** The Mulberry32 algorithm. */
function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return { next, between };
}

interface You {
  id: string;
  name?: string;
}

export const LUNCH_POLL = "demo-lunch-poll";
export const LUNCH_MESSAGE = "demo-lunch-poll-message";
export const LOCATION_MESSAGE = "demo-field-trip-location";
export const LOCATION_DEVICE = "demo-phone";
/** How long the live location of the demo is shared after seeding. */
export const LOCATION_HOURS = 8;
const MINUTE = 60_000_000;

/** Channels that a user who joins later (`--as bob`) becomes a member of. */
export const OPEN_CHANNELS: readonly string[] = STORY.filter(
  (s) => s.id && s.type !== "commerce" && !s.archived,
).map((s) => `${s.type}:${s.id}`);

export function seedDemo(host: RobotHost, you: You, seed = 1): void {
  host.withoutEvents(() => {
    const now = host.now();
    host.perform("upsertUsers", {
      body: {
        users: Object.fromEntries([...CAST, you].map((p) => [p.id, { ...p, name: p.name ?? p.id }])),
      },
      at: now - 90 * 1440 * MINUTE,
    });
    for (const scene of STORY) seedScene(host, scene, you.id, now, seed);
  });
}

function seedScene(host: RobotHost, scene: Scene, you: string, now: number, seed: number): void {
  const random = seededRandom(seed + scene.minutesAgo);
  const userIdOf = (id: string): string => (id === YOU ? you : id);
  const start = now - scene.minutesAgo * MINUTE;
  const members = scene.members.map(userIdOf);
  const creator = members[0]!;
  const data = {
    created_by_id: creator,
    members,
    ...(scene.name && { name: scene.name }),
    ...(scene.topic && { topic: scene.topic }),
  };
  const state = scene.id
    ? host.perform("queryChannel", { path: { type: scene.type, id: scene.id }, body: { data }, at: start })
    : host.perform("queryDistinctChannel", { path: { type: scene.type }, body: { data }, at: start });
  const { type, id, cid } = state.channel;
  const label = scene.id ?? `with-${members[0]}`;

  const totalMinutes = scene.lines.reduce((sum, line) => sum + (line.wait ?? 2), 0);
  const scale = Math.min(1, (scene.minutesAgo - 1.5) / totalMinutes);
  const ids = new Map<string, string>();
  const channelLines: string[] = [];
  let at = start;
  scene.lines.forEach((line, n) => {
    at += Math.floor((line.wait ?? 2) * scale * MINUTE) - random.between(0, 900_000) + 1_000_000;
    const messageId = messageIdOf(label, line, n);
    if (line.label) ids.set(line.label, messageId);
    if ((!line.replyTo || line.alsoInChannel) && !line.deleted) channelLines.push(messageId);
    sendLine(host, { type, id, cid }, line, messageId, at, ids, userIdOf, now);
    applyChanges(host, line, { id: messageId, at, userIdOf, creator });
  });

  const counted = state.channel.config?.read_events ?? false;
  for (const member of counted ? members : []) {
    const readTo =
      member === you ? channelLines[channelLines.length - 1 - (scene.unread ?? 0)] : channelLines.at(-1);
    if (readTo)
      host.perform("markRead", { path: { type, id }, body: { user_id: member, message_id: readTo } });
  }
  if (scene.pinned || scene.archived)
    host.perform("updateMemberPartial", {
      path: { type, id, user_id: you },
      body: { set: scene.pinned ? { pinned: true } : { archived: true }, user_id: you },
      // The newest pin is listed first, so scenes are pinned in reverse order.
      at: now - STORY.indexOf(scene) * MINUTE,
    });
  if (scene.muted) host.perform("muteChannel", { body: { channel_cid: cid, user_id: you } });
}

/** Applies the later changes of a message: reactions, an edit, a deletion, a pin. */
function applyChanges(
  host: RobotHost,
  line: StoryLine,
  {
    id,
    at,
    userIdOf,
    creator,
  }: { id: string; at: number; userIdOf: (id: string) => string; creator: string },
): void {
  const path = { id };
  for (const [type, people] of Object.entries(line.reactions ?? {}))
    people.forEach((person, k) =>
      host.perform("sendReaction", {
        path,
        body: { reaction: { type }, user_id: userIdOf(person) },
        at: at + (k + 1) * 20_000_000,
      }),
    );
  if (line.edited)
    host.perform("updateMessagePartial", {
      path,
      body: { set: { text: line.text }, user_id: userIdOf(line.by) },
      at: at + 30_000_000,
    });
  if (line.deleted)
    host.perform("deleteMessage", { path, query: { deleted_by: userIdOf(line.by) }, at: at + 15_000_000 });
  if (line.pin)
    host.perform("updateMessagePartial", {
      path,
      body: { set: { pinned: true }, user_id: creator },
      at: at + 60_000_000,
    });
}

function messageIdOf(label: string, line: StoryLine, n: number): string {
  if (line.label === "location") return LOCATION_MESSAGE;
  if (line.label === "poll") return LUNCH_MESSAGE;
  return `demo-${label}-${n}`;
}

function sendLine(
  host: RobotHost,
  channel: { type: string; id: string; cid: string },
  line: StoryLine,
  messageId: string,
  at: number,
  ids: Map<string, string>,
  userIdOf: (id: string) => string,
  now: number,
): void {
  const message: MessageInput = {
    id: messageId,
    user_id: userIdOf(line.by),
    text: (line.edited ?? line.text).replaceAll(YOU, userIdOf(YOU)),
    ...(line.replyTo && { parent_id: ids.get(line.replyTo)!, show_in_channel: Boolean(line.alsoInChannel) }),
    ...(line.quote && { quoted_message_id: ids.get(line.quote)! }),
    ...(line.mention && { mentioned_users: line.mention.map(userIdOf) }),
    ...(line.system && { type: "system" as const }),
  };
  if (line.file) message.attachments = [storedFile(host, channel.cid, line.file)];
  if (line.card)
    message.attachments = [
      {
        title: line.card.title,
        text: line.card.text,
        title_link: line.card.link,
        og_scrape_url: line.card.link,
        ...(line.card.author && { author_name: line.card.author }),
      },
    ];
  if (line.label === "poll") message.poll_id = lunchPoll(host, userIdOf(line.by), at);
  if (line.label === "location")
    message.shared_location = {
      ...positionOnRoute(0),
      created_by_device_id: LOCATION_DEVICE,
      end_at: timeFromMicros(now + LOCATION_HOURS * 60 * MINUTE),
    };
  host.perform("sendMessage", { path: channel, body: { message, skip_enrich_url: true }, at });
  if (line.label === "poll")
    for (const [voter, option] of [
      ["cy", "soba"],
      ["ana", "soba"],
      ["ivy", "tacos"],
    ] as const)
      host.perform("castPollVote", {
        path: { message_id: LUNCH_MESSAGE, poll_id: LUNCH_POLL },
        body: { vote: { option_id: option }, user_id: voter },
        at: at + 60_000_000,
      });
}

function storedFile(host: RobotHost, cid: string, name: keyof typeof DEMO_FILES): Attachment {
  const file = DEMO_FILES[name];
  const bytes = file.bytes();
  const url = host.storeFile(cid, file.name, file.mimeType, bytes);
  const picture = file.mimeType.startsWith("image/");
  return {
    type: picture ? "image" : "file",
    title: file.name,
    mime_type: file.mimeType,
    file_size: bytes.length,
    ...(picture ? { image_url: url } : { asset_url: url }),
    ...("width" in file && { original_width: file.width, original_height: file.height }),
  };
}

function lunchPoll(host: RobotHost, by: string, at: number): string {
  host.perform("createPoll", {
    body: {
      id: LUNCH_POLL,
      name: "Lunch?",
      options: [
        { id: "soba", text: "soba" },
        { id: "tacos", text: "tacos" },
        { id: "soup", text: "soup of the day" },
      ],
      enforce_unique_vote: true,
      user_id: by,
    },
    at,
  });
  return LUNCH_POLL;
}

/** Makes a user a member of the open channels; false when they already are. */
export function joinDemo(host: RobotHost, userId: string): boolean {
  let joined = false;
  host.inOneTransaction(() => {
    for (const cid of OPEN_CHANNELS) {
      const [type, id] = cid.split(":") as [string, string];
      const { members } = host.perform("queryMembers", {
        query: { type, id, filter_conditions: { id: userId } },
      });
      if (members.length > 0) continue;
      joined = true;
      host.perform("updateChannel", { path: { type, id }, body: { add_members: [userId], user_id: GUIDE } });
    }
  });
  return joined;
}
