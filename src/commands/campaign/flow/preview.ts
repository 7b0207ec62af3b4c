/** Renders the message of a campaign file for single people with their real fields. */
import { userNotFound } from "../../base/user-not-found.ts";
import { renderText, variablesIn } from "../../../wire/entities/template.ts";
import { flatText } from "../../../text/markup.ts";
import { CommandError } from "../../base/define-command.ts";
import { fetchUsers } from "../audience/people.ts";
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
  /** `type:id`, or a text for the direct channel. */
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

/** Where the run sends it: by message in the direct channel, else in the channel that the template names. */
const channelText = (
  { fields: { channel_template: channel } }: CampaignFile,
  id: string | undefined,
  mode: SendMode,
): string =>
  id === undefined || mode === "messages"
    ? "the channel of the two"
    : `${channel?.type ?? "messaging"}:${id}`;

/** Throws `CommandError` for an invalid file and unknown users. */
export async function* previews(
  call: CheckCall,
  request: { name: string; users: readonly string[]; samples: number; mode?: string | undefined },
): AsyncIterable<Preview> {
  const file = requireValidCampaign(await readCampaignFile(call, request.name));
  const mode = modeOf(file, request.mode);
  const columns = mode === "messages";
  const { channel_template: template, ...plain } = file.fields;
  // By message no channel is made from the template.
  const fields = columns ? plain : { ...plain, ...(template && { channel_template: template }) };
  const targets = await selectTargets(call, file, request);
  if (targets.length === 0)
    throw new CommandError("notFound", "The audience is empty.", "Name somebody with --user.");
  const found = await fetchUsers(call, [fields.sender_id, ...targets.map(({ id }) => id)]);
  const sender = found.get(fields.sender_id);
  if (sender === undefined) throw userNotFound(fields.sender_id);
  for (const { id, columns: cells } of targets) {
    const user = found.get(id);
    if (user === undefined) throw userNotFound(id);
    const objects = objectsFor(sender, { user, ...(columns && cells && { columns: cells }) });
    const { channelId, ...rendered } = renderFor(fields, objects);
    const empty = variablesIn(fields.message_template.text)
      .filter(({ word, text }) => word !== "channel" && renderText(text, objects) === "")
      .map(({ text }) => text);
    yield {
      campaign: fields.id!,
      user: id,
      ...(user.name ? { name: user.name } : {}),
      channel: channelText(file, channelId, mode),
      ...rendered,
      plain: flatText(rendered.text),
      empty,
    };
  }
}
