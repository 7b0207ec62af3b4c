/** Actions of the list of a channel's members: loading more, moving the cursor, opening the menu of a person. */
import { QUERY_MEMBERS_LIMIT } from "../../../wire/constants.ts";
import { openPanel } from "../../navigation/open-channel.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { panelChanged, panelPopped } from "../../screen/transitions.ts";
import { topPanelOf, type MembersPanel } from "../../screen/screen.ts";
import { showError } from "../../screen/notices.ts";
import { openPersonMenu } from "../moderation/person-menu.ts";
import { memberCursor, memberLines, type MemberLine } from "./lines.ts";

/** The next page is loaded when fewer lines than this are below the cursor. */
const PREFETCH_DISTANCE = 20;

type MemberPorts = Pick<Ports, "core" | "store">;

export const membersPanel = ({ store }: Pick<Ports, "store">): MembersPanel | undefined =>
  topPanelOf(store.screen, "members");

export function shownMembers({ store }: Pick<Ports, "store">, { cid }: MembersPanel): MemberLine[] {
  const entry = store.state.channels.get(cid);
  return entry ? memberLines(entry.members) : [];
}

const updatePanel = ({ store }: MemberPorts, cid: string, change: Partial<MembersPanel>): void =>
  store.update((s) =>
    panelChanged(s, "members", (panel) => (panel.cid === cid ? { ...panel, ...change } : panel)),
  );

/** Loads a page; core adds it to the members that it holds. */
function load(ports: MemberPorts, { cid, next }: MembersPanel): void {
  updatePanel(ports, cid, { loading: true, next: undefined });
  const limit = QUERY_MEMBERS_LIMIT[1];
  ports.core
    .members(cid)
    .page({ limit, ...(next !== undefined && { next }) })
    .then(
      ({ next: more }) => updatePanel(ports, cid, { loading: false, next: more }),
      (error: unknown) => {
        updatePanel(ports, cid, { loading: false, next });
        showError(ports, error);
      },
    );
}

/** Opens the list, and loads its first page. */
export function openMembers(ports: Ports): void {
  const { cid } = ports.store.screen;
  if (cid === undefined) return;
  const panel: MembersPanel = { kind: "members", cid, loading: false };
  openPanel(ports, panel);
  load(ports, panel);
}

function toggleMembers(ports: Ports): void {
  if (membersPanel(ports)) ports.store.update(panelPopped);
  else openMembers(ports);
}

/** Moves the cursor; near the end more members are loaded. */
export function selectMember(ports: MemberPorts, to: (at: number, length: number) => number): void {
  const panel = membersPanel(ports);
  if (!panel) return;
  const lines = shownMembers(ports, panel);
  const { length } = lines;
  const at = Math.max(0, Math.min(length - 1, to(memberCursor(panel, lines), length)));
  const selected = lines[at]?.id;
  if (selected !== undefined) updatePanel(ports, panel.cid, { selected });
  if (panel.next !== undefined && at >= length - PREFETCH_DISTANCE) load(ports, panel);
}

const withMember =
  (action: (ports: Ports, id: string, cid: string) => void): Action =>
  (ports) => {
    const panel = membersPanel(ports);
    const lines = panel ? shownMembers(ports, panel) : [];
    const line = panel && lines[memberCursor(panel, lines)];
    if (line) action(ports, line.id, panel.cid);
  };

export const openMember = withMember(openPersonMenu);

export const membersActions = {
  members: toggleMembers,
  memberOpen: openMember,
} satisfies Record<string, Action>;
