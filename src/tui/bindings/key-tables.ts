/** The key tables of the profiles: the global bindings and those of each view (specification/screen.md §4). */
import type { FullProfile, KeyMap, KeyProfile, KeyTable } from "../keys/lookup.ts";
import type { ScreenContext } from "../keys/action-table.ts";
import { numbered } from "../keys/numbered.ts";
import { completeKeys, normalKeys, writeKeys } from "../views/composer/keys.ts";
import { browseKeys } from "../views/messages/keys.ts";
import { chooseFilesKeys } from "../views/files/keys.ts";
import { formKeys } from "../views/poll/keys.ts";
import { panelDefinitions, panelKeys } from "../ports/panels.ts";
import "../views/panels.ts";
import { popupKeys } from "../views/popup/keys.ts";
import { sidebarKeys } from "../views/sidebar/keys.ts";

/** Terminals send these as Tab, Enter, Backspace or Esc, or use them for flow control (specification/screen.md §4). */
export const FORBIDDEN = ["C-i", "C-m", "C-h", "C-[", "C-s", "C-q"] as const;

const pinnedKeys: KeyMap = numbered("A-", (n) => `pinned${n}` as const);

const paneKeys: KeyMap = { "A--": "narrower", "A-=": "wider" };

const userListKeys: KeyMap = {
  "A-i": "inbox.show",
  "A-t": "threads.show",
  "A-r": "later.show",
  "A-e": "drafts.show",
  "A-o": "openDue",
};

const sharedKeys: KeyMap = {
  "C-t": "panel",
  "C-\\": "sidebar",
  "A-\\": "split",
  "A-'": "unreadOnly",
  "C-l": "redraw",
  "C-c": "clear",
  "C-z": "suspend",
  "C-_": "takeBack",
  "A-q": "closeNotice",
  "A-.": "stopLocation",
  "A-k": "links.show",
};

const commonKeys: KeyMap = {
  esc: "escape",
  tab: "nextPane",
  "S-tab": "previousPane",
  "C-k": "goto",
  "C-p": "palette",
  "A-/": "search.show",
  "C-o": "attach",
  "C-v": "pasteClipboard",
  f1: "help",
  "A-a": "nextUnread",
  "C-n": "nextUnread",
  "A-s": "lastChannel",
  "A-up": "previousChannel",
  "A-down": "nextChannel",
  ...sharedKeys,
  ...userListKeys,
  ...paneKeys,
  ...pinnedKeys,
};

const globalKeys: Readonly<Record<FullProfile, KeyMap>> = {
  default: { "C-f": "search.show", ...commonKeys },
  // In Vim, C-f turns pages.
  vim: commonKeys,
  // C-n, C-p and C-k edit text here, so going to channels moves to C-x and the palette to M-x.
  emacs: {
    ...userListKeys,
    ...paneKeys,
    ...pinnedKeys,
    esc: "escape",
    "C-g": "escape",
    tab: "nextPane",
    "S-tab": "previousPane",
    "C-x b": "goto",
    "C-x C-f": "attach",
    "C-x C-v": "pasteClipboard",
    "C-x o": "nextPane",
    "C-x k": "lastChannel",
    "C-x C-c": "quit",
    "C-x 1": "panel",
    "C-x d": "details.show",
    "C-x p": "pins.show",
    "A-x": "palette",
    "A-/": "search.show",
    f1: "help",
    "A-a": "nextUnread",
    "A-s": "lastChannel",
    "A-up": "previousChannel",
    "A-down": "nextChannel",
    "A-p": "previousChannel",
    "A-n": "nextChannel",
    ...sharedKeys,
  },
};

const screenKeys = (profile: FullProfile): Readonly<Record<ScreenContext, KeyMap>> => ({
  global: globalKeys[profile],
  write: writeKeys[profile],
  normal: normalKeys[profile],
  complete: completeKeys[profile],
  browse: browseKeys[profile],
  sidebar: sidebarKeys[profile],
  popup: popupKeys[profile],
  chooseFiles: chooseFilesKeys[profile],
  form: formKeys[profile],
});

/** The same object until a panel is added or removed. */
function createTable(profile: FullProfile): () => KeyTable {
  let panels: string | undefined;
  let table: KeyTable;
  return () => {
    const names = panelDefinitions().map(({ name }) => name);
    if (names.join() !== panels) table = { ...screenKeys(profile), ...panelKeys(profile) };
    panels = names.join();
    return table;
  };
}

const [standard, vim, emacs] = [createTable("default"), createTable("vim"), createTable("emacs")];

/** Over messages and in the sidebar, where letters are text in the minimal profile. */
const TYPED_OVER: ReadonlySet<string> = new Set(["browse", "sidebar"]);

/** A letter or a sign; digits stay keys, since they press the buttons that a message shows by number. */
const isLetter = (chords: string): boolean => /^[^\d](?: |$)/u.test(chords);

/** In the place of letters and of Alt: Enter over a message opens its menu, which has all that letters did. */
const INSTEAD: Readonly<Record<string, KeyMap>> = {
  browse: { enter: "menu", right: "openMessage" },
  sidebar: { right: "sidebarMenu" },
  write: { "C-r": "redo" },
};

/** The keys that are left in the minimal profile. */
function fewKeys(context: string, map: KeyMap): KeyMap {
  const isLeft = ([chords]: [string, string]): boolean =>
    !chords.includes("A-") && !(TYPED_OVER.has(context) && isLetter(chords));
  return { ...(Object.fromEntries(Object.entries(map).filter(isLeft)) as KeyMap), ...INSTEAD[context] };
}

/** The default table with few keys; the same object until that changes. */
function createMinimal(): () => KeyTable {
  let whole: KeyTable | undefined;
  let table: KeyTable;
  return () => {
    const now = standard();
    if (now !== whole)
      table = Object.fromEntries(
        Object.entries((whole = now)).map(([context, map]) => [context, fewKeys(context, map)]),
      ) as KeyTable;
    return table;
  };
}

const minimal = createMinimal();

export const KEY_TABLES: Readonly<Record<KeyProfile, KeyTable>> = {
  get default() {
    return standard();
  },
  get vim() {
    return vim();
  },
  get emacs() {
    return emacs();
  },
  get minimal() {
    return minimal();
  },
};
