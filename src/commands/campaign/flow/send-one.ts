/** Sends one message of a campaign to one person under a fixed id, so that retries never send it twice (D2). */
import type { CampaignInput } from "../../../wire/entities/campaign.ts";
import type { Channel } from "../../../wire/entities/channel.ts";
import type { MessageInput } from "../../../wire/entities/message.ts";
import type { User } from "../../../wire/entities/user.ts";
import { sleep } from "../../base/poll-task.ts";
import type { Person } from "../audience/survey.ts";
import { objectsFor, renderFor } from "./render.ts";
import type { Starting } from "./start-file.ts";
import type { Throttle } from "./throttle.ts";
import { INPUT_ERROR, NOT_FOUND } from "../../../wire/errors.ts";
import { askedWait, type Limited } from "../../../wire/rate-limits.ts";

/** UUID v5 namespace of message ids. */
const NAMESPACE = "6f0f5d4e-3f0a-5c55-9d0d-5a7e0c9b1e42";

/** Always the same id for a person and campaign. */
export async function messageIdFor(campaign: string, user: string): Promise<string> {
  const { v5 } = await import("uuid");
  return v5(`${campaign}\n${user}`, NAMESPACE);
}

export interface CampaignSending {
  call: Starting;
  fields: CampaignInput & { id: string };
  sender: User;
  throttle: Throttle;
}

interface Refused extends Limited {
  name?: string;
  status?: number;
  code?: unknown;
}

/** Maximum attempts without a response, and maximum waits for the rate limit. */
const TRIES = 5;
const LIMITED = 50;

/** Milliseconds to wait after a rate limit, as demanded by the response. */
const waitOf = (refused: Refused, now: number): number =>
  Math.min(Math.max(askedWait(refused, now) ?? 1000, 1000), 60_000);

const isLimited = ({ name, status }: Refused): boolean => name === "ApiError" && status === 429;
const isUnclear = ({ name, status = 0 }: Refused): boolean =>
  name === "TransportError" || (name === "ApiError" && status >= 500);
/** The message may exist already. */
const mayBeTaken = ({ name, code }: Refused): boolean => name === "ApiError" && code === INPUT_ERROR;

/** The direct channel of sender and person; created if missing. */
export async function openConversation(
  { call, fields, sender }: CampaignSending,
  person: Person,
): Promise<Channel> {
  const type = fields.channel_template?.type ?? "messaging";
  const { channel } = await call.core.call("queryDistinctChannel", {
    path: { type },
    body: { data: { members: [sender.id, person.id], created_by_id: sender.id }, state: false },
  });
  return channel;
}

async function once(sending: CampaignSending, person: Person, id: string): Promise<{ cid: string }> {
  const { call, fields, sender } = sending;
  const channel = await openConversation(sending, person);
  const objects = { ...objectsFor(sender, person), channel };
  const { channel_template: _template, ...plain } = fields;
  const { text, attachments, custom } = renderFor(plain, objects);
  const { poll_id: poll } = fields.message_template;
  await call.core.call("sendMessage", {
    path: { type: channel.type, id: channel.id },
    body: {
      message: {
        ...custom,
        id,
        text,
        attachments,
        campaign_id: fields.id,
        user_id: sender.id,
        ...(poll === undefined ? {} : { poll_id: poll }),
      } as MessageInput,
      ...(fields.skip_push ? { skip_push: true } : {}),
    },
  });
  return { cid: channel.cid };
}

/** The channel of the message if it exists. */
async function lookFor({ call, fields }: CampaignSending, id: string): Promise<{ cid: string } | undefined> {
  try {
    const { message } = await call.core.call("getMessage", { path: { id } });
    return (message as { campaign_id?: unknown }).campaign_id === fields.id
      ? { cid: message.cid! }
      : undefined;
  } catch (error) {
    if ((error as Refused).code === NOT_FOUND) return undefined;
    throw error;
  }
}

/** Retries unclear failures and rate limits. Throws refusals, and errors that concern all messages. */
export async function sendOne(
  sending: CampaignSending,
  person: Person,
): Promise<{ message: string; cid: string }> {
  const { call, fields, throttle } = sending;
  const message = await messageIdFor(fields.id, person.id);
  let [tries, limited] = [0, 0];
  for (;;) {
    call.signal.throwIfAborted();
    const wait = throttle.turn(performance.now());
    if (wait > 0) await sleep(wait, call.signal);
    try {
      const { cid } = await once(sending, person, message);
      throttle.went();
      return { message, cid };
    } catch (error) {
      if (isLimited(error as Refused) && ++limited < LIMITED) {
        throttle.refused(performance.now(), waitOf(error as Refused, call.core.providerNow()));
        continue;
      }
      if (!isUnclear(error as Refused) && !mayBeTaken(error as Refused)) throw error;
      const found = await lookFor(sending, message).catch(() => undefined);
      if (found) return { message, ...found };
      if (mayBeTaken(error as Refused) || ++tries === TRIES) throw error;
      await sleep(250 * 2 ** tries, call.signal);
    }
  }
}
