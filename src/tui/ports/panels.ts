/** The registry of panels. A panel is one folder, which says what it shows, its actions and its keys; `views/panels.ts` names it. */
import type { ComponentType } from "react";
import { copiesAfter } from "../../model/cache-events.ts";
import { channelTitle } from "../../model/channels.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { addActions, type ActionRow, type KeyContext } from "../keys/action-table.ts";
import type { Binding, KeyMap, FullProfile } from "../keys/lookup.ts";
import { navigationKeys, panelLineKeys } from "../keys/navigation-keys.ts";
import type { EditorState } from "../editor/state.ts";
import type { Rect } from "../screen/layout.ts";
import { topPanel, type Panel, type Screen } from "../screen/screen.ts";
import type { Reads } from "../screen/store.ts";
import type { Action, Ports } from "./ports.ts";

type Words = Pick<ActionRow, "title" | "hint" | "keywords" | "letter" | "former" | "changes">;

/** The slices that a panel is made from. */
export const PANEL_SLICES = ["state", "lists", "now", "look", "cid", "panels", "drafts", "search"] as const;

export type PanelInput = Reads<(typeof PANEL_SLICES)[number]>;

/** The slices that its title is made from, which may name what is visible beside it. */
export const TITLE_SLICES = ["layout", ...PANEL_SLICES] as const;

type TitleInput = Reads<(typeof TITLE_SLICES)[number]>;

/** The slices that the rows of messages and their place are made from. */
export type ShownInput = PanelInput & Reads<"messageDisplay" | "columns" | "rows" | "views" | "focus">;

/** An action on the panel, offered while it has the focus. */
export interface PanelAction<P extends Panel> extends Words {
  /** Chords, or sequences of them; `vim` and `emacs` have more in these profiles. */
  keys: readonly string[];
  vim?: readonly string[];
  emacs?: readonly string[];
  /** Whether it has an effect now, so that its key is hinted. */
  applies?(model: PanelInput, panel: P, me: string | undefined): boolean;
  run(ports: Ports, panel: P): void;
}

/** An action of the screen that is hinted after the panel's own. */
export interface PanelHint<P extends Panel> {
  action: Binding;
  /** Instead of the action's own words. */
  hint?: string;
  applies?: PanelAction<P>["applies"];
}

/** A line of text in a panel: while that has the focus, letters are typed there. */
interface PanelLine {
  editor(ports: Ports): EditorState;
  change(ports: Ports, editor: EditorState): void;
  /** The place of the text cursor from the upper left corner of the body. */
  caret(model: PanelInput, body: Rect): { x: number; y: number };
}

export interface PanelDefinition<P extends Panel> {
  name: string;
  /** The place of its keys in key files, if not its name: one of the screen, or one that panels share. */
  place?: KeyContext;
  /** The heading of its keys in help: `On the map`; absent if the place is one of the screen. */
  section?: string;
  /** In the status row, if not its name in capitals. */
  mode?: string;
  title(model: TitleInput, panel: P, me: string | undefined): string;
  /** What it covers, named before the title. */
  crumb?(model: TitleInput, panel: P): string;
  /** Of a list: where its cursor is, as in `3 of 25`; of a text that scrolls: what is in sight, as in `1–10 of 25`; in the title. */
  position?(model: TitleInput, panel: P, ports: Pick<Ports, "feeds">): string;
  /** What is below the title. */
  Body: ComponentType<{ panel: P; rect: Rect }>;
  /** The action that opens it from anywhere; the palette has it. */
  show?: Words & { run: Action };
  actions: Readonly<Record<string, PanelAction<P>>>;
  /** Keys of actions of the whole screen, besides those for writing and help. */
  keys?: KeyMap;
  hints?: readonly PanelHint<P>[];
  /** It is about no channel: it stays open beside another one. */
  acrossChannels?: true;
  /** The message under its cursor, for actions on messages. */
  messageId?(model: PanelInput, panel: P): string | undefined;
  /** A list: moves by lines, and the lines of a page in a body of this height. */
  list?: { move(ports: Ports, panel: P, by: number): void; page(height: number): number };
  line?: PanelLine;
  /** `at` from the upper left corner of the body. */
  click?(ports: Ports, panel: P, at: { x: number; y: number }, body: Rect): void;
  /** The right button; false if nothing of its own is there, which opens the menu of the message. */
  secondary?(ports: Ports, panel: P, at: { x: number; y: number }): boolean;
  wheel?(ports: Ports, panel: P, rows: number): void;
  /** Whether that many rows of notices at the bottom of its body hide nothing that should be seen; by default they do not. */
  fitsBelow?(ports: Pick<Ports, "feeds">, panel: P, model: ShownInput, body: Rect, rows: number): boolean;
  /** The field with messages of an answer; events change and remove them, as those in the state. */
  copies?: keyof P & string;
  /** What it asks for each second while it is on top. */
  poll?: { isDue(panel: P): boolean; run: Action };
  /** It shows times that pass: drawn again each second. */
  ticks?: true;
  /** Opens it again at the next start. */
  restore?(ports: Ports): void;
}

export type AnyPanel = PanelDefinition<Panel>;

/** Where its keys are looked up. */
export const keyPlaceOf = ({ name, place }: AnyPanel): KeyContext => place ?? name;

