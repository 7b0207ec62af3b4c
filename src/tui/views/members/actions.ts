/** Actions of the list of a channel's members: load more of them, move, and what can be done with one. */
import { QUERY_MEMBERS_LIMIT } from "../../../wire/constants.ts";
import { openPanel } from "../../navigation/opening.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { belowTitle } from "../../screen/layout.ts";
import { panelChanged, panelPopped } from "../../screen/transitions.ts";
import { topPanelOf, type MembersPanel } from "../../screen/screen.ts";
import { showError } from "../../screen/notices.ts";
import { askAboutUser } from "../moderation/people.ts";
import { memberCursor, memberLines, type MemberLine } from "./lines.ts";

/** Lines left below the cursor when the next page is asked for. */
const AHEAD = 20;

type Needs = Pick<Ports, "core" | "store">;

export const membersPanel = ({ store }: Pick<Ports, "store">): MembersPanel | undefined =>
  topPanelOf(store.screen, "members");

/** What the list shows. */
export function shownMembers({ store }: Pick<Ports, "store">, { cid }: MembersPanel): MemberLine[] {
  const entry = store.state.channels.get(cid);
  return entry ? memberLines(entry.members) : [];
}

const change = (
  { store }: Pick<Ports, "store">,
  cid: string,
  next: (panel: MembersPanel) => MembersPanel,
): void =>
  store.update((s) => panelChanged(s, "members", (panel) => (panel.cid === cid ? next(panel) : panel)));

/** A page, which core holds beside the members that it knows. */
function load(ports: Needs, { cid, next }: MembersPanel): void {
  change(ports, cid, ({ next: _asked, ...panel }) => ({ ...panel, loading: true }));
  const limit = QUERY_MEMBERS_LIMIT[1];
  ports.core
    .members(cid)
    .page({ limit, ...(next !== undefined && { next }) })
    .then(
      ({ next: more }) =>
        change(ports, cid, (panel) => ({
          ...panel,
          loading: false,
          ...(more !== undefined && { next: more }),
        })),
      (error: unknown) => {
        change(ports, cid, (panel) => ({ ...panel, loading: false, ...(next !== undefined && { next }) }));
        showError(ports, error);
      },
    );
}

/** Opens the list; the answers tell who is there now, and what everybody is called. */
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

/** Puts the cursor on a line; near the last one more members are loaded. */
export function selectMember(ports: Needs, to: (at: number, length: number) => number): void {
  const panel = membersPanel(ports);
  if (!panel) return;
  const lines = shownMembers(ports, panel);
  const { length } = lines;
  const at = Math.max(0, Math.min(length - 1, to(memberCursor(panel, lines), length)));
  const selected = lines[at]?.id;
  if (selected !== undefined) change(ports, panel.cid, (one) => ({ ...one, selected }));
  if (panel.next !== undefined && at >= length - AHEAD) load(ports, panel);
}

const by =
  (lines: number): Action =>
  (ports) =>
    selectMember(ports, (at) => at + lines);

/** Lines in sight but one, so that something of the page before stays. */
const page =
  (direction: 1 | -1): Action =>
  (ports) => {
    const rect = ports.store.get().layout.panel;
    by(direction * Math.max(1, (rect ? belowTitle(rect).height : 2) - 2))(ports);
  };

const withMember =
  (act: (ports: Ports, id: string, cid: string) => void): Action =>
  (ports) => {
    const panel = membersPanel(ports);
    const lines = panel ? shownMembers(ports, panel) : [];
    const line = panel && lines[memberCursor(panel, lines)];
    if (line) act(ports, line.id, panel.cid);
  };

export const openMember = withMember(askAboutUser);

export const membersActions = {
  members: toggleMembers,
  memberDown: by(1),
  memberUp: by(-1),
  memberFirst: (ports) => selectMember(ports, () => 0),
  memberLast: (ports) => selectMember(ports, (_, length) => length - 1),
  memberPageDown: page(1),
  memberPageUp: page(-1),
  memberOpen: openMember,
} satisfies Record<string, Action>;
