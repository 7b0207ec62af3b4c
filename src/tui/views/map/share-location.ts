/** Shares the user's location: asks where and for how long, moves it by hand, and stops it. */
import { findPlaces } from "../../../atlas/places.ts";
import type { Places } from "../../../atlas/read.ts";
import { positionOf } from "../../../commands/location/position.ts";
import type { HeldMessage } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { duration } from "../../../text/times.ts";
import { readDuration } from "../../../text/when.ts";
import { words } from "../../../text/words.ts";
import { LOCATION_MIN_DURATION } from "../../../wire/constants.ts";
import type { SharedLocation } from "../../../wire/entities/location.ts";
import { positionWords, timeLeft } from "../../render/location.ts";
import type { Choice } from "../../screen/popup.ts";
import { uncovered } from "../../screen/transitions.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import type { UserListStates } from "../../screen/store.ts";
import { composerPlace, topPanel } from "../../screen/screen.ts";
import { selectedIn } from "../../screen/selectors.ts";
import { askToConfirm, attempt, showNotice, openPicker } from "../../screen/notices.ts";
import { isLive } from "../../../model/locations.ts";

/** The lists for a position, a duration, and a position to move to. */
type LocationPicker = "locationPlace" | "locationTime" | "locationMove";

const texts = words.map.sharing;
const MAX_PLACES = 30;
const MINUTE = 60_000;
const DURATIONS = [15 * MINUTE, 60 * MINUTE, 8 * 60 * MINUTE];
/** The choice of a location that does not move. */
const STATIC = "still";

const position = (latitude: number, longitude: number): SharedLocation => ({ latitude, longitude });

/** Typed coordinates, else towns by name. */
export function positionChoices(query: string, places: Places | undefined): Choice[] {
  const typed = positionOf(query);
  if (typed) {
    const { latitude, longitude } = typed;
    return [{ label: positionWords(typed), value: `${latitude},${longitude}` }];
  }
  if (!places) return [];
  return findPlaces(places, query, MAX_PLACES).map(({ name, country, latitude, longitude }) => ({
    label: cleanLine(name),
    detail: country,
    value: `${latitude},${longitude}`,
  }));
}

/** Durations to choose from, or the typed one. */
export function durationChoices(query: string): Choice[] {
  const live = (ms: number): Choice => ({ label: texts.live(duration(ms)), value: String(ms) });
  if (query === "") return [...DURATIONS.map(live), { label: texts.still, value: STATIC }];
  const ms = readDuration(query);
  if (ms !== undefined && ms >= LOCATION_MIN_DURATION) return [live(ms)];
  return [...DURATIONS.map(live), { label: texts.still, value: STATIC }].filter(({ label }) =>
    label.toLowerCase().includes(query.toLowerCase()),
  );
}

function pickLocation(
  ports: Pick<Ports, "store">,
  name: LocationPicker,
  title: string,
  about?: string,
): void {
  ports.store.get().look.maps?.load();
  openPicker(ports, { name, title, about });
}

/** Handles a choice: a position leads to the list of durations, a duration sends the location. */
export function onLocationChosen(ports: Ports, name: LocationPicker, about: string, value: string): void {
  if (name === "locationPlace") return pickLocation(ports, "locationTime", texts.howLong, value);
  const [latitude = 0, longitude = 0] = (name === "locationTime" ? about : value).split(",").map(Number);
  if (name === "locationMove") {
    ports.core.locations.position(latitude, longitude);
    return showNotice(ports, texts.moved(positionWords(position(latitude, longitude))), "success");
  }
  send(ports, position(latitude, longitude), value === STATIC ? undefined : Number(value));
}

/** The duration counts from the send (L-4). */
function send(ports: Ports, location: SharedLocation, ms: number | undefined): void {
  const { core, store, clock } = ports;
  const place = composerPlace(store.screen);
  if (!place) return showNotice(ports, texts.noChannel);
  const shared_location: SharedLocation = {
    ...location,
    created_by_device_id: core.locations.deviceId(),
    ...(ms !== undefined && { end_at: new Date(clock.now() + ms).toISOString() }),
  };
  const sent = core.send(place, { text: "", custom: { shared_location } }).outcome.then((outcome) => {
    if (outcome.state === "failed") throw outcome.error;
  });
  attempt(ports, sent);
  store.update((s) => uncovered(s, place));
}

export const openSharing = (ports: Pick<Ports, "store" | "core">): void =>
  composerPlace(ports.store.screen)
    ? pickLocation(ports, "locationPlace", texts.where)
    : showNotice(ports, texts.noChannel);

type Locations = UserListStates["locations"];

