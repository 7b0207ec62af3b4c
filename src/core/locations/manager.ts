/** Live locations of the current user: which are active, which this device updates, and when tracking must run (specification/locations.md §4, §5, §7). */
import { sameList } from "../../model/same-list.ts";
import { CLEANING_INTERVAL } from "../../wire/constants.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { SharedLocation } from "../../wire/entities/location.ts";
import { CHANNEL_ENDS } from "../../model/membership.ts";
import type { Message } from "../../wire/entities/message.ts";
import { compareTimes } from "../../wire/time.ts";
import { createObservable, type Observable } from "../base/observable.ts";
import { requireMessageId } from "../base/validate-call.ts";
import { ApiError, LocalError } from "../../model/errors.ts";
import type { Timer } from "../base/ports.ts";
import { ActiveLocations, isTrackable, type LiveLocation } from "./active-locations.ts";
import { PositionThrottle, type LocationChange } from "./position-throttle.ts";
import { isPosition } from "./validity.ts";
import { INPUT_ERROR, NOT_FOUND } from "../../wire/errors.ts";
import type { Services } from "../http/services.ts";

interface LocationsState {
  /** Active ones that were started on this device, which updates their position. */
  tracked: readonly LiveLocation[];
  /** Active ones of the user's other devices: only shown. */
  elsewhere: readonly LiveLocation[];
}

export interface LocationsDeps extends Pick<Services, "call" | "clock" | "log" | "userId" | "now"> {
  deviceId(): string;
}

const NONE: LocationsState = { tracked: [], elsewhere: [] };

export class LocationManager implements Observable<LocationsState> {
  readonly #deps: LocationsDeps;
  readonly #locations = createObservable<LocationsState>(NONE);
  readonly #throttle: PositionThrottle;
  readonly #active: ActiveLocations;
  readonly #listeners = new Set<(run: boolean) => void>();
  /** Changes by events since the last `load` began, whose answer may be older: message ids that became live, and message ids or cids that ended. */
  #changedSinceLoad: { live: Set<string>; ended: Set<string> } | undefined;
  /** Ids of unsent messages whose sharing must be stopped once it is known, each with the resolver of its caller. */
  readonly #stopWhenShared = new Map<string, (ended: Promise<SharedLocation>) => void>();
  #cleaning: Timer | undefined;
  #tracking = false;

  readonly deviceId: () => string;
  readonly subscribe = this.#locations.subscribe;

  constructor(deps: LocationsDeps) {
    this.#deps = deps;
    this.deviceId = deps.deviceId;
    this.#throttle = new PositionThrottle(deps.clock, (id, position) => this.#move(id, position));
    this.#active = new ActiveLocations((id) => this.#throttle.drop(id));
  }

  state = (): LocationsState => {
    this.#publish();
    return this.#locations.state();
  };

  /** A new position of this device: moves every tracked location (LU-6, LU-7). Throws `LocalError` when it is out of range (L-2). */
  position(latitude: number, longitude: number): void {
    if (!isPosition({ latitude, longitude }))
      throw new LocalError("A position needs a latitude from -90 to 90 and a longitude from -180 to 180");
    for (const { message_id } of this.state().tracked)
      // A failure is logged, and the next position replaces the move (LU-8).
      this.move(message_id, { latitude, longitude }).catch(() => {});
  }

  /** Moves one active location (LU-6); resolves to it, or to undefined if it was there already or has ended. Rejects like the call. */
  move(messageId: string, change: LocationChange): Promise<SharedLocation | undefined> {
    requireMessageId(messageId);
    return this.#throttle.move(messageId, change);
  }

