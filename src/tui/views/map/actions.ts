/** Actions of the map in the panel. */
import { belowTitle } from "../../screen/layout.ts";
import { fitView, panned, zoomed, type CanvasSize, type MapViewport } from "../../../atlas/view.ts";
import type { ClientMessage } from "../../../model/state.ts";
import type { PanelAction } from "../../ports/panels.ts";
import type { Ports } from "../../ports/ports.ts";
import { browsePlace, panelsChanged, topPanelOf } from "../../screen/screen.ts";
import { messageIn } from "../../screen/selectors.ts";
import { words } from "../../../text/words.ts";
import { coordinates } from "../../render/location.ts";
import { openAddress } from "../../ports/open-address.ts";
import { showNotice } from "../../screen/notices.ts";
import type { Model } from "../../screen/store.ts";
import { followedPerson, peopleOf, type PersonOnMap } from "./people.ts";
import { mapCells, viewportOf } from "./rows.ts";
import { MAP, mapState, type MapPanel } from "./state.ts";
import type { Position } from "../../../model/locations.ts";

/** The map panel for the location of a message; undefined where maps are not drawn. */
export function mapPanel(
  store: Ports["store"],
  { cid, id, type, shared_location }: ClientMessage,
): MapPanel | undefined {
  if (!shared_location || type === "deleted" || !store.get().look.maps?.enabled) return undefined;
  return mapState(cid, id, browsePlace(store.screen)?.parentId);
}

