/** The status line at the bottom. */
import { memo, useMemo } from "react";
import { shownSet } from "../../../model/select.ts";
import type { HeldMessage } from "../../../model/state.ts";
import { useLook, useModelParts, usePorts } from "../../components/context.ts";
import { Rows } from "../../components/rows.tsx";
import type { Drawn } from "../../components/rows.tsx";
import type { Rect } from "../../screen/layout.ts";
import {
  inNormal,
  isSearching,
  browsePlace,
  composerPlace,
  listWithKeys,
  topPanel,
  scrollOf,
  boxOf,
} from "../../screen/screen.ts";
import { topPopup } from "../../screen/popup.ts";
import { rangeIn } from "../../screen/range.ts";
import type { Screen } from "../../screen/screen.ts";
import type { KeyTable } from "../../keys/lookup.ts";
import type { Model } from "../../screen/store.ts";
import { duration } from "../../../text/times.ts";
import { entriesOf, loadingOf } from "../lists/entries.ts";
import { quietUntil } from "../preferences/do-not-disturb.ts";
import { sharingWords } from "../map/sharing.ts";
import { statusRow } from "./status-row.ts";
import type { StatusProps } from "./status-row.ts";
import { useLink } from "./use-link.ts";

/** The message under the cursor, while the keys act on it. */
function underCursor({ screen, state }: Model): HeldMessage | undefined {
  const place = browsePlace(screen);
  if (!place || (screen.focus !== "messages" && screen.focus !== "panel")) return undefined;
  const id = scrollOf(screen, place).selected;
  const set = shownSet(state, place);
  const at = id === undefined ? -1 : (set?.messages.indexOf(id) ?? -1);
  return at < 0 ? undefined : set!.messages.at(at);
}

/** What is left of do-not-disturb, in minutes that go up. */
function quietWords({ state, screen, now }: Model): string | undefined {
  const until = quietUntil(state, screen, now);
  return until === undefined ? undefined : duration(Math.ceil((until - now) / 60_000) * 60_000);
}

function modeOf(screen: Screen): StatusProps["mode"] {
  if (screen.popups.length) return "CHOOSE";
  if (isSearching(screen)) return "SEARCH";
  if (inNormal(screen)) return screen.vim?.visual ? "VISUAL" : "NORMAL";
  if (screen.focus === "composer") return boxOf(screen).editing ? "EDIT" : "WRITE";
  if (screen.focus === "sidebar") return "LIST";
  const panel = screen.focus === "panel" ? topPanel(screen)?.kind : undefined;
  if (panel === "files") return "FILES";
  if (panel === "picture") return "PICTURE";
  if (panel === "map") return "MAP";
  if (panel === "campaign") return "CAMPAIGN";
  if (listWithKeys(screen) !== undefined) return "VIEW";
  return browsePlace(screen) ? "BROWSE" : "PANEL";
}

function campaignOf(screen: Screen): StatusProps["campaign"] {
  const panel = topPanel(screen);
  return panel?.kind === "campaign" ? panel.campaign?.status : undefined;
}

/** Until its first page came a list counts as one that holds something. */
function listOf(model: Model): Pick<StatusProps, "list" | "emptyList"> {
  const list = listWithKeys(model.screen);
  if (list === undefined) return {};
  const loaded = loadingOf(model.lists, list)?.loaded ?? true;
  return { list, emptyList: loaded && entriesOf(model, list).length === 0 };
}

function filesOf(screen: Screen): StatusProps["files"] {
  const { carried, uploads } = boxOf(screen);
  if (uploads.some(({ state }) => state === "failed")) return "failed";
  return carried.length + uploads.length > 0 ? "some" : undefined;
}

/** In the box the key undoes the text first. */
const backIn = (screen: Screen): string | undefined =>
  screen.focus === "composer" && boxOf(screen).editor.undo.length > 0
    ? undefined
    : screen.takeBacks.at(-1)?.what;

const FOUND = ["nextFound", "jumpBack"] as const;
const BACK = ["jumpBack"] as const;

/** Where a jump can lead from here; the same list while that is the same. */
const waysIn = ({ jumps, search }: Screen): StatusProps["ways"] =>
  jumps.length === 0 ? undefined : search.found.results.length > 1 ? FOUND : BACK;

/** What the line says of the screen and of what core tells; the look, the keys and the link come beside it. */
function statusOf(model: Model, keys: KeyTable, me: string | undefined) {
  const { screen, state, lists, now } = model;
  const selected = underCursor(model);
  return {
    mode: modeOf(screen),
    outbox: state.outbox,
    quiet: quietWords(model),
    storage: state.storage,
    selected,
    mine: selected?.user?.id === me,
    pendingKey: screen.pendingKey,
    toNormal: Object.keys(keys.normal).length > 0 && boxOf(screen).editor.text !== "",
    begun: screen.vim?.keys,
    hinting: screen.hints?.typed,
    range: rangeIn(model)?.length,
    leaving: screen.leaving,
    popup: topPopup(screen),
    thread: composerPlace(screen)?.parentId !== undefined,
    files: filesOf(screen),
    saving: Object.values(screen.saves).at(-1),
    ...listOf(model),
    panel: topPanel(screen) !== undefined,
    campaign: campaignOf(screen),
    takeBack: backIn(screen),
    ways: waysIn(screen),
    ...sharingWords(lists.locations, now),
  };
}

export const Status = memo(({ rect }: { rect: Rect }) => {
  const { core, keys } = usePorts();
  const { theme, readOnly = false } = useLook();
  const link = useLink();
  const { ways, ...said } = useModelParts((model) => statusOf(model, keys, core.userId));
  const beside = { link, theme, readOnly, width: rect.width, table: keys };
  const row = statusRow({ ...said, ...(ways && { ways }), ...beside });
  const drawn = useMemo((): Drawn => ({ rect, rows: [row] }), [rect, row]);
  return <Rows drawn={drawn} />;
});