const panels = new Map<string, AnyPanel>();
const handlers = new Map<string, Action>();

const NO_KEYS = { default: {}, vim: {}, emacs: {} };

/** The keys of a panel in a profile. */
function keysOf(panel: AnyPanel, profile: FullProfile): KeyMap {
  const { actions, keys, list, line } = panel;
  const place = keyPlaceOf(panel);
  const own = Object.entries(actions).flatMap(([name, action]) =>
    [...action.keys, ...((profile !== "default" && action[profile]) || [])].map((chord) => [
      chord,
      `${place}.${name}` as Binding,
    ]),
  );
  return {
    ...(line ? panelLineKeys : list ? navigationKeys : NO_KEYS)[profile],
    ...(Object.fromEntries(own) as KeyMap),
    ...keys,
    ...(!line && { i: "write", "?": "help" }),
  };
}

/** Joins a panel to all that lists panels: its actions, keys, help, hints, mouse and drawing. Returns how to remove it, the last one first. */
export function registerPanel<P extends Panel>(definition: PanelDefinition<P>): () => void {
  const panel = definition as unknown as AnyPanel;
  const place = keyPlaceOf(panel);
  const own: Record<string, ActionRow> = {};
  if (panel.show) {
    const { run, ...words } = panel.show;
    own[`${panel.name}.show`] = { ...words, contexts: ["global"] };
    handlers.set(`${panel.name}.show`, run);
  }
  for (const [name, { title, hint, keywords, letter, former, changes }] of Object.entries(panel.actions)) {
    const words = { title, hint, keywords, letter, former, changes } as ActionRow;
    own[`${place}.${name}`] = { ...words, contexts: [place], keyOnly: true };
    handlers.set(`${place}.${name}`, (ports) => {
      const open = openPanelIn(ports.store.screen);
      if (open && keyPlaceOf(open.of) === place) open.of.actions[name]?.run(ports, open.panel);
    });
  }
  panels.set(panel.name, panel);
  const profiles = panel.section === undefined ? [] : (["default", "vim", "emacs"] as const);
  const bound = profiles.flatMap((one) => Object.values(keysOf(panel, one)));
  const removeActions = addActions(place, own, new Set(bound));
  return () => {
    removeActions();
    panels.delete(panel.name);
    for (const name of Object.keys(own)) handlers.delete(name);
  };
}

export const panelDefinitions = (): AnyPanel[] => [...panels.values()];
/** Those with keys of their own. */
const panelsWithKeys = (): AnyPanel[] => panelDefinitions().filter(({ section }) => section !== undefined);

/** The headings of their keys, by place. */
export const panelSections = (): Record<string, string> =>
  Object.fromEntries(panelsWithKeys().map((panel) => [keyPlaceOf(panel), panel.section!]));

/** The action of a panel with this name, and its words for the hint row. */
export const panelAction = (of: AnyPanel, name: string): PanelAction<Panel> | undefined =>
  name.startsWith(`${keyPlaceOf(of)}.`) ? of.actions[name.slice(keyPlaceOf(of).length + 1)] : undefined;
export const panelHandler = (action: string): Action | undefined => handlers.get(action);

/** The keys of all panels in a profile, by name. */
export const panelKeys = (profile: FullProfile): Record<string, KeyMap> =>
  Object.fromEntries(panelsWithKeys().map((panel) => [keyPlaceOf(panel), keysOf(panel, profile)]));

/** Whether it stays open beside another channel. */
export const staysAcross = ({ name }: Panel): boolean => panels.get(name)?.acrossChannels === true;

/** The screen after an event about messages of which a panel has copies. */
export function panelsAfter(screen: Screen, event: AnyEvent, me: string | undefined): Screen {
  const after = (panel: Panel): Panel => {
    const copies = panels.get(panel.name)?.copies;
    if (!copies) return panel;
    const before = (panel as unknown as Record<string, readonly Message[]>)[copies]!;
    const now = copiesAfter(before, event, me);
    return now === before ? panel : { ...panel, [copies]: now };
  };
  const next = screen.panels.map(after);
  return next.every((panel, i) => panel === screen.panels[i]) ? screen : { ...screen, panels: next };
}

/** The open panel and its definition, if it is a folder of its own. */
export function openPanelIn(screen: Pick<Screen, "panels">): { panel: Panel; of: AnyPanel } | undefined {
  const panel = topPanel(screen);
  const of = panel && panels.get(panel.name);
  return of && { panel: panel as Panel, of };
}

/** The same while it has the focus. */
export const focusedPanel = (
  screen: Pick<Screen, "focus" | "popups" | "panels">,
): ReturnType<typeof openPanelIn> =>
  screen.focus === "panel" && screen.popups.length === 0 ? openPanelIn(screen) : undefined;

/** Asks for what the open panel shows, if it has to now. */
export function panelPoll(screen: Pick<Screen, "panels">): Action | undefined {
  const { panel, of } = openPanelIn(screen) ?? {};
  return panel && of?.poll?.isDue(panel) ? of.poll.run : undefined;
}

/** `Members · #general` */
export function titleInChannel(
  { state }: Pick<PanelInput, "state">,
  title: string,
  cid: string,
  me: string | undefined,
): string {
  const entry = state.channels.get(cid);
  return `${title} · ${entry ? channelTitle(entry, me) : ""}`;
}
