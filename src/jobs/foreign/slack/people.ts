/** The people of a Slack workspace: those of its lists, and everybody else who is named by a message. */
import { foreignId } from "../base/ids.ts";
import type { ImportedPeople } from "../base/people.ts";
import { pickFields } from "../base/shapes.ts";
import { microsOfSeconds, pastTime, UNKNOWN_TIME } from "../base/times.ts";
import { isUserId } from "../../../wire/ids.ts";
import { USER, type SlackMessage, type SlackProfile } from "./shapes.ts";

const SLACK_ITSELF = "USLACKBOT";

const nameIn = (profile: SlackProfile = {}): string =>
  profile.display_name || profile.real_name || profile.name || "";

const personName = (id: string): string => (id === SLACK_ITSELF ? "Slackbot" : "");

export class SlackPeople {
  readonly #people: ImportedPeople;
  /** Id of a bot → the name it has in its first message. */
  readonly #botNames = new Map<string, string>();

  constructor(people: ImportedPeople) {
    this.#people = people;
  }

  name(id: string): string | undefined {
    return this.#people.name(id);
  }

  /** An entry of a list; false without a valid id. `now`: milliseconds since 1970. */
  addListed(listed: object, now: number): boolean {
    const { id, name, real_name, deleted, updated, profile = {} } = pickFields(listed, USER);
    return this.#people.put(id, {
      name: nameIn(profile) || real_name || name,
      image: profile.image_192,
      deactivated_at: deleted ? (pastTime(microsOfSeconds(updated), now) ?? UNKNOWN_TIME) : undefined,
    });
  }

  /** The author of a message, who becomes a user if they are none yet. */
  addAuthor(message: SlackMessage): string {
    const { user_profile: profile, username, bot_profile: bot } = message;
    const author = this.#authorOf(message);
    const isPerson = author === message.user;
    this.#people.add(author, {
      name: isPerson ? nameIn(profile) || personName(author) : username || bot?.name || "",
    });
    return author;
  }

  /** Bots have an id, and may have another name in each message: each name is a user. */
  #authorOf({ user, bot_id: bot, username, comment, room }: SlackMessage): string {
    for (const id of [comment?.user, room?.created_by, user]) if (id !== undefined && isUserId(id)) return id;
    if (!bot) return username ? foreignId("slack-", username) : "slackbot";
    const id = foreignId("", bot);
    if (!username) return id;
    const first = this.#botNames.get(id) ?? username;
    this.#botNames.set(id, first);
    return first === username ? id : foreignId("", `${id}-${username}`);
  }
}
