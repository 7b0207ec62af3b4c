/** Lists of the current user that follow events: threads, reminders and live locations. */
import type { Bus } from "../base/bus.ts";
import { createReminders, type ReminderList, type RemindersDeps } from "../lists/reminders.ts";
import { ThreadList, type ThreadsDeps } from "../lists/threads.ts";
import { LocationManager, type LocationsDeps } from "../locations/manager.ts";

export interface OwnLists {
  readonly threads: ThreadList;
  readonly reminders: ReminderList;
  readonly locations: LocationManager;
}

/** `follows.locations` false: events do not change the locations, but they can still be moved and stopped (R-LOC). */
export function createOwnLists(
  deps: ThreadsDeps & RemindersDeps & LocationsDeps & { bus: Bus; follows: { locations: boolean } },
): OwnLists {
  const { bus } = deps;
  const locations = new LocationManager(deps);
  bus.join(deps.follows.locations ? locations : { reset: () => locations.reset() });
  return { threads: bus.join(new ThreadList(deps)), reminders: bus.join(createReminders(deps)), locations };
}
