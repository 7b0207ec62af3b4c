/** The users of an import from Slack: those of its lists, and everybody else who is named by a message. */
import { createHash } from "node:crypto";
import type { ImportItem } from "../../wire/entities/import.ts";
import { isUserId } from "../../wire/ids.ts";
import { timeOfSeconds, type SlackMessage, type SlackProfile, type SlackUser } from "./slack-shapes.ts";

/** For users deactivated at an unknown time. */
const UNKNOWN_TIME = "2000-01-01T00:00:00Z";
const SLACK_ITSELF = "USLACKBOT";

/** Replaces characters not allowed in ids; names in other scripts stay apart by a hash. */
export function plainId(text: string): string {
  const plain = text.replace(/[^\w@-]/g, "_").slice(0, 60);
  if (/^[\x00-\x7f]{0,60}$/.test(text)) return plain;
  return `${plain.slice(0, 40)}-${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;
}

const nameIn = (profile: SlackProfile = {}): string =>
  profile.display_name || profile.real_name || profile.name || "";

export class SlackPeople {
  /** Id → the fields that the export has of it. */
  readonly #users = new Map<string, ImportItem["data"]>();
  /** Id of a bot → the name it has in its first message. */
  readonly #botNames = new Map<string, string>();

  get items(): Iterable<ImportItem["data"]> {
    return this.#users.values();
  }

  get first(): string | undefined {
    return this.#users.keys().next().value;
  }

  has(id: string): boolean {
    return this.#users.has(id);
  }

  name(id: string): string | undefined {
    return this.#users.get(id)?.name as string | undefined;
  }

  /** False for a user without a valid id. */
  addListed({ id, name, real_name, deleted, updated, profile = {} }: SlackUser, now: number): boolean {
    if (id === undefined || !isUserId(id)) return false;
    const shown = nameIn(profile) || real_name || name;
    this.#users.set(id, {
      id,
      ...(shown ? { name: shown } : {}),
      ...(profile.image_192 ? { image: profile.image_192 } : {}),
      ...(deleted ? { deactivated_at: timeOfSeconds(updated, now) ?? UNKNOWN_TIME } : {}),
    });
    return true;
  }

  /** Adds somebody who is in no list; false for an id that nobody can have. */
  addNamed(id: string | undefined, name = ""): boolean {
    if (id === undefined || !isUserId(id)) return false;
    const known = this.#users.get(id);
    if (known && (known.name !== undefined || name === "")) return true;
    this.#users.set(id, { ...known, id, ...(name === "" ? {} : { name }) });
    return true;
  }

  /** The author of a message, who becomes a user if they are none yet. */
  addAuthor(message: SlackMessage): string {
    const { user_profile: profile, username, bot_profile: bot } = message;
    const author = this.authorOf(message);
    const isPerson = author === message.user;
    this.addNamed(author, isPerson ? nameIn(profile) || personName(author) : username || bot?.name || "");
    return author;
  }

  /** Bots have an id, and may have another name in each message: each name is a user. */
  authorOf({ user, bot_id: bot, username, comment, room }: SlackMessage): string {
    for (const id of [comment?.user, room?.created_by, user]) if (id !== undefined && isUserId(id)) return id;
    if (!bot) return plainId(username ? `slack-${username}` : "slackbot");
    const id = plainId(bot);
    if (!username) return id;
    const first = this.#botNames.get(id) ?? username;
    this.#botNames.set(id, first);
    return first === username ? id : plainId(`${id}-${username}`);
  }
}

const personName = (id: string): string => (id === SLACK_ITSELF ? "Slackbot" : "");
