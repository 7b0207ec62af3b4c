/** The lists of the user, and what the sidebar and the effects need of them. */
import type { Ports } from "../../ports/ports.ts";
import { openPanelIn, type PanelInput } from "../../ports/panels.ts";
import { topPanel } from "../../screen/screen.ts";
import type { Reads } from "../../screen/store.ts";
import { draftList } from "./drafts.ts";
import { inbox } from "./inbox.ts";
import { later } from "./later.ts";
import { pins } from "./pins.ts";
import { threads } from "./threads.ts";
import type { EntryInput, UserList } from "./user-list.ts";

/** Those of the sidebar. */
const sidebarLists = { inbox, threads, later, drafts: draftList };

export const userLists = { ...sidebarLists, pins };
export type ListName = keyof typeof userLists;

export type ListCounts = Readonly<Record<keyof typeof sidebarLists, number>>;

/** The count of each list, for the sidebar: waiting channels, unread threads, due reminders, drafts. */
export const listCounts = (input: EntryInput): ListCounts => ({
  inbox: inbox.count(input),
  threads: threads.count(input),
  later: later.count(input),
  drafts: draftList.count(input),
});

/** The list that is shown in the place of the channel: it has the keys, or covers the messages. */
export function openView({ screen, layout }: Reads<"panels" | "focus" | "layout">): ListName | undefined {
  const name = topPanel(screen)?.name;
  if (name === undefined || !Object.hasOwn(sidebarLists, name)) return undefined;
  return screen.focus === "panel" || !layout.beside ? (name as ListName) : undefined;
}

/** Runs after every change: loads threads that have news but are not held, and the next page of the list in the panel. */
export function loadMore(ports: Pick<Ports, "core">, model: PanelInput): void {
  const { unseen, loading, error } = model.lists.threads;
  if (unseen.length > 0 && !loading && error === undefined) return threads.load(ports);
  const { panel } = openPanelIn(model.screen) ?? {};
  if (panel) (userLists as Partial<Record<string, UserList>>)[panel.name]?.loadMore(ports, model, panel);
}
