/** What of the own user follows events and the connection by itself: threads, reminders and live locations. */
import type { AnyEvent } from "../wire/events.ts";
import type { ApiCall } from "./http/caller.ts";
import { createReminders } from "./lists/reminders.ts";
import type { ReminderList } from "./lists/reminders.ts";
import { createThreads } from "./lists/threads.ts";
import type { ThreadList } from "./lists/threads.ts";
import { createLocations } from "./locations/manager.ts";
import type { LocationManager } from "./locations/manager.ts";
import type { Clock, Log, Random } from "./base/ports.ts";
import type { Notice, State } from "../model/state.ts";
import type { Store } from "./store/store.ts";

export interface Followers {
  readonly threads: ThreadList;
  readonly reminders: ReminderList;
  readonly locations: LocationManager;
  heard(events: readonly AnyEvent[]): void;
  forget(): void;
}

export interface FollowersDeps {
  call: ApiCall;
  clock: Clock;
  random: Random;
  log: Log;
  store: Store;
  state(): State;
  userId(): string | undefined;
  now(): number;
  /** Live locations are followed; default on (R-LOC). */
  follows: { locations: boolean };
  notify(notice: Pick<Notice, "level" | "text"> & Partial<Notice>): void;
}

const DEVICE_ID = "device.id";

export function createFollowers(deps: FollowersDeps): Followers {
  const { call, clock, log, store, state, userId, now, notify } = deps;
  let device: string | undefined;

  /** Made once and kept (L-1); without a disk it lasts as long as the process. */
  function deviceId(): string {
    device ??= store.get<string>(DEVICE_ID);
    if (device !== undefined) return device;
    device = deps.random.uuid();
    try {
      store.set(DEVICE_ID, device);
    } catch (error) {
      log.warn("the id of this device could not be kept", { error: String(error) });
    }
    return device;
  }

  const threads = createThreads({ call, clock, log, state, userId, now });
  const reminders = createReminders({ call, now, notify });
  const locations = createLocations({ call, clock, log, userId, now, deviceId });

  /** specification/locations.md §7, specification/threads.md §7: what was missed is asked for. */
  function connected(): void {
    threads.reconnected();
    if (deps.follows.locations)
      locations.load().catch((error: Error) => {
        log.debug("live locations could not be asked for", { error: error.message });
      });
  }

  return {
    threads,
    reminders,
    locations,
    heard(events) {
      for (const event of events) {
        if (event.type === "connection.changed") {
          if (event.online === true) connected();
          continue;
        }
        threads.heard(event);
        reminders.heard(event);
        if (deps.follows.locations) locations.heard(event);
      }
    },
    forget() {
      threads.forget();
      reminders.forget();
      locations.forget();
    },
  };
}
