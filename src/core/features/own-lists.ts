/** Lists of the own user that follow events and the connection: threads, reminders and live locations. */
import type { Bus } from "../base/bus.ts";
import { createReminders, type ReminderList, type RemindersDeps } from "../lists/reminders.ts";
import { ThreadList, type ThreadsDeps } from "../lists/threads.ts";
import { LocationManager, type LocationsDeps } from "../locations/manager.ts";

export interface OwnLists {
  readonly threads: ThreadList;
  readonly reminders: ReminderList;
  readonly locations: LocationManager;
}

/** `follows`: live locations are followed; one that is not followed can still be moved and stopped (R-LOC). */
export function createOwnLists(
  deps: ThreadsDeps & RemindersDeps & LocationsDeps & { bus: Bus; follows: { locations: boolean } },
): OwnLists {
  const { bus } = deps;
  const locations = new LocationManager(deps);
  bus.join(deps.follows.locations ? locations : { forget: () => locations.forget() });
  return { threads: bus.join(new ThreadList(deps)), reminders: bus.join(createReminders(deps)), locations };
}
