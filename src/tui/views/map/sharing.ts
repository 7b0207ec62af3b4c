/** Shares one's own location: where, for how long, moving it by hand, and ending it. */
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
import type { Action, Ports } from "../../ports/ports.ts";
import type { OwnListStates } from "../../screen/store.ts";
import { composerPlace, topPanel } from "../../screen/screen.ts";
import { selectedIn } from "../../screen/selectors.ts";
import { askToConfirm as question, attempt, showNotice, openPicker } from "../../screen/notices.ts";
import { isLive } from "../../../model/locations.ts";

/** The lists of the way: a place, how long, and a place to move to. */
type LocationPicker = "locationPlace" | "locationTime" | "locationMove";

const said = words.map.sharing;
const MOST_PLACES = 30;
const MINUTE = 60_000;
const TIMES = [15 * MINUTE, 60 * MINUTE, 8 * 60 * MINUTE];
/** Not live: it stays where it is. */
const STILL = "still";

const position = (latitude: number, longitude: number): SharedLocation => ({ latitude, longitude });

/** Coordinates as they are typed, else places by their name. */
export function placeChoices(query: string, places: Places | undefined): Choice[] {
  const typed = positionOf(query);
  if (typed) {
    const { latitude, longitude } = typed;
    return [{ label: positionWords(typed), value: `${latitude},${longitude}` }];
  }
  if (!places) return [];
  return findPlaces(places, query, MOST_PLACES).map(({ name, country, latitude, longitude }) => ({
    label: cleanLine(name),
    detail: country,
    value: `${latitude},${longitude}`,
  }));
}

/** How long it is live: some lengths, or one that is typed. */
export function durationChoices(query: string): Choice[] {
  const live = (ms: number): Choice => ({ label: said.live(duration(ms)), value: String(ms) });
  if (query === "") return [...TIMES.map(live), { label: said.still, value: STILL }];
  const ms = readDuration(query);
  if (ms !== undefined && ms >= LOCATION_MIN_DURATION) return [live(ms)];
  return [...TIMES.map(live), { label: said.still, value: STILL }].filter(({ label }) =>
    label.toLowerCase().includes(query.toLowerCase()),
  );
}

function ask(ports: Pick<Ports, "store">, name: LocationPicker, title: string, about?: string): void {
  ports.store.get().look.maps?.want();
  openPicker(ports, { name, title, about });
}

/** What was chosen: where, then for how long, then it is sent. */
export function locationChosen(ports: Ports, name: LocationPicker, about: string, value: string): void {
  if (name === "locationPlace") return ask(ports, "locationTime", said.howLong, value);
  const [latitude = 0, longitude = 0] = (name === "locationTime" ? about : value).split(",").map(Number);
  if (name === "locationMove") {
    ports.core.locations.position(latitude, longitude);
    return showNotice(ports, said.moved(positionWords(position(latitude, longitude))), "success");
  }
  send(ports, position(latitude, longitude), value === STILL ? undefined : Number(value));
}

/** L-4: the end is counted from the send. */
function send(ports: Ports, at: SharedLocation, ms: number | undefined): void {
  const { core, store, clock } = ports;
  const place = composerPlace(store.screen);
  if (!place) return showNotice(ports, said.noChannel);
  const shared_location: SharedLocation = {
    ...at,
    created_by_device_id: core.locations.deviceId(),
    ...(ms !== undefined && { end_at: new Date(clock.now() + ms).toISOString() }),
  };
  attempt(
    ports,
    core.send(place, { text: "", custom: { shared_location } }).outcome.then((outcome) => {
      if (outcome.state === "failed") throw outcome.error;
    }),
  );
  store.update((s) => s);
}

export const openSharing = (ports: Pick<Ports, "store" | "core">): void =>
  composerPlace(ports.store.screen)
    ? ask(ports, "locationPlace", said.where)
    : showNotice(ports, said.noChannel);

type Locations = OwnListStates["locations"];

/** All that are live now, of this device and of others. */
const ownLive = ({ tracked, elsewhere }: Locations, now: number): SharedLocation[] =>
  [...tracked, ...elsewhere].filter((location) => isLive(location, now));