/** The web address of a map at a position. */
export const mapAddress = ({ latitude, longitude }: Position): string =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`;

interface ShownMap {
  panel: MapPanel;
  people: PersonOnMap[];
  cells: CanvasSize;
  view: MapViewport;
}

type MapPorts = Pick<Ports, "core" | "store">;

/** How many people the map shows. */
const peopleIn = (
  { state, look }: Pick<Model, "state" | "look">,
  panel: MapPanel,
  me: string | undefined,
): number =>
  peopleOf({
    entry: state.channels.get(panel.cid),
    message: messageIn(state, panel, panel.openedFor),
    theme: look.theme,
    me: { id: me ?? "" },
  }).length;

function shownMap({ core, store }: MapPorts): ShownMap | undefined {
  const { screen, state, look, layout } = store.get();
  const panel = topPanelOf<MapPanel>(screen, MAP);
  if (!panel || !layout.panel) return undefined;
  const people = peopleOf({
    entry: state.channels.get(panel.cid),
    message: messageIn(state, panel, panel.openedFor),
    theme: look.theme,
    me: { id: core.userId ?? "" },
  });
  const cells = mapCells(belowTitle(layout.panel), people.length);
  const view = look.maps && viewportOf(panel, people, cells, look.maps);
  return view && { panel, people, cells, view };
}

const withMap =
  (action: (ports: Ports, map: ShownMap) => void) =>
  (ports: Ports): void => {
    const map = shownMap(ports);
    if (map) action(ports, map);
  };

function updatePanel({ store }: Pick<Ports, "store">, change: (panel: MapPanel) => MapPanel): void {
  const panel = topPanelOf<MapPanel>(store.screen, MAP);
  if (panel) store.update((s) => panelsChanged(s, panel, change));
}

/** Moves the view by hand; the map stops following a person. */
const lookAt = (ports: Pick<Ports, "store">, { latitude, longitude, scale }: MapViewport): void =>
  updatePanel(ports, (panel) => ({ ...panel, centre: { latitude, longitude }, scale }));

export const zoom = (by: 1 | -1) =>
  withMap((ports, { view }) => updatePanel(ports, (panel) => ({ ...panel, scale: zoomed(view, by).scale })));

/** Moves the view by an eighth of the visible map. */
const pan = (right: number, down: number) =>
  withMap((ports, { view, cells }) => {
    const step = (length: number): number => Math.max(1, Math.round(length / 8));
    lookAt(ports, panned(view, right * step(cells.columns), down * step(cells.rows)));
  });

/** Follows a person, at the initial scale. */
function follow(ports: Pick<Ports, "store">, id: string): void {
  updatePanel(ports, ({ centre: _centre, scale: _scale, ...panel }) => ({ ...panel, id }));
}

const showAll = withMap((ports, { people, cells, view }) => {
  const fitted = fitView(people, cells);
  // A single person needs no fitting: keep the scale.
  if (fitted) lookAt(ports, people.length > 1 ? fitted : view);
});

const followNext = withMap((ports, { people, panel }) => {
  const at = people.findIndex((person) => person === followedPerson(people, panel.id));
  const person = people[(at + 1) % people.length];
  if (person) follow(ports, person.id);
});

const openInBrowser = withMap((ports, { people, panel }) => {
  const person = followedPerson(people, panel.id);
  if (person) openAddress(ports, mapAddress(person));
});

/** A click on the map centres it there; a click on a person below the map follows them. */
export function click(ports: Ports, { x, y }: { x: number; y: number }): void {
  const map = shownMap(ports);
  if (!map) return;
  const { cells, view, people } = map;
  const person = people[y - cells.rows - 1];
  if (person) return follow(ports, person.id);
  if (y < cells.rows)
    lookAt(ports, panned(view, x - Math.floor(cells.columns / 2), y - Math.floor(cells.rows / 2)));
}

/** Copies `59.32510, 18.07110`, the form that map programs accept. */
const copyCoordinates = withMap((ports, { people, panel }) => {
  const person = followedPerson(people, panel.id);
  if (person && ports.terminal.copy(coordinates(person))) showNotice(ports, words.notices.copied, "success");
});

const somebody: PanelAction<MapPanel>["applies"] = (model, panel, me) => peopleIn(model, panel, me) > 0;
const others: PanelAction<MapPanel>["applies"] = (model, panel, me) => peopleIn(model, panel, me) > 1;
const moves = { letter: "moves" } as const;

export const mapActions = {
  in: {
    title: "Zoom in",
    hint: "zoom in",
    former: "mapIn",
    ...moves,
    keys: ["+", "="],
    applies: somebody,
    run: zoom(1),
  },
  out: {
    title: "Zoom out",
    hint: "zoom out",
    former: "mapOut",
    ...moves,
    keys: ["-"],
    applies: somebody,
    run: zoom(-1),
  },
  centre: {
    title: "Back to the person the map follows",
    hint: "centre",
    former: "mapCentre",
    ...moves,
    keys: ["c"],
    applies: (model, panel, me) =>
      (panel.centre !== undefined || panel.scale !== undefined) && peopleIn(model, panel, me) > 0,
    run: withMap((ports, { panel }) => follow(ports, panel.id)),
  },
  next: {
    title: "Follow the next person",
    hint: "next person",
    former: "mapNext",
    ...moves,
    keys: ["n"],
    applies: others,
    run: followNext,
  },
  all: {
    title: "Everybody who shares a location",
    hint: "all",
    former: "mapAll",
    ...moves,
    keys: ["a"],
    applies: others,
    run: showAll,
  },
  open: {
    title: "Open the place in the browser's map",
    hint: "browser",
    former: "mapOpen",
    letter: "outside",
    keys: ["o"],
    applies: somebody,
    run: openInBrowser,
  },
  copy: {
    title: "Copy the coordinates of the place",
    former: "mapCopy",
    letter: "outside",
    keys: ["y"],
    run: copyCoordinates,
  },
  left: { title: "West", former: "mapLeft", ...moves, keys: ["left", "h"], emacs: ["C-b"], run: pan(-1, 0) },
  right: {
    title: "East",
    former: "mapRight",
    ...moves,
    keys: ["right", "l"],
    emacs: ["C-f"],
    run: pan(1, 0),
  },
  up: { title: "North", former: "mapUp", ...moves, keys: ["up", "k"], emacs: ["C-p"], run: pan(0, -1) },
  down: { title: "South", former: "mapDown", ...moves, keys: ["down", "j"], emacs: ["C-n"], run: pan(0, 1) },
} satisfies Record<string, PanelAction<MapPanel>>;
