/** Actions of the list of a channel's files: loads older ones, moves, opens, saves, goes to the message. */
import type { Message } from "../../../wire/entities/message.ts";
import { openPanel } from "../../navigation/open-channel.ts";
import { panelChanged, panelPopped } from "../../screen/transitions.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { topPanelOf, type FilesPanel } from "../../screen/screen.ts";
import { showError } from "../../screen/notices.ts";
import { saveMessageFiles } from "../files/save-files.ts";
import { jumpBeside } from "../messages/jump.ts";
import { openAddress } from "../../ports/open-address.ts";
import { fileLines, type FileLine } from "./lines.ts";

/** Messages requested at once. */
const PAGE_SIZE = 30;
/** The next page is loaded when fewer lines than this are below the cursor. */
const PREFETCH_DISTANCE = 5;

type FilePorts = Pick<Ports, "core" | "store">;

export const filesPanel = ({ store }: Pick<Ports, "store">): FilesPanel | undefined =>
  topPanelOf(store.screen, "files");

export function shownFileLines({ store }: Pick<Ports, "store">, panel: FilesPanel): FileLine[] {
  const entry = store.state.channels.get(panel.cid);
  return entry ? fileLines(entry, panel.found) : [];
}

/** Loads a page of the channel's messages with attachments, newest first. */
export async function findFiles(
  core: Pick<FilePorts["core"], "call">,
  cid: string,
  next?: string,
): Promise<{ found: Message[]; next: string | undefined }> {
  const { results = [], next: more } = await core.call("search", {
    query: {
      filter_conditions: { cid },
      message_filter_conditions: { attachments: { $exists: true } },
      sort: [{ field: "created_at", direction: -1 }],
      limit: PAGE_SIZE,
      ...(next !== undefined && { next }),
    },
  });
  return { found: results.map(({ message }) => message), next: more };
}

type Change = (panel: FilesPanel) => FilesPanel;

const updatePanel = ({ store }: FilePorts, cid: string, change: Change): void =>
  store.update((s) => panelChanged(s, "files", (panel) => (panel.cid === cid ? change(panel) : panel)));

function load(ports: FilePorts, { cid, next }: FilesPanel): void {
  updatePanel(ports, cid, (panel) => ({ ...panel, loading: true, next: undefined }));
  findFiles(ports.core, cid, next).then(
    (page) =>
      updatePanel(ports, cid, ({ found, ...panel }) => ({
        ...panel,
        found: [...found, ...page.found],
        loading: false,
        next: page.next,
      })),
    (error: unknown) => {
      // The next move near the end tries this page again.
      updatePanel(ports, cid, (panel) => ({ ...panel, loading: false, next }));
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

/** Moves the cursor; near the end older files are loaded. */
export function selectFile(ports: FilePorts, to: (selected: number, length: number) => number): void {
  const panel = filesPanel(ports);
  if (!panel) return;
  const { length } = shownFileLines(ports, panel);
  const selected = Math.max(0, Math.min(length - 1, to(Math.min(panel.selected, length - 1), length)));
  updatePanel(ports, panel.cid, (current) => ({ ...current, selected }));
  if (panel.next !== undefined && selected >= length - PREFETCH_DISTANCE) load(ports, panel);
}

const withLine =
  (action: (ports: Ports, line: FileLine, panel: FilesPanel) => void): Action =>
  (ports) => {
    const panel = filesPanel(ports);
    const lines = panel ? shownFileLines(ports, panel) : [];
    const line = lines[Math.min(panel?.selected ?? 0, lines.length - 1)];
    if (panel && line) action(ports, line, panel);
  };

export const openLine = withLine((ports, { url, file }) => openAddress(ports, url, file?.name));

export const channelFilesActions = {
  channelFiles: openFiles,
  fileListOpen: openLine,
  fileListSave: withLine((ports, { file }) => saveMessageFiles(ports, file ? [file] : [])),
  fileListJump: withLine((ports, line, { cid }) => jumpBeside(ports, cid, line)),
} satisfies Record<string, Action>;
