/** Collects every row of the contract. */
import type { Case } from "./case.ts";
import { adminCases } from "./cases-admin.ts";
import { appCases } from "./cases-app.ts";
import { attachedCases } from "./cases-attached.ts";
import { campaignsCases } from "./cases-campaigns.ts";
import { channelCases } from "./cases-channels.ts";
import { devicesCases } from "./cases-devices.ts";
import { draftsCases } from "./cases-drafts.ts";
import { jobsCases } from "./cases-jobs.ts";
import { linksCases } from "./cases-links.ts";
import { locationCases } from "./cases-locations.ts";
import { messageCases } from "./cases-messages.ts";
import { moderationCases } from "./cases-moderation.ts";
import { otherClientsCases } from "./cases-other-clients.ts";
import { pollCases } from "./cases-polls.ts";
import { remindersCases } from "./cases-reminders.ts";
import { searchCases } from "./cases-search.ts";
import { threadsCases } from "./cases-threads.ts";
import { usersCases } from "./cases-users.ts";

export const cases: readonly Case[] = [
  ...appCases,
  ...channelCases,
  ...messageCases,
  ...attachedCases,
  ...pollCases,
  ...locationCases,
  ...usersCases,
  ...devicesCases,
  ...threadsCases,
  ...linksCases,
  ...draftsCases,
  ...remindersCases,
  ...searchCases,
  ...moderationCases,
  ...adminCases,
  ...jobsCases,
  ...campaignsCases,
  ...otherClientsCases,
];
