/** Every handler of the domain, under the name of its endpoint. */
import type { DomainHandlers } from "../base/handler.ts";
import * as adminRoutes from "./admin/routes.ts";
import * as campaignRoutes from "./campaigns/routes.ts";
import * as channelRoutes from "./channels/routes.ts";
import * as deviceRoutes from "./devices/routes.ts";
import * as draftRoutes from "./drafts/routes.ts";
import * as jobRoutes from "./jobs/routes.ts";
import * as locationRoutes from "./locations/routes.ts";
import * as messageRoutes from "./messages/routes.ts";
import * as moderationRoutes from "./moderation/routes.ts";
import * as pollRoutes from "./polls/routes.ts";
import * as reminderRoutes from "./reminders/routes.ts";
import * as searchRoutes from "./search/routes.ts";
import * as threadRoutes from "./threads/routes.ts";
import * as userRoutes from "./users/routes.ts";

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
