/** The status line at the bottom. */
import { memo, useMemo } from "react";
import { useLook, useModel, useModelParts, usePorts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import type { Rect } from "../../screen/layout.ts";
import { isSplit } from "../../screen/halves.ts";
import { isVimNormal, isFiltering, composerPlace, topPanel, boxOf } from "../../screen/screen.ts";
import { topPopup } from "../../screen/popup.ts";
import { openEntry, selectedRange, selectedIn } from "../../screen/selectors.ts";
import type { ActionName } from "../../keys/action-table.ts";
import type { KeyTable } from "../../keys/lookup.ts";
import type { Reads } from "../../screen/store.ts";
import { duration } from "../../../text/times.ts";
import { openView } from "../lists/lists.ts";
import { quietUntil } from "../preferences/do-not-disturb.ts";
import { sharingWords } from "../map/share-location.ts";
import { titleOf } from "./header-row.ts";
import { inactiveActions, RULE_SLICES } from "./inactive-actions.ts";
import type { Ports } from "../../ports/ports.ts";
import { focusedPanel } from "../../ports/panels.ts";
import { statusRow, type StatusProps } from "./status-row.ts";
import { useLink } from "./use-link.ts";

/** The slices of the status line but for the composer, whose text changes with each letter. */
const SLICES = [
  "quiet",
  "vim",
  "jumps",
  "typed",
  "pendingKey",
  "completion",
  "hints",
  "range",
  "quitArmed",
  "saves",
  "takeBacks",
  "running",
  "other",
  ...RULE_SLICES,
] as const;

type Input = Reads<(typeof SLICES)[number]>;
type ScreenInput = Input["screen"];

/** What the status line says of the composer. */
function boxIn({ screen }: Reads<"composers" | "cid" | "panels">) {
  const { carried, uploads, editing, editor, previews } = boxOf(screen);
  const hasFailed = uploads.some(({ state }) => state === "failed");
  return {
    isEdit: editing !== undefined,
    hasText: editor.text !== "",
    canUndo: editor.undo.length > 0,
    canPut: editor.kills.length > 0,
    hasLinks: previews.length > 0,
    files: hasFailed ? "failed" : carried.length + uploads.length > 0 ? "some" : undefined,
  } as const;
}
type Box = ReturnType<typeof boxIn>;

/** The time left of do-not-disturb, rounded up to minutes. */
function quietWords({ state, screen, now }: Input): string | undefined {
  const until = quietUntil(state, screen, now);
  return until === undefined ? undefined : duration(Math.ceil((until - now) / 60_000) * 60_000);
}

function modeOf(screen: ScreenInput, { isEdit }: Box): StatusProps["mode"] {
  if (screen.popups.length) return "CHOOSE";
  if (isVimNormal(screen)) return screen.vim?.visual ? "VISUAL" : "NORMAL";
  if (screen.focus === "composer") return isEdit ? "EDIT" : "WRITE";
  if (screen.focus === "sidebar") return "LIST";
  const { of } = focusedPanel(screen) ?? {};
  return of ? (of.mode ?? of.name.toUpperCase()) : "BROWSE";
}

/** What the undo key takes back; undefined if it would undo text in the composer first. */
const takeBackIn = ({ focus, takeBacks }: ScreenInput, { canUndo }: Box): string | undefined =>
  focus === "composer" && canUndo ? undefined : takeBacks.at(-1)?.what;

const FOUND_AND_BACK = ["nextFound", "jumpBack"] as const;
const BACK = ["jumpBack"] as const;

/** The jump actions to hint; constants, so that equal values are the same object. */
const jumpActionsIn = ({ jumps, search }: ScreenInput): StatusProps["jumpActions"] =>
  jumps.length === 0 ? undefined : search.found.results.length > 1 ? FOUND_AND_BACK : BACK;

/** The letter that waits for its second press: the letters themselves, which are the same object while it waits. */
const askedIn = ({ typed }: ScreenInput): StatusProps["asked"] =>
  typed?.state === "asked" && typed.binding !== undefined ? (typed as StatusProps["asked"]) : undefined;

/** The props of the status row from the model; theme, keys and link are added by the component. */
function statusOf(model: Input, box: Box, keys: KeyTable, me: string | undefined) {
  const { screen, state, lists, now } = model;
  const mode = modeOf(screen, box);
  return {
    mode,
    outbox: state.outbox,
    quiet: quietWords(model),
    storage: state.storage,
    selected: mode === "BROWSE" ? selectedIn(model) : undefined,
    // As a string, so that equal values compare equal.
    inactive: inactiveActions(mode, { model, box, keys, me }).join(" "),
    typing: isFiltering(screen),
    pendingKey: screen.pendingKey,
    asked: askedIn(screen),
    completing: screen.focus === "composer" && Boolean(screen.completion?.items.length),
    escEntersNormal: Object.keys(keys.normal).length > 0 && box.hasText,
    vimKeys: screen.vim?.keys,
    typedHint: screen.hints?.typed,
    range: selectedRange(model)?.length,
    quitArmed: screen.quitArmed,
    popup: topPopup(screen),
    halves: screen.other !== undefined && isSplit(screen),
    thread: composerPlace(screen)?.parentId !== undefined,
    files: box.files,
    hasLinks: box.hasLinks,
    saving: Object.values(screen.saves).at(-1),
    panel: topPanel(screen) !== undefined,
    focused: focusedPanel(screen)?.of,
    takeBack: takeBackIn(screen, box),
    running: screen.running?.name,
    jumpActions: jumpActionsIn(screen),
    ...sharingWords(lists.locations, now),
  };
}

interface Props {
  rect: Rect;
  /** Whether Enter runs the line in the box, whatever list is shown. */
  enterRuns: (ports: Ports) => boolean;
}

export const Status = memo(({ rect, enterRuns }: Props) => {
  const ports = usePorts();
  const { core, keys } = ports;
  const { theme, readOnly = false, sound } = useLook();
  const link = useLink();
  const box = useModelParts(["composers", "cid", "panels"], boxIn);
  const { jumpActions, inactive, ...parts } = useModelParts(SLICES, (model) =>
    statusOf(model, box, keys, core.userId),
  );
  const title = useModel(["layout", "panels", "focus", "state", "cid"], (model) =>
    model.layout.kind !== "tiny"
      ? undefined
      : titleOf({ view: openView(model), entry: openEntry(model), me: core.userId }),
  );
  // The clock is selected only while a countdown is shown.
  const now = useModel(["layout", "link", "now"], (model) =>
    model.layout.kind === "tiny" && model.link.phase === "waiting" ? model.now : 0,
  );
  const runs = useModel(["completion"], () => enterRuns(ports));
  const row = statusRow({
    ...parts,
    enterRuns: runs,
    playing: sound?.phase === "ended" ? undefined : sound?.url,
    ...(title !== undefined && { only: { title, now } }),
    inactive: inactive.split(" ") as ActionName[],
    ...(jumpActions && { jumpActions }),
    link,
    theme,
    readOnly,
    width: rect.width,
    table: keys,
  });
  const drawn = useMemo((): DrawnRows => ({ rect, rows: [row] }), [rect, row]);
  return <Rows drawn={drawn} />;
});
