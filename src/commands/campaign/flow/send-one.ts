/** Sends one message of a campaign to one person under a fixed id, so that retries never send it twice (D2). */
import type { CampaignInput } from "../../../wire/bodies/campaigns.ts";
import type { Channel, ChannelState } from "../../../wire/entities/channel.ts";
import type { MessageInput } from "../../../wire/bodies/messages.ts";
import type { User } from "../../../wire/entities/user.ts";
import type { PlannedSteps } from "../../base/planned-steps.ts";
import { sleep } from "../../base/poll-task.ts";
import type { Person } from "../audience/exclusions.ts";
import { objectsFor, renderFor } from "../audience/render.ts";
import { markOf, RECEIVER_MARK } from "../receipts/marks.ts";
import type { StartCall } from "./start-file.ts";
import type { Throttle } from "./throttle.ts";
import { INPUT_ERROR, NOT_FOUND } from "../../../wire/errors.ts";
import { retryWait, type RateLimited } from "../../../wire/rate-limits.ts";

/** UUID v5 namespace of message ids. */
const ID_NAMESPACE = "6f0f5d4e-3f0a-5c55-9d0d-5a7e0c9b1e42";

/** Always the same id for a person, campaign and journal; nobody else can compute it and use it up. Journals of before have no salt. */
export async function messageIdFor(campaign: string, user: string, salt?: string): Promise<string> {
  const { v5 } = await import("uuid");
  return v5(`${salt === undefined ? "" : `${salt}\n`}${campaign}\n${user}`, ID_NAMESPACE);
}

export interface CampaignSending {
  call: StartCall;
  fields: CampaignInput & { id: string };
  sender: User;
  throttle: Throttle;
  /** Of the journal. */
  salt: string | undefined;
}

export interface SendFailure extends RateLimited {
  name?: string;
  status?: number;
  code?: unknown;
}

/** Maximum attempts without a response, and maximum waits for the rate limit. */
export const MAX_ATTEMPTS = 5;
const MAX_RATE_LIMITS = 50;

/** Milliseconds to wait after a rate limit, as demanded by the response. */
const retryDelay = (refused: SendFailure, now: number): number =>
  Math.min(Math.max(retryWait(refused, now) ?? 1000, 1000), 60_000);

const isLimited = ({ name, status }: SendFailure): boolean => name === "ApiError" && status === 429;
export const isUnclear = ({ name, status = 0 }: SendFailure): boolean =>
  name === "TransportError" || (name === "ApiError" && status >= 500);
/** The message may exist already. */
const mayBeTaken = ({ name, code }: SendFailure): boolean => name === "ApiError" && code === INPUT_ERROR;

/** The direct channel of sender and person; created if missing. */
async function openConversation({ call, fields, sender }: CampaignSending, person: Person): Promise<Channel> {
  const type = fields.channel_template?.type ?? "messaging";
  const { channel } = await call.core.call("queryDistinctChannel", {
    path: { type },
    body: { data: { members: [sender.id, person.id], created_by_id: sender.id }, state: false },
  });
  return channel;
}

/** Sends the message of a person under its id. */
async function sendIn(
  { call, fields, sender }: CampaignSending,
  person: Person,
  channel: Channel,
  id: string,
): Promise<void> {
  const objects = { ...objectsFor(sender, person), channel };
  const { channel_template: _template, ...plain } = fields;
  const { text, attachments, custom } = renderFor(plain, objects);
  const { poll_id: poll } = fields.message_template;
  await call.core.call("sendMessage", {
    path: { type: channel.type, id: channel.id },
    // The throttle waits, for all that are sent at once.
    patience: 0,
    body: {
      message: {
        ...custom,
        id,
        text,
        attachments,
        campaign_id: fields.id,
        [RECEIVER_MARK]: person.id,
        user_id: sender.id,
        ...(poll === undefined ? {} : { poll_id: poll }),
      } as MessageInput,
      ...(fields.skip_push ? { skip_push: true } : {}),
    },
  });
}

/** Plans both requests of a person; where the provider cannot be asked for the channel, the first one only. */
export async function planOne(steps: PlannedSteps, sending: CampaignSending, person: Person): Promise<void> {
  const { id } = sending.fields;
  const opened = await steps.take<Channel, ChannelState>(
    () => openConversation(sending, person),
    ({ channel }) => channel,
  );
  if (opened)
    await steps.take(async () => sendIn(sending, person, opened, await messageIdFor(id, person.id)));
}

/** The channel of the message if it exists; one of somebody else is none. */
async function findSent(
  { call, fields, sender }: CampaignSending,
  id: string,
): Promise<{ cid: string } | undefined> {
  try {
    const { message } = await call.core.call("getMessage", { path: { id } });
    const isOurs = message.user?.id === sender.id && markOf(message, "campaign_id") === fields.id;
    return isOurs ? { cid: message.cid! } : undefined;
  } catch (error) {
    if ((error as SendFailure).code === NOT_FOUND) return undefined;
    throw error;
  }
}

/** Retries unclear failures and rate limits. Throws refusals, and errors that concern all messages. */
export async function sendOne(
  sending: CampaignSending,
  person: Person,
): Promise<{ message: string; cid: string }> {
  const { call, fields, throttle, salt } = sending;
  const message = await messageIdFor(fields.id, person.id, salt);
  let [tries, limited] = [0, 0];
  for (;;) {
    call.signal.throwIfAborted();
    const wait = throttle.reserve(performance.now());
    if (wait > 0) await sleep(wait, call.signal);
    try {
      const channel = await openConversation(sending, person);
      await sendIn(sending, person, channel, message);
      throttle.speedUp();
      return { message, cid: channel.cid };
    } catch (error) {
      if (isLimited(error as SendFailure) && ++limited < MAX_RATE_LIMITS) {
        throttle.slowDown(performance.now(), retryDelay(error as SendFailure, call.core.providerNow()));
        continue;
      }
      if (!isUnclear(error as SendFailure) && !mayBeTaken(error as SendFailure)) throw error;
      const found = await findSent(sending, message).catch(() => undefined);
      if (found) return { message, ...found };
      if (mayBeTaken(error as SendFailure) || ++tries === MAX_ATTEMPTS) throw error;
      await sleep(250 * 2 ** tries, call.signal);
    }
  }
}