/** The user's live locations, of this device and of others. */
const ownLive = ({ tracked, elsewhere }: Locations, now: number): SharedLocation[] =>
  [...tracked, ...elsewhere].filter((location) => isLive(location, now));

/** `sharing your location · 14 min left` and a short form, for the location that lasts longest; "" while none is shared. */
export function sharingWords(locations: Locations, now: number): { sharing: string; sharingShort: string } {
  const live = ownLive(locations, now);
  const last = live.toSorted((a, b) => ((a.end_at ?? "") < (b.end_at ?? "") ? 1 : -1))[0];
  if (!last) return { sharing: "", sharingShort: "" };
  const left = timeLeft(last, now);
  return { sharing: texts.status(live.length, left), sharingShort: texts.shortStatus(left) };
}

/** For the menu of a message: whether it is a live location of the user; undefined for other actions. */
export function canStopSharing(
  action: string,
  { shared_location, user }: HeldMessage,
  me: string | undefined,
  now: number,
): boolean | undefined {
  if (action !== "stopLocation") return undefined;
  return shared_location !== undefined && user.id === me && isLive(shared_location, now);
}

/** The message id of the user's live location under the cursor, or of the open map. */
function targetLocationId({ core, store }: Ports): string | undefined {
  const model = store.get();
  const panel = topPanel(model.screen);
  const message = selectedIn(model);
  if (
    message &&
    model.screen.focus !== "composer" &&
    canStopSharing("stopLocation", message, core.userId, model.now)
  )
    return message.id;
  return panel?.kind === "map" ? panel.id : undefined;
}

/** Ids of location messages not yet acknowledged; failed and scheduled ones are not shared. */
const unsentShares = (core: Ports["core"], now: number): string[] =>
  core
    .unsent()
    .filter(({ state, send_at }) => state !== "failed" && send_at === undefined)
    .flatMap(({ id, shared_location: at }) => (at && isLive(at, now) ? [id] : []));

type StopPorts = Pick<Ports, "core" | "store" | "clock">;

/** Stops the locations of these messages, now or once they are shared. */
export function stopSharing(ports: StopPorts, ids: readonly string[]): void {
  const { core } = ports;
  const sharedIds = new Set(
    ownLive(core.locations.state(), ports.clock.now()).map(({ message_id }) => message_id),
  );
  const unsent = unsentShares(core, ports.clock.now()).filter((id) => ids.includes(id) && !sharedIds.has(id));
  const shared = ids.filter((id) => !unsent.includes(id));
  const stops = shared.map((id) => core.locations.stop(id));
  if (stops.length > 0) confirmStopped(ports, stops);
  if (unsent.length > 0) stopUnsent(ports, unsent);
}

/** Unsends what was not sent yet; a location in flight is stopped once it is shared. */
function stopUnsent(ports: StopPorts, ids: readonly string[]): void {
  const { core, store } = ports;
  const inFlight = ids.filter((id) => core.unsend(id) === undefined);
  if (inFlight.length < ids.length) showNotice(ports, texts.unsent, "success");
  store.update((s) => s);
  if (inFlight.length === 0) return;
  showNotice(ports, texts.stopsThen);
  const stops = inFlight.map((id) => core.locations.stopOnceShared(id));
  confirmStopped(ports, stops);
}

function confirmStopped(ports: StopPorts, requests: readonly Promise<unknown>[]): void {
  const all = Promise.all(requests).then(() => {
    showNotice(ports, texts.stopped, "success");
    ports.store.update((s) => s);
  });
  attempt(ports, all);
}

/** Stops the location under the cursor, else all. */
const stopSelected: Action = (ports) => {
  const { core } = ports;
  const now = ports.clock.now();
  const live = ownLive(core.locations.state(), now).map(({ message_id }) => message_id!);
  const all = [...new Set([...live, ...unsentShares(core, now)])];
  const targetId = targetLocationId(ports);
  if (all.length === 0) showNotice(ports, texts.none);
  else stopSharing(ports, targetId !== undefined && all.includes(targetId) ? [targetId] : all);
};

/** For clicks, which may be accidental. */
export const askToStop = (ports: Ports): void =>
  askToConfirm(ports, { level: "mild", question: texts.stopIt }, () => stopSelected(ports));

const moveLocation: Action = (ports) =>
  ports.core.locations.state().tracked.length > 0
    ? pickLocation(ports, "locationMove", texts.whereNow)
    : showNotice(ports, texts.none);

export const sharingActions = {
  shareLocation: openSharing,
  moveLocation,
  stopLocation: stopSelected,
} satisfies Record<string, Action>;
