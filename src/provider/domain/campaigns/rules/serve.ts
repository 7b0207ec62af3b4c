/** Sends a campaign's message to one target, creating the channel if needed (RUN-4…RUN-10). */
import { makeMessageId, makeCid } from "../../../../wire/ids.ts";
import type { ChannelTemplate, MessageTemplate } from "../../../../wire/entities/campaign.ts";
import {
  renderChannelId,
  renderText,
  renderValue,
  type TemplateObjects,
} from "../../../../wire/entities/template.ts";
import { ApiProblem } from "../../../base/handler.ts";
import type { DueContext } from "../../../base/ports.ts";
import { permissionsOf } from "../../access/view/policy.ts";
import { BodyReader, type Fields } from "../../validation/check.ts";
import { showChannel } from "../../channels/rules/lifecycle.ts";
import { updateMemberPartial } from "../../channels/rules/member-routes.ts";
import { distinctId, queryChannel, queryDistinctChannel } from "../../channels/rules/open.ts";
import { channelRow, findChannel, memberRow, type ChannelRow } from "../../channels/storage/rows.ts";
import { updateChannel } from "../../channels/rules/update.ts";
import { channelView } from "../../channels/view/channels.ts";
import { serverCall } from "../../query/server-call.ts";
import { checkContent, readContent } from "../../content/rules/content.ts";
import { storeMessage } from "../../messages/rules/store.ts";
import { People, publicUser } from "../../users/view/users.ts";
import { userRow, type UserRow } from "../../users/storage/rows.ts";
import type { CampaignRow } from "../storage/campaigns.ts";
import { directChannel } from "../../channels/storage/members.ts";
import { campaignReceivers, countSent, insertReceiversIn, type CampaignTarget } from "../storage/targets.ts";
import { polls } from "../../polls/storage/rows.ts";

/** Throws for a target that cannot be served; it is then skipped (RUN-11). */
export function serveTarget(due: DueContext, row: CampaignRow, target: CampaignTarget): void {
  const sender = userRow(due.db, row.sender_id);
  const receiver = target.kind === "user" ? userRow(due.db, target.id) : undefined;
  const view = (user: UserRow): object => publicUser(user, due.emit.online(user.id));
  const objects: TemplateObjects = { sender: view(sender), receiver: receiver && view(receiver) };
  const { channel, created } = receiver
    ? findOrCreateChannel(due, row, sender, receiver, objects)
    : { channel: channelRow(due.db, target.id), created: false };
  if (!created && row.sender_mode === "include" && !memberRow(due.db, channel.cid, sender.id))
    addSender(due, channel, sender.id);
  // RUN-7: also in a muted channel, which a message alone does not unhide.
  if (receiver && row.show_channels === 1 && memberRow(due.db, channel.cid, receiver.id)?.hidden_at != null)
    showChannel(
      serverCall(due, "showChannel", { path: { type: channel.type, id: channel.id } }, receiver.id),
    );
  const sentAt = sendCampaignMessage(due, row, channelRow(due.db, channel.cid), sender, objects, created);
  countSent(due.db, row.id, created);
  // RUN-10: a receiver counts once, with the first message received.
  if (receiver)
    campaignReceivers.add(due.db, {
      campaign_id: row.id,
      user_id: receiver.id,
      cid: channel.cid,
      created_at: sentAt,
    });
  else insertReceiversIn(due.db, row.id, sender.id, channel.cid, sentAt);
}

/** RUN-4: the existing channel, or a new one (RUN-5). */
function findOrCreateChannel(
  due: DueContext,
  row: CampaignRow,
  sender: UserRow,
  receiver: UserRow,
  objects: TemplateObjects,
): { channel: ChannelRow; created: boolean } {
  const { db } = due;
  if (row.channel_template === null) {
    const found = directChannel(db, receiver.id, sender.id);
    if (!found) throw ApiProblem.notFound("there is no channel of the two");
    return { channel: found, created: false };
  }
  const template = JSON.parse(row.channel_template) as ChannelTemplate;
  const id = template.id === undefined ? undefined : renderChannelId(template.id, objects);
  if (id === "") throw ApiProblem.input("the channel id renders empty");
  const cid = makeCid(template.type, id ?? distinctId([sender.id, receiver.id]));
  const found = findChannel(db, cid);
  if (found) return { channel: found, created: false };
  if (row.create_channels === 0) throw ApiProblem.notFound(`Channel ${cid} does not exist`);
  return {
    channel: createCampaignChannel(due, row, template, { cid, id, sender, receiver, objects }),
    created: true,
  };
}