  /** Ends the sharing (LU-4) now, by the provider's clock; resolves to the ended location. */
  async stop(messageId: string): Promise<SharedLocation> {
    requireMessageId(messageId);
    const end_at = new Date(this.#deps.now()).toISOString();
    const body = { message_id: messageId, end_at };
    const ended = await this.#deps.call("updateLiveLocation", { body });
    this.#active.end(messageId, ended.updated_at);
    this.#publish();
    return ended;
  }

  /** Like `stop`, for a message that is still being sent: stops once its location is known. */
  stopOnceShared(messageId: string): Promise<SharedLocation> {
    return new Promise((resolve) => {
      this.#stopWhenShared.set(messageId, resolve);
      this.#publish();
    });
  }

  /** LE-5: calls with `true` when tracking must begin (at once if it runs already) and `false` when the last location has ended. */
  onTracking(listener: (run: boolean) => void): () => void {
    this.#listeners.add(listener);
    if (this.#tracking) listener(true);
    return () => this.#listeners.delete(listener);
  }

  /** Fetches the active locations, in the provider's order; runs by itself on connect and after each recovery. */
  async load(): Promise<readonly SharedLocation[]> {
    const since = { live: new Set<string>(), ended: new Set<string>() };
    this.#changedSinceLoad = since;
    const { active_live_locations: active = [] } = await this.#deps.call("getLiveLocations");
    const listed = new Set(active.map(({ message_id }) => message_id));
    this.#active.removeWhere(({ message_id: id }) => !listed.has(id) && !since.live.has(id));
    const hasEnded = ({ message_id, channel_cid }: LiveLocation): boolean =>
      since.ended.has(message_id) || since.ended.has(channel_cid ?? "");
    for (const location of active)
      if (this.#isActive(location) && !hasEnded(location)) this.#active.add(location);
    if (this.#changedSinceLoad === since) this.#changedSinceLoad = undefined;
    this.#publish();
    return active;
  }

  onEvent(event: AnyEvent): void {
    // LE-3
    if (CHANNEL_ENDS.has(event.type)) {
      this.#changedSinceLoad?.ended.add(event.cid ?? "");
      this.#active.removeWhere(({ channel_cid }) => channel_cid === event.cid);
    } else if (!event.type.startsWith("message.") || !this.#onMessage(event)) return;
    this.#publish();
  }

  onConnected(): void {
    this.load().catch((error: Error) => {
      this.#deps.log.debug("live locations could not be loaded", { error: error.message });
    });
  }

  reset(): void {
    this.#active.reset();
    this.#stopWhenShared.clear();
    this.#deps.clock.clearTimeout(this.#cleaning);
    this.#cleaning = undefined;
    this.#publish();
  }

  #isActive(location: SharedLocation | undefined): location is LiveLocation {
    return isTrackable(location, this.#deps.now());
  }

  /** Updates the observable state from the active locations, and starts or stops tracking. */
  #publish(): void {
    this.#active.removeWhere((location) => !this.#isActive(location));
    const device = this.deviceId();
    const all = this.#active.all();
    const tracked = all.filter((each) => each.created_by_device_id === device);
    const elsewhere = all.filter((each) => each.created_by_device_id !== device);
    const before = this.#locations.state();
    if (!sameList(tracked, before.tracked) || !sameList(elsewhere, before.elsewhere))
      this.#locations.set({ tracked, elsewhere });
    for (const { message_id: id } of all) {
      const ended = this.#stopWhenShared.get(id);
      if (this.#stopWhenShared.delete(id)) ended?.(this.stop(id));
    }
    const run = tracked.length > 0;
    if (run !== this.#tracking) {
      this.#tracking = run;
      for (const listener of Array.from(this.#listeners)) listener(run);
    }
    if (all.length > 0) this.#cleaning ??= this.#deps.clock.setTimeout(this.#clean, CLEANING_INTERVAL);
  }

  /** LE-2: no event announces an expiry. */
  #clean = (): void => {
    this.#cleaning = undefined;
    this.#publish();
  };

  /** LU-6: an unchanged position is not sent. */
  async #move(id: string, change: LocationChange): Promise<SharedLocation | undefined> {
    const location = this.#active.get(id);
    // One that is not known here is the provider's to decide.
    if (location && !this.#isActive(location)) return undefined;
    const isThere = location?.latitude === change.latitude && location.longitude === change.longitude;
    if (isThere && change.end_at === undefined) return undefined;
    this.#throttle.startWindow(id);
    try {
      const body = { message_id: id, ...change };
      const { duration: _time, ...answer } = await this.#deps.call("updateLiveLocation", { body });
      this.#moved(id, { ...answer, message_id: id });
      return answer;
    } catch (error) {
      this.#moveFailed(id, error as Error);
      throw error;
    }
  }

  #moved(id: string, answer: SharedLocation): void {
    const held = this.#active.get(id);
    if (!held) return;
    if (this.#isActive(answer)) this.#active.add({ ...held, ...answer });
    else this.#active.end(id, answer.updated_at);
    this.#publish();
  }

  #moveFailed(id: string, error: Error): void {
    this.#deps.log.debug("a live location could not be moved", { error: error.message });
    // LU-8: the location no longer exists or is no longer live.
    if (error instanceof ApiError && (error.code === NOT_FOUND || error.code === INPUT_ERROR))
      this.#active.remove(id);
    this.#publish();
  }

  /** False for messages that do not concern the user's locations. */
  #onMessage(event: AnyEvent): boolean {
    const message = event.message as Message | undefined;
    const location = message?.shared_location;
    if (typeof message?.id !== "string") return false;
    const { id } = message;
    if (event.type === "message.deleted") this.#changedSinceLoad?.ended.add(id);
    if (!location && !this.#active.get(id)) return false;
    if (event.type === "message.deleted" || !location) {
      if (event.type === "message.deleted") this.#active.remove(id);
      return true;
    }
    if ((location.user_id ?? message.user?.id) !== this.#deps.userId()) return true;
    const cid = location.channel_cid ?? message.cid ?? event.cid;
    this.#changedSinceLoad?.live.add(id);
    this.#changedSinceLoad?.ended.delete(id);
    this.#onOwnLocation(
      { ...location, message_id: id, ...(cid !== undefined && { channel_cid: cid }) },
      event.type,
    );
    return true;
  }

  #onOwnLocation(location: SharedLocation & { message_id: string }, eventType: AnyEvent["type"]): void {
    const { message_id: id, channel_cid: cid } = location;
    if (!this.#isActive(location)) {
      const before = this.#active.get(id);
      if (before && compareTimes(location.updated_at, before.updated_at) >= 0)
        this.#active.end(id, location.updated_at);
      return;
    }
    // LE-4: a second one in the same channel ends the first.
    if (eventType === "message.new" && cid !== undefined)
      this.#active.removeWhere((other) => other.message_id !== id && other.channel_cid === cid);
    this.#active.add(location);
  }
}
