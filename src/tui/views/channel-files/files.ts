/** The files, pictures and links of a channel in the panel, two rows for each. */
import { wholeDate } from "../../../text/times.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { listPane, type ChannelListState, type RowLook } from "../../components/list-pane.tsx";
import { openAddress } from "../../ports/open-address.ts";
import type { Theme } from "../../render/theme.ts";
import { saveMessageFiles } from "../files/save-files.ts";
import { jumpBeside } from "../messages/jump.ts";
import { fileLines, findFiles, notIn, type FileLine } from "./lines.ts";

interface FilesPanel extends ChannelListState {
  /** Messages found in addition to the loaded ones. */
  readonly found: readonly Message[];
}

/** Name and facts in exactly `width` cells; the name is truncated first. */
function nameRow(line: FileLine, width: number, theme: Theme): string {
  const facts = truncate(line.facts, Math.floor(width / 2));
  const room = width - cellWidth(facts) - 2;
  const name = truncate(line.name, Math.max(1, room));
  return `${theme.link(name)}${" ".repeat(Math.max(0, room - cellWidth(name)))}  ${theme.dim(facts)}`;
}

/** Name and facts, and below them who sent it and when. */
export function fileRows(line: FileLine, { theme, width, utc }: RowLook): string[] {
  const inner = width - 2;
  const about = truncate(`  ${line.from} · ${wholeDate(line.at, { utc })}`, inner);
  return [` ${nameRow(line, inner, theme)} `, ` ${theme.dim(padEnd(about, inner))} `];
}

const NONE: readonly FileLine[] = [];

export const filesPane = listPane<FileLine, FilesPanel>({
  name: "files",
  section: "In the list of files",
  title: words.panels.files,
  show: {
    title: "Files of this channel",
    keywords: "attachments links media uploads downloads",
    former: "channelFiles",
  },
  open: (cid) => ({ name: "files", key: cid, cid, found: [] }),
  items({ state }, { cid, found }) {
    const entry = state.channels.get(cid);
    return entry ? fileLines(entry, found) : NONE;
  },
  keyOf: ({ id, url }) => `${id} ${url}`,
  rowsPerItem: 2,
  rows: fileRows,
  footer: (_, { loading }, { length }) =>
    loading ? words.message.loading : length === 0 ? words.files.noneHere : undefined,
  async load({ core }, { cid, next }) {
    const page = await findFiles(core, cid, next);
    return {
      next: page.next,
      change: (panel) => ({ ...panel, found: [...panel.found, ...notIn(panel.found, page.found)] }),
    };
  },
  copies: "found",
  choose: {
    title: "Open the file or link",
    hint: "open",
    former: "fileListOpen",
    letter: "outside",
    run: (ports, { url, file }) => openAddress(ports, url, file?.name),
  },
  actions: {
    save: {
      title: "Save the file",
      hint: "save",
      former: "fileListSave",
      letter: "outside",
      keys: ["O"],
      appliesTo: ({ file }) => file !== undefined,
      run: (ports, { file }) => saveMessageFiles(ports, file ? [file] : []),
    },
    jump: {
      title: "Go to its message",
      hint: "message",
      former: "fileListJump",
      keys: ["m"],
      run: (ports, line, { cid }) => jumpBeside(ports, cid, line),
    },
  },
});
