/** The JSON body or `payload=` of every endpoint as rows, for the provider, the printed protocol and the tests. */
import { adminBodies } from "./admin.ts";
import { appBodies } from "./app.ts";
import { campaignBodies } from "./campaigns.ts";
import { channelBodies } from "./channels.ts";
import { connectBodies } from "./connect.ts";
import { deviceBodies } from "./devices.ts";
import { draftBodies } from "./drafts.ts";
import { jobBodies } from "./jobs.ts";
import { locationBodies } from "./locations.ts";
import { messageBodies } from "./messages.ts";
import { moderationBodies } from "./moderation.ts";
import { pollBodies } from "./polls.ts";
import { reminderBodies } from "./reminders.ts";
import { searchBodies } from "./search.ts";
import { threadBodies } from "./threads.ts";
import { userBodies } from "./users.ts";
import { acting } from "./frame.ts";
import type { Shape } from "../entities/fields.ts";

export const bodies = {
  ...adminBodies,
  ...appBodies,
  ...campaignBodies,
  ...channelBodies,
  ...connectBodies,
  ...deviceBodies,
  ...draftBodies,
  ...jobBodies,
  ...locationBodies,
  ...messageBodies,
  ...moderationBodies,
  ...pollBodies,
  ...reminderBodies,
  ...searchBodies,
  ...threadBodies,
  ...userBodies,
} as const satisfies Record<string, Shape>;

export type BodyName = keyof typeof bodies;

/** The rows of an endpoint's body; by default only those of the acting user. */
export const bodyOf = (name: string): Shape =>
  Object.hasOwn(bodies, name) ? bodies[name as BodyName] : acting;
