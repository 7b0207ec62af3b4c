/** The body (or the JSON of `payload=`) of every endpoint that takes one, as rows; loaded by the provider, the printed protocol and the tests. */
import { adminBodies } from "./bodies/admin.ts";
import { appBodies } from "./bodies/app.ts";
import { campaignBodies } from "./bodies/campaigns.ts";
import { channelBodies } from "./bodies/channels.ts";
import { connectBodies } from "./bodies/connect.ts";
import { deviceBodies } from "./bodies/devices.ts";
import { draftBodies } from "./bodies/drafts.ts";
import { jobBodies } from "./bodies/jobs.ts";
import { locationBodies } from "./bodies/locations.ts";
import { messageBodies } from "./bodies/messages.ts";
import { moderationBodies } from "./bodies/moderation.ts";
import { pollBodies } from "./bodies/polls.ts";
import { reminderBodies } from "./bodies/reminders.ts";
import { searchBodies } from "./bodies/search.ts";
import { threadBodies } from "./bodies/threads.ts";
import { userBodies } from "./bodies/users.ts";
import { acting } from "./bodies/frame.ts";
import type { Shape } from "./fields.ts";

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

export type Described = keyof typeof bodies;

/** The rows of an endpoint's body; where nothing is said but who acts, those. */
export const bodyOf = (name: string): Shape =>
  Object.hasOwn(bodies, name) ? bodies[name as Described] : acting;