/** RUN-5, RUN-6. A channel without an id is identified by its two members, so the sender always is one (specification/campaigns.md §5). */
function createCampaignChannel(
  due: DueContext,
  row: CampaignRow,
  template: ChannelTemplate,
  {
    cid,
    id,
    sender,
    receiver,
    objects,
  }: { cid: string; id: string | undefined; sender: UserRow; receiver: UserRow; objects: TemplateObjects },
): ChannelRow {
  const members = new Map<string, Fields>();
  for (const member of template.members_template ?? []) members.set(member.user_id, member);
  for (const userId of template.members ?? []) members.set(userId, { user_id: userId });
  if (!members.has(receiver.id)) members.set(receiver.id, { user_id: receiver.id });
  if (row.sender_mode !== "exclude" && !members.has(sender.id))
    members.set(sender.id, { user_id: sender.id });
  const distinct = [{ user_id: receiver.id }, { user_id: sender.id }];
  const team = template.team === undefined ? "" : renderText(template.team, objects);
  const data: Fields = {
    ...renderValue(template.custom ?? {}, objects),
    created_by_id: sender.id,
    members: id === undefined ? distinct : [...members.values()],
    ...(team === "" ? {} : { team }),
  };
  const body = {
    data,
    state: false,
    ...(row.sender_visibility === "hidden" ? { hide_for_creator: true } : {}),
  };
  const path = { type: template.type };
  if (id === undefined)
    queryDistinctChannel(serverCall(due, "queryDistinctChannel", { path, body }, sender.id));
  else queryChannel(serverCall(due, "queryChannel", { path: { ...path, id }, body }, sender.id));
  const channel = channelRow(due.db, cid);
  if (row.sender_visibility === "archived" && memberRow(due.db, cid, sender.id))
    updateMemberPartial(
      serverCall(due, "updateMemberPartial", {
        path: { type: channel.type, id: channel.id, user_id: sender.id },
        body: { set: { archived: true } },
      }),
    );
  return channel;
}

function addSender(due: DueContext, channel: ChannelRow, senderId: string): void {
  updateChannel(
    serverCall(due, "updateChannel", {
      path: { type: channel.type, id: channel.id },
      body: { add_members: [senderId] },
    }),
  );
}

/** RUN-9: stored and published like any message. Its length is checked; permissions, slow mode and freezing are not. */
function sendCampaignMessage(
  due: DueContext,
  row: CampaignRow,
  channel: ChannelRow,
  sender: UserRow,
  templateObjects: TemplateObjects,
  created: boolean,
): number {
  const objects = { ...templateObjects, channel: channelView(new People(due.db, due.emit), channel) };
  const template = JSON.parse(row.message_template) as MessageTemplate;
  const source: Fields = {
    ...renderValue(template.custom ?? {}, objects),
    campaign_id: row.id,
    text: renderText(template.text, objects),
    attachments: renderValue(template.attachments ?? [], objects),
    ...(template.poll_id === undefined ? {} : { poll_id: template.poll_id }),
  };
  const check = new BodyReader(source, "message.");
  const content = readContent(check, source, true);
  check.done();
  const permissions = permissionsOf(due.db, { kind: "server", userId: sender.id, role: "server" }, channel);
  checkContent(permissions, content, false);
  const { poll_id: poll } = template;
  if (poll !== undefined && !polls.has(due.db, { id: poll }))
    throw ApiProblem.input(`Poll ${poll} does not exist`);
  const call = serverCall(due, "sendMessage", { path: { type: channel.type, id: channel.id } }, sender.id);
  const stored = storeMessage(call, permissions, sender, {
    id: makeMessageId(sender.id, due.uuid()),
    type: "regular",
    content,
    mentioned: [],
    // A channel that was created hidden for the sender stays hidden.
    keepHidden: created && row.sender_visibility === "hidden",
  });
  return stored.row.created_at;
}
