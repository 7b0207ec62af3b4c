/** Actions of the list of a channel's files: load older ones, move, open, save, go to the message. */
import { belowTitle } from "../../screen/layout.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { openPanel } from "../../navigation/opening.ts";
import { panelChanged, panelPopped } from "../../screen/transitions.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { topPanelOf, type FilesPanel } from "../../screen/screen.ts";
import { showError } from "../../screen/notices.ts";
import { saveOf } from "../files/saving.ts";
import { jumpBeside } from "../messages/jump.ts";
import { openAddress } from "../../ports/open-address.ts";
import { fileLines, type FileLine } from "./lines.ts";

/** Messages a page, and lines left below the cursor when the next page is asked for. */
const PAGE = 30;
const AHEAD = 5;

type Needs = Pick<Ports, "core" | "store">;

export const filesPanel = ({ store }: Pick<Ports, "store">): FilesPanel | undefined =>
  topPanelOf(store.screen, "files");

/** What the list shows. */
export function shownFileLines({ store }: Pick<Ports, "store">, panel: FilesPanel): FileLine[] {
  const entry = store.state.channels.get(panel.cid);
  return entry ? fileLines(entry, panel.found) : [];
}

/** Messages of the channel with attachments, older than what `next` stands behind. */
export async function findFiles(
  core: Pick<Needs["core"], "call">,
  cid: string,
  next?: string,
): Promise<{ found: Message[]; next?: string }> {
  const { results = [], next: more } = await core.call("search", {
    query: {
      filter_conditions: { cid },
      message_filter_conditions: { attachments: { $exists: true } },
      sort: [{ field: "created_at", direction: -1 }],
      limit: PAGE,
      ...(next !== undefined && { next }),
    },
  });
  return { found: results.map(({ message }) => message), ...(more !== undefined && { next: more }) };
}

const change = (
  { store }: Pick<Ports, "store">,
  cid: string,
  next: (panel: FilesPanel) => FilesPanel,
): void =>
  store.update((s) => panelChanged(s, "files", (panel) => (panel.cid === cid ? next(panel) : panel)));

function load(ports: Needs, { cid, next }: FilesPanel): void {
  change(ports, cid, ({ next: _asked, ...panel }) => ({ ...panel, loading: true }));
  findFiles(ports.core, cid, next).then(
    ({ found, next: more }) =>
      change(ports, cid, (panel) => ({
        ...panel,
        found: [...panel.found, ...found],
        loading: false,
        ...(more !== undefined && { next: more }),
      })),
    (error: unknown) => {
      change(ports, cid, (panel) => ({ ...panel, loading: false }));
      showError(ports, error);
    },
  );
}

export function openFiles(ports: Ports): void {
  const { cid } = ports.store.screen;
  if (cid === undefined) return;
  if (filesPanel(ports)) return ports.store.update(panelPopped);
  const panel: FilesPanel = { kind: "files", cid, found: [], loading: false, selected: 0 };
  openPanel(ports, panel);
  load(ports, panel);
}

/** Puts the cursor on a line; near the last one older files are looked up. */
export function selectFile(ports: Needs, to: (selected: number, length: number) => number): void {
  const panel = filesPanel(ports);
  if (!panel) return;
  const { length } = shownFileLines(ports, panel);
  const selected = Math.max(0, Math.min(length - 1, to(Math.min(panel.selected, length - 1), length)));
  change(ports, panel.cid, (one) => ({ ...one, selected }));
  if (panel.next !== undefined && selected >= length - AHEAD) load(ports, panel);
}

const by =
  (lines: number): Action =>
  (ports) =>
    selectFile(ports, (selected) => selected + lines);

/** Lines in sight but one, so that something of the page before stays. */
const page =
  (direction: 1 | -1): Action =>
  (ports) => {
    const rect = ports.store.get().layout.panel;
    by(direction * Math.max(1, Math.floor((rect ? belowTitle(rect).height : 2) / 2) - 1))(ports);
  };

const withLine =
  (act: (ports: Ports, line: FileLine, panel: FilesPanel) => void): Action =>
  (ports) => {
    const panel = filesPanel(ports);
    const lines = panel ? shownFileLines(ports, panel) : [];
    const line = lines[Math.min(panel?.selected ?? 0, lines.length - 1)];
    if (panel && line) act(ports, line, panel);
  };

export const openLine = withLine((ports, { url, file }) => openAddress(ports, url, file?.name));

export const channelFilesActions = {
  channelFiles: openFiles,
  fileListDown: by(1),
  fileListUp: by(-1),
  fileListFirst: (ports) => selectFile(ports, () => 0),
  fileListLast: (ports) => selectFile(ports, (_, length) => length - 1),
  fileListPageDown: page(1),
  fileListPageUp: page(-1),
  fileListOpen: openLine,
  fileListSave: withLine((ports, { file }) => saveOf(ports, file ? [file] : [])),
  fileListJump: withLine((ports, line, { cid }) => jumpBeside(ports, cid, line)),
} satisfies Record<string, Action>;
