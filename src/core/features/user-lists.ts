/** Lists of the current user that follow events: threads, reminders, drafts at the provider and live locations. */
import type { Bus } from "../base/bus.ts";
import { createProviderDrafts, type ProviderDrafts } from "../lists/provider-drafts.ts";
import { createReminders, type ReminderList, type RemindersDeps } from "../lists/reminders.ts";
import { ThreadList, type ThreadsDeps } from "../lists/threads.ts";
import type { Services } from "../http/services.ts";
import { LocationManager, type LocationsDeps } from "../locations/manager.ts";

export interface UserLists {
  readonly threads: ThreadList;
  readonly reminders: ReminderList;
  readonly locations: LocationManager;
  readonly providerDrafts: ProviderDrafts;
}

/**
 * `follows.locations` false: events do not change the locations, but they can still be moved and stopped (R-LOC).
 * `follows.drafts` false: drafts at the provider are not loaded (R-DRAFT-1).
 */
export function createUserLists(
  deps: ThreadsDeps &
    RemindersDeps &
    LocationsDeps &
    Pick<Services, "log"> & { bus: Bus; follows: { locations: boolean; drafts: boolean } },
): UserLists {
  const { bus } = deps;
  const locations = new LocationManager(deps);
  bus.join(deps.follows.locations ? locations : { reset: () => locations.reset() });
  return {
    threads: bus.join(new ThreadList(deps)),
    reminders: bus.join(createReminders(deps)),
    locations,
    providerDrafts: bus.join(createProviderDrafts({ ...deps, enabled: deps.follows.drafts })),
  };
}
