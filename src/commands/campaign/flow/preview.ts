/** The message of a campaign file as single people would get it, with their real fields. */
import { userNotFound } from "../../base/user-not-found.ts";
import { renderText, variablesIn } from "../../../wire/entities/template.ts";
import { flatText } from "../../../text/markup.ts";
import { CommandError } from "../../base/define-command.ts";
import { fetchUsers } from "../audience/people.ts";
import { audienceSource } from "../audience/source.ts";
import { targetsOf, type Target } from "../audience/targets.ts";
import { needGoodFile, readCampaignFile, type CampaignFile } from "../file/read.ts";
import type { Checking } from "./check.ts";
import { objectsFor, renderFor } from "./render.ts";

export interface Preview {
  campaign: string;
  user: string;
  name?: string;
  /** `type:id`, or words for the channel of the two. */
  channel: string;
  /** As it is sent. */
  text: string;
  /** What it says without its markup. */
  plain: string;
  attachments: object[];
  custom: object;
  /** Placeholders that are empty for this person. */
  empty: string[];
}

/** Who is shown: those who were named, with what their record says, or the first of the audience. */
async function chosen(
  call: Checking,
  file: CampaignFile,
  { users, samples }: { users: readonly string[]; samples: number },
): Promise<Target[]> {
  const source = audienceSource(file);
  // A person who was named is shown whoever the audience is; only a file of records has more to say of them.
  const { targets } =
    users.length > 0 && source.file === undefined ? { targets: [] } : await targetsOf(call, source);
  if (users.length === 0) return targets.slice(0, samples);
  const byId = new Map(targets.map((target) => [target.id, target]));
  return users.map((id) => byId.get(id) ?? { id });
}

const placeOf = ({ fields: { channel_template: channel } }: CampaignFile, id: string | undefined): string =>
  id === undefined ? "the channel of the two" : `${channel?.type ?? "messaging"}:${id}`;

/** Throws `CommandError` for a file that is wrong, and for people who are not there. */
export async function* previews(
  call: Checking,
  given: { name: string; users: readonly string[]; samples: number; columns: boolean },
): AsyncIterable<Preview> {
  const file = needGoodFile(await readCampaignFile(call, given.name));
  const { fields } = file;
  const targets = await chosen(call, file, given);
  if (targets.length === 0)
    throw new CommandError("notFound", "The audience is empty.", "Name somebody with --user.");
  const found = await fetchUsers(call, [fields.sender_id, ...targets.map(({ id }) => id)]);
  const sender = found.get(fields.sender_id);
  if (sender === undefined) throw userNotFound(fields.sender_id);
  for (const { id, columns } of targets) {
    const user = found.get(id);
    if (user === undefined) throw userNotFound(id);
    const objects = objectsFor(sender, { user, ...(given.columns && columns && { columns }) });
    const { channelId, ...made } = renderFor(fields, objects);
    const empty = variablesIn(fields.message_template.text)
      .filter(({ word, text }) => word !== "channel" && renderText(text, objects) === "")
      .map(({ text }) => text);
    yield {
      campaign: fields.id!,
      user: id,
      ...(user.name ? { name: user.name } : {}),
      channel: placeOf(file, channelId),
      ...made,
      plain: flatText(made.text),
      empty,
    };
  }
}
