/** The registry of panels. A panel is one folder, which says what it shows, its actions and its keys; `views/panels.ts` names it. */
import type { ComponentType } from "react";
import { copiesAfter } from "../../model/cache-events.ts";
import { channelTitle } from "../../model/channels.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { addActions, type ActionRow, type KeyContext, type ScreenContext } from "../keys/action-table.ts";
import type { Binding, KeyMap, KeyProfile } from "../keys/lookup.ts";
import { navigationKeys } from "../keys/navigation-keys.ts";
import type { Rect } from "../screen/layout.ts";
import { topPanel, topPanelOf, type OwnPanel, type Panel, type Screen } from "../screen/screen.ts";
import type { Model, Reads } from "../screen/store.ts";
import type { Action, Ports } from "./ports.ts";

type Words = Pick<ActionRow, "title" | "hint" | "keywords" | "letter" | "former">;

/** An action on the panel, offered while it has the focus. */
export interface PanelAction<P extends OwnPanel> extends Words {
  /** Chords, or sequences of them; `emacs` has more in that profile. */
  keys: readonly string[];
  emacs?: readonly string[];
  /** Whether it has an effect now, so that its key is hinted. */
  applies?(model: Pick<Model, "state" | "look">, panel: P, me: string | undefined): boolean;
  run(ports: Ports, panel: P): void;
}

/** The slices that the title of a panel is made from. */
export const TITLE_SLICES = ["state", "lists", "layout", "cid"] as const;

type TitleInput = Reads<(typeof TITLE_SLICES)[number]>;

/** The slices that the rows of messages and their place are made from. */
export type ShownInput = Reads<
  "state" | "lists" | "now" | "look" | "messageDisplay" | "columns" | "rows" | "views" | "focus"
>;

export interface PanelDefinition<P extends OwnPanel> {
  /** Also the place of its keys in key files, unless that is another one. */
  name: string;
  /** A place of the screen, whose keys act here too. */
  place?: ScreenContext;
  /** The heading of its own keys in help: `On the map`. */
  section?: string;
  /** In the status row, if not its name in capitals. */
  mode?: string;
  title(model: TitleInput, panel: P, me: string | undefined): string;
  /** What it covers, named before the title. */
  crumb?(model: TitleInput, panel: P): string;
  /** What is below the title. */
  Body: ComponentType<{ panel: P; rect: Rect }>;
  /** The action that opens it from anywhere; the palette has it. */
  show?: Words & { run: Action };
  actions: Readonly<Record<string, PanelAction<P>>>;
  /** Keys of actions of the whole screen, besides those for writing and help. */
  keys?: KeyMap;
  /** Such actions that are hinted, after its own. */
  hints?: readonly Binding[];
  /** A list: moves by lines, and the lines of a page in a body of this height. */
  list?: { move(ports: Ports, panel: P, by: number): void; page(height: number): number };
  /** `at` from the upper left corner of the body. */
  click?(ports: Ports, panel: P, at: { x: number; y: number }, body: Rect): void;
  /** The right button; false if nothing of its own is there, which opens the menu of the message. */
  secondary?(ports: Ports, panel: P, at: { x: number; y: number }): boolean;
  wheel?(ports: Ports, panel: P, rows: number): void;
  /** Whether that many rows of notices at the bottom of its body hide nothing that should be seen; by default they do not. */
  fitsBelow?(ports: Pick<Ports, "feeds">, panel: P, model: ShownInput, body: Rect, rows: number): boolean;
  /** The field with messages of an answer; events change and remove them, as those in the state. */
  copies?: keyof P & string;
  /** It shows times that pass: drawn again each second. */
  ticks?: true;
  /** Opens it again at the next start. */
  restore?(ports: Ports): void;
}

export type AnyPanel = PanelDefinition<OwnPanel>;

/** Where its keys are looked up. */
export const keyPlaceOf = ({ name, place }: AnyPanel): KeyContext => place ?? name;

const panels = new Map<string, AnyPanel>();
const handlers = new Map<string, Action>();

