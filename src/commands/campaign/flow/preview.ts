/** Renders the message of a campaign file for single people with their real fields. */
import { userNotFound } from "../../base/user-not-found.ts";
import { renderText, variablesIn } from "../../../wire/entities/template.ts";
import { flatText } from "../../../text/markup.ts";
import { CommandError } from "../../base/define-command.ts";
import { channelsFor } from "../audience/channels.ts";
import type { Person } from "../audience/exclusions.ts";
import { fetchUsers } from "../audience/people.ts";
import type { User } from "../../../wire/entities/user.ts";
import { makeCid } from "../../../wire/ids.ts";
import { audienceSource } from "../audience/source.ts";
import { targetsOf, type Target } from "../audience/targets.ts";
import { requireValidCampaign, readCampaignFile, type CampaignFile } from "../file/read.ts";
import { modeOf, type SendMode } from "../args/flow.ts";
import type { CheckCall } from "./check.ts";
import { objectsFor, renderFor } from "../audience/render.ts";

export interface Preview {
  campaign: string;
  user: string;
  name?: string;
  /** `type:id`, or words for a channel that is not there. */
  channel: string;
  /** The text as sent. */
  text: string;
  /** The text without markup. */
  plain: string;
  attachments: object[];
  custom: object;
  /** Placeholders without a value for this person. */
  empty: string[];
}

/** The people to preview: the named ones, with their records, or the first of the audience. */
async function selectTargets(
  call: CheckCall,
  file: CampaignFile,
  { users, samples }: { users: readonly string[]; samples: number },
): Promise<Target[]> {
  const source = audienceSource(file);
  // Named people need not be in the audience; it is only read for columns of a file.
  const { targets } =
    users.length > 0 && source.file === undefined ? { targets: [] } : await targetsOf(call, source);
  if (users.length === 0) return targets.slice(0, samples);
  const byId = new Map(targets.map((target) => [target.id, target]));
  return users.map((id) => byId.get(id) ?? { id });
}

/** Where the run sends it to each person: by message in the direct channel, else in the channel that is there or that the template makes. */
async function channelTexts(
  call: CheckCall,
  { fields }: CampaignFile,
  mode: SendMode,
  sender: User,
  people: readonly Pick<Person, "id" | "user">[],
): Promise<(person: Pick<Person, "id" | "user">) => string> {
  if (mode === "messages") return () => "the direct channel of the two";
  const there = await channelsFor(call, fields, sender, people);
  const { channel_template: template, create_channels: creates } = fields;
  const made = (person: Pick<Person, "user">): string => {
    const { channelId } = renderFor(fields, objectsFor(sender, person));
    return channelId === undefined ? "a new channel of the two" : makeCid(template!.type, channelId);
  };
  return (person) =>
    there.get(person.id) ?? (template && creates ? made(person) : "no channel: nothing is sent");
}

/**
 * The sender and the named people, or the first of the audience; by message with the columns of their records. Throws `CommandError`
 * (notFound) for unknown users and an empty audience.
 */
export async function samplePeople(
  call: CheckCall,
  file: CampaignFile,
  mode: SendMode,
  request: { users: readonly string[]; samples: number },
): Promise<{ sender: User; people: (Person & { user: User })[] }> {
  const targets = await selectTargets(call, file, request);
  if (targets.length === 0)
    throw new CommandError("notFound", "The audience is empty.", "Name somebody with --user.");
  const { sender_id: from } = file.fields;
  const found = await fetchUsers(call, [from, ...targets.map(({ id }) => id)]);
  const userOf = (id: string): User => {
    const user = found.get(id);
    if (user === undefined) throw userNotFound(id);
    return user;
  };
  const sender = userOf(from);
  const people = targets.map(({ id, columns }) => ({
    id,
    user: userOf(id),
    ...(mode === "messages" && columns && { columns }),
  }));
  return { sender, people };
}

/** Throws `CommandError` for an invalid file and unknown users. */
export async function* previews(
  call: CheckCall,
  request: { name: string; users: readonly string[]; samples: number; mode?: string | undefined },
): AsyncIterable<Preview> {
  const file = requireValidCampaign(await readCampaignFile(call, request.name));
  const mode = modeOf(file, request.mode);
  const { channel_template: template, ...plain } = file.fields;
  // By message no channel is made from the template.
  const fields = mode === "messages" ? plain : { ...plain, ...(template && { channel_template: template }) };
  const { sender, people } = await samplePeople(call, file, mode, request);
  const channelOf = await channelTexts(call, file, mode, sender, people);
  for (const person of people) {
    const { id, user } = person;
    const objects = objectsFor(sender, person);
    const { channelId: _channel, ...rendered } = renderFor(fields, objects);
    const empty = variablesIn(fields.message_template.text)
      .filter(({ word, text }) => word !== "channel" && renderText(text, objects) === "")
      .map(({ text }) => text);
    yield {
      campaign: fields.id!,
      user: id,
      ...(user.name ? { name: user.name } : {}),
      channel: channelOf(person),
      ...rendered,
      plain: flatText(rendered.text),
      empty,
    };
  }
}
