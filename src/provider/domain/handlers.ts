/** Every route of the domain by the name of its endpoint row. */
import type { DomainHandlers } from "../base/handler.ts";
import { adminRoutes } from "./admin/routes.ts";
import { campaignRoutes } from "./campaigns/routes.ts";
import { channelRoutes } from "./channels/routes.ts";
import { deviceRoutes } from "./devices/routes.ts";
import { draftRoutes } from "./drafts/routes.ts";
import { jobRoutes } from "./jobs/routes.ts";
import { locationRoutes } from "./locations/routes.ts";
import { messageRoutes } from "./messages/routes.ts";
import { moderationRoutes } from "./moderation/routes.ts";
import { pollRoutes } from "./polls/routes.ts";
import { reminderRoutes } from "./reminders/routes.ts";
import { searchRoutes } from "./search/routes.ts";
import { threadRoutes } from "./threads/routes.ts";
import { userRoutes } from "./users/routes.ts";

export const handlers: DomainHandlers = {
  ...userRoutes,
  ...deviceRoutes,
  ...channelRoutes,
  ...messageRoutes,
  ...threadRoutes,
  ...pollRoutes,
  ...locationRoutes,
  ...draftRoutes,
  ...reminderRoutes,
  ...searchRoutes,
  ...moderationRoutes,
  ...adminRoutes,
  ...jobRoutes,
  ...campaignRoutes,
};