/** `sharing your location · 14 min left`, and in few words; the one that lasts longest. "" while none is shared. */
export function sharingWords(locations: Locations, now: number): { sharing: string; sharingShort: string } {
  const live = ownLive(locations, now);
  const last = live.toSorted((a, b) => ((a.end_at ?? "") < (b.end_at ?? "") ? 1 : -1))[0];
  if (!last) return { sharing: "", sharingShort: "" };
  const left = timeLeft(last, now);
  return { sharing: said.status(live.length, left), sharingShort: said.shortStatus(left) };
}

/** For the menu of a message: whether it is an own location that still lasts; undefined for other actions. */
export function mayStop(
  action: string,
  { shared_location, user }: HeldMessage,
  me: string | undefined,
  now: number,
): boolean | undefined {
  if (action !== "stopLocation") return undefined;
  return shared_location !== undefined && user.id === me && isLive(shared_location, now);
}

/** The own live location that is pointed at: under the cursor, or on the map. */
function messageLinks({ core, store }: Ports): string | undefined {
  const model = store.get();
  const panel = topPanel(model.screen);
  const message = selectedIn(model);
  if (
    message &&
    model.screen.focus !== "composer" &&
    mayStop("stopLocation", message, core.userId, model.now)
  )
    return message.id;
  return panel?.kind === "map" ? panel.id : undefined;
}

/** Own shares whose messages the provider has not answered yet; what was refused or waits for its time shares nothing. */
const onTheWay = (core: Ports["core"], now: number): string[] =>
  core
    .unsent()
    .filter(({ state, send_at }) => state !== "failed" && send_at === undefined)
    .flatMap(({ id, shared_location: at }) => (at && isLive(at, now) ? [id] : []));

type Stopping = Pick<Ports, "core" | "store" | "clock">;

/** Ends those of these messages, now or once they are there. */
export function stopSharing(ports: Stopping, ids: readonly string[]): void {
  const { core } = ports;
  const known = new Set(
    ownLive(core.locations.state(), ports.clock.now()).map(({ message_id }) => message_id),
  );
  const coming = onTheWay(core, ports.clock.now()).filter((id) => ids.includes(id) && !known.has(id));
  const there = ids.filter((id) => !coming.includes(id));
  if (there.length > 0)
    tellStopped(
      ports,
      there.map((id) => core.locations.stop(id)),
    );
  if (coming.length > 0) stopOnTheWay(ports, coming);
}

/** What never went out is taken back; what is on the wire ends as soon as it is shared. */
function stopOnTheWay(ports: Stopping, ids: readonly string[]): void {
  const { core, store } = ports;
  const gone = ids.filter((id) => core.unsend(id) === undefined);
  if (gone.length < ids.length) showNotice(ports, said.unsent, "success");
  store.update((s) => s);
  if (gone.length === 0) return;
  showNotice(ports, said.stopsThen);
  tellStopped(
    ports,
    gone.map((id) => core.locations.stopOnceShared(id)),
  );
}

function tellStopped(ports: Stopping, ended: readonly Promise<unknown>[]): void {
  const all = Promise.all(ended).then(() => {
    showNotice(ports, said.stopped, "success");
    ports.store.update((s) => s);
  });
  attempt(ports, all);
}

/** Ends the one that is pointed at, else all. */
const stop: Action = (ports) => {
  const { core } = ports;
  const now = ports.clock.now();
  const live = ownLive(core.locations.state(), now).map(({ message_id }) => message_id!);
  const all = [...new Set([...live, ...onTheWay(core, now)])];
  const meant = messageLinks(ports);
  if (all.length === 0) showNotice(ports, said.none);
  else stopSharing(ports, meant !== undefined && all.includes(meant) ? [meant] : all);
};

/** A click may be a slip. */
export const askToStop = (ports: Ports): void =>
  question(ports, { level: "mild", question: said.stopIt }, () => stop(ports));

const move: Action = (ports) =>
  ports.core.locations.state().tracked.length > 0
    ? ask(ports, "locationMove", said.whereNow)
    : showNotice(ports, said.none);

export const sharingActions = {
  shareLocation: openSharing,
  moveLocation: move,
  stopLocation: stop,
} satisfies Record<string, Action>;
