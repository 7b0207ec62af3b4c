/** Actions that arrange the sidebar: moving channels up and down, and into sections. */
import { channelTitle, groupOf } from "../../../model/channels.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import type { Arrangement } from "../../screen/screen.ts";
import { targetChannel } from "../../screen/selectors.ts";
import { attempt, openPicker, showNotice } from "../../screen/notices.ts";
import { filterChoices } from "../../screen/filter-choices.ts";
import { channelMoved, putInSection, sectionMoved, sectionOf } from "./groups.ts";
import { groupsOf, linesOf, type SidebarLine } from "./lines.ts";

type ArrangementPorts = Pick<Ports, "core" | "store" | "settingsEditor">;

/** The arrangement saved by the last run; malformed parts are dropped. */
export function savedArrangement(saved: Partial<Arrangement> | undefined): Arrangement {
  const { order, sections } = saved ?? {};
  return {
    order: Array.isArray(order) ? order : [],
    sections: Array.isArray(sections) ? sections.filter((one) => Array.isArray(one?.cids)) : [],
  };
}

function saveArrangement({ core, store }: Pick<Ports, "core" | "store">, arrangement: Arrangement): void {
  core.keep("arrangement", arrangement);
  store.update((s) => ({ ...s, sidebar: { ...s.sidebar, arrangement } }));
}

/** The selected line while the sidebar has the focus. */
function selectedLine({ store }: Pick<Ports, "store">): SidebarLine | undefined {
  const { focus, sidebar } = store.screen;
  return focus === "sidebar" ? linesOf(store.get()).find(({ key }) => key === sidebar.cursor) : undefined;
}

/** Switches the setting `sidebar.order` to `manual`. */
function useManualOrder({ core, store, settingsEditor }: ArrangementPorts): void {
  if (store.get().look.sidebar?.order === "manual") return;
  store.restyle((look) => ({ ...look, sidebar: { ...look.sidebar, order: "manual" } }));
  const saved = settingsEditor
    .set("sidebar.order", "manual")
    .then(() => showNotice({ core }, words.sidebar.byHand, "success"));
  attempt({ core }, saved);
}

const move =
  (by: 1 | -1) =>
  (ports: Ports): void => {
    const { arrangement } = ports.store.screen.sidebar;
    const line = selectedLine(ports);
    const section = line?.kind === "group" ? sectionOf(line.group) : undefined;
    if (section !== undefined) return saveArrangement(ports, sectionMoved(arrangement, section, by));
    const entry = targetChannel(ports.store.get());
    if (!entry) return showNotice(ports, words.sidebar.chooseFirst);
    saveArrangement(ports, channelMoved(arrangement, groupsOf(ports.store.get()), entry.cid, by));
    useManualOrder(ports);
  };

/** Opens a picker for the section of the target channel. */
function chooseSection(ports: Ports): void {
  const { store } = ports;
  const entry = targetChannel(store.get());
  if (!entry) return showNotice(ports, words.sidebar.chooseFirst);
  const { sections } = store.screen.sidebar.arrangement;
  const current = sections.find(({ cids }) => cids.includes(entry.cid))?.name;
  const choose = (name: string) => () => setSection(ports, entry.cid, name);
  const existing = sections.map(({ name, cids }): Choice => ({
    label: name,
    choose: choose(name),
    detail: words.sidebar.channels(cids.length),
    ...(name === current && { mark: words.choices.current }),
  }));
  if (current !== undefined) existing.push({ label: words.sidebar.noSection, choose: choose("") });
  openPicker(ports, {
    title: words.sidebar.sectionOf(channelTitle(entry, store.state.me?.id)),
    hint: words.sidebar.typeSection,
    choices: ({ query }) => {
      const name = cleanLine(query);
      const isNew = name !== "" && sections.every((section) => section.name !== name);
      const added = { label: words.sidebar.newSection(name), choose: choose(name) };
      return [...filterChoices(existing, query), ...(isNew ? [added] : [])];
    },
  });
}

/** A pinned channel stays in the pinned group, so nothing moves: a notice explains it. */
function setSection(ports: Pick<Ports, "core" | "store">, cid: string, name: string): void {
  const { state, screen } = ports.store.get();
  saveArrangement(ports, putInSection(screen.sidebar.arrangement, cid, name === "" ? undefined : name));
  const entry = state.channels.get(cid);
  if (name !== "" && entry && groupOf(entry) === "pinned")
    showNotice(ports, words.sidebar.staysPinned(channelTitle(entry, state.me?.id), name));
}

/** `/section Work`, for the open channel; without a name opens the picker. */
export function runSectionLine(ports: Ports, rest: string): void {
  const { cid } = ports.store.screen;
  if (rest === "" || cid === undefined) return chooseSection(ports);
  setSection(ports, cid, rest === "-" ? "" : cleanLine(rest));
}

export const arrangementActions = {
  channelUp: move(-1),
  channelDown: move(1),
  section: chooseSection,
} satisfies Record<string, Action>;
