/** Finds what the files of a Slack export are: lists, folders of messages, uploads; below any top folder, for a workspace or a grid of them. */
import type { ExportFile } from "../base/zip.ts";

export const USER_LISTS = ["users.json", "org_users.json"] as const;
/** Lists of conversations; a full export has all of them. */
export const CHANNEL_LISTS = ["channels.json", "groups.json", "dms.json", "mpims.json"] as const;
export type SlackListName = (typeof USER_LISTS)[number] | (typeof CHANNEL_LISTS)[number];
const LISTS: ReadonlySet<string> = new Set([...USER_LISTS, ...CHANNEL_LISTS]);

const DAY = /^\d{4}-\d{2}-\d{2}[^/]*\.json$/;
/** Content of uploads: `__uploads/<id>/<name>`, `attachments/<id>-<name>` in the folder of a channel, or the older `attachments/<id>/<name>`. */
const UPLOAD = /(?:^|\/)(?:__uploads\/([^/]+)\/[^/]+|attachments\/([A-Z][A-Z0-9]+)[-/][^/]+)$/;

interface SlackList {
  name: SlackListName;
  /** The workspace of the list. */
  root: string;
  file: ExportFile;
}

export interface SlackFolder {
  /** The workspace of the folder: a path, empty or ending in `/`. */
  root: string;
  name: string;
  /** Files of messages in their order. */
  files: ExportFile[];
}

export interface SlackLayout {
  lists: SlackList[];
  folders: SlackFolder[];
  /** File id → content. */
  uploads: Map<string, ExportFile>;
  /** Files that are none of these. */
  others: ExportFile[];
}

const lastOf = (name: string): string => name.slice(name.lastIndexOf("/") + 1);
const above = (name: string): string => name.slice(0, name.lastIndexOf("/") + 1);

/** The folder that the export begins in: of its highest list, or else of its highest folder of days. */
function topOf(files: readonly ExportFile[]): string {
  const level = (root: string): number => root.split("/").length;
  const highest = (roots: string[]): string | undefined =>
    roots.toSorted((a, b) => level(a) - level(b) || (a < b ? -1 : 1))[0];
  const own = files.map(({ name }) => name).filter((name) => !UPLOAD.test(name));
  const days = own.filter((name) => DAY.test(lastOf(name)) && name.includes("/"));
  return (
    highest(own.filter((name) => LISTS.has(lastOf(name))).map(above)) ??
    highest(days.map((name) => above(above(name).slice(0, -1)))) ??
    ""
  );
}

export function layoutOf(files: readonly ExportFile[]): SlackLayout {
  const top = topOf(files);
  const layout: SlackLayout = { lists: [], folders: [], uploads: new Map(), others: [] };
  const folders = new Map<string, SlackFolder>();
  for (const file of files) {
    const upload = UPLOAD.exec(file.name);
    const id = upload?.[1] ?? upload?.[2];
    if (id !== undefined) {
      layout.uploads.set(id, file);
      continue;
    }
    if (!file.name.startsWith(top)) {
      layout.others.push(file);
      continue;
    }
    const [workspace = ""] = /^teams\/[^/]+\//.exec(file.name.slice(top.length)) ?? [];
    const root = top + workspace;
    const rest = file.name.slice(root.length);
    const folder = rest.slice(0, Math.max(rest.indexOf("/"), 0));
    if (LISTS.has(rest)) layout.lists.push({ name: rest as SlackListName, root, file });
    else if (folder === "" || folder.startsWith("__") || !rest.endsWith(".json")) layout.others.push(file);
    else {
      const known = folders.get(root + folder) ?? { root, name: folder, files: [] };
      folders.set(root + folder, known);
      known.files.push(file);
    }
  }
  layout.folders = [...folders.values()];
  return layout;
}