/** The keys of a panel in a profile. */
function keysOf({ name: panel, actions, keys, list }: AnyPanel, profile: KeyProfile): KeyMap {
  const own = Object.entries(actions).flatMap(([name, { keys: chords, emacs = [] }]) =>
    [...chords, ...(profile === "emacs" ? emacs : [])].map((chord) => [chord, `${panel}.${name}` as Binding]),
  );
  return {
    ...(list && navigationKeys[profile]),
    ...(Object.fromEntries(own) as KeyMap),
    ...keys,
    i: "write",
    "?": "help",
  };
}

/** Joins a panel to all that lists panels: its actions, keys, help, hints, mouse and drawing. Returns how to remove it, the last one first. */
export function registerPanel<P extends OwnPanel>(definition: PanelDefinition<P>): () => void {
  const panel = definition as unknown as AnyPanel;
  const place = panel.name;
  const own: Record<string, ActionRow> = {};
  if (panel.show) {
    const { run, ...words } = panel.show;
    own[`${place}.show`] = { ...words, contexts: ["global"] };
    handlers.set(`${place}.show`, run);
  }
  for (const [name, { keys: _, emacs: _emacs, applies: _applies, run, ...words }] of Object.entries(
    panel.actions,
  )) {
    own[`${place}.${name}`] = { ...words, contexts: [place], keyOnly: true };
    handlers.set(`${place}.${name}`, (ports) => {
      const top = topPanelOf(ports.store.screen, place);
      if (top) run(ports, top);
    });
  }
  panels.set(place, panel);
  const bound = panel.place
    ? []
    : (["default", "vim", "emacs"] as const).flatMap((one) => Object.values(keysOf(panel, one)));
  const removeActions = addActions(place, own, new Set(bound));
  return () => {
    removeActions();
    panels.delete(place);
    for (const name of Object.keys(own)) handlers.delete(name);
  };
}

export const panelDefinitions = (): AnyPanel[] => [...panels.values()];
/** Those with keys of their own. */
export const panelsWithKeys = (): AnyPanel[] => panelDefinitions().filter(({ place }) => place === undefined);
export const panelHandler = (action: string): Action | undefined => handlers.get(action);

/** The keys of all panels in a profile, by name. */
export const panelKeys = (profile: KeyProfile): Record<string, KeyMap> =>
  Object.fromEntries(panelsWithKeys().map((panel) => [panel.name, keysOf(panel, profile)]));

/** The screen after an event about messages of which a panel has copies. */
export function panelsAfter(screen: Screen, event: AnyEvent, me: string | undefined): Screen {
  const after = (panel: Panel): Panel => {
    const copies = panel.kind === "own" && panels.get(panel.name)?.copies;
    if (!copies) return panel;
    const before = (panel as unknown as Record<string, readonly Message[]>)[copies]!;
    const now = copiesAfter(before, event, me);
    return now === before ? panel : { ...panel, [copies]: now };
  };
  const next = screen.panels.map(after);
  return next.every((panel, i) => panel === screen.panels[i]) ? screen : { ...screen, panels: next };
}

/** The open panel and its definition, if it is a folder of its own. */
export function openPanelIn(screen: Pick<Screen, "panels">): { panel: OwnPanel; of: AnyPanel } | undefined {
  const panel = topPanel(screen);
  const of = panel?.kind === "own" ? panels.get(panel.name) : undefined;
  return of && { panel: panel as OwnPanel, of };
}

/** The same while it has the focus. */
export const focusedPanel = (
  screen: Pick<Screen, "focus" | "popups" | "panels">,
): ReturnType<typeof openPanelIn> =>
  screen.focus === "panel" && screen.popups.length === 0 ? openPanelIn(screen) : undefined;

/** `Members · #general` */
export function titleInChannel(
  { state }: Pick<Model, "state">,
  title: string,
  cid: string,
  me: string | undefined,
): string {
  const entry = state.channels.get(cid);
  return `${title} · ${entry ? channelTitle(entry, me) : ""}`;
}
