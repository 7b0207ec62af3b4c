/** Where one can go: channels, people and views, found by letters in any place (Ctrl-K), and the palette's lines (Ctrl-P). */
import { Fzf } from "fzf";
import { commands } from "../../../commands/index.ts";
import { chatPaths, usageLine } from "../../../commands/line.ts";
import type { State } from "../../../model/state.ts";
import { cleanName } from "../../../text/sanitize.ts";
import { showChord } from "../../input/chord.ts";
import { actionRow, isAction } from "../../keys/action-table.ts";
import type { ActionName, Where } from "../../keys/action-table.ts";
import { chordsFor, paletteActions } from "../../keys/lookup.ts";
import type { KeyTable } from "../../keys/lookup.ts";
import { channelTitle, isDirect, listed, userName, waiting } from "../../../model/channels.ts";
import type { Choice } from "../../screen/popup.ts";

const LIMIT = 200;

/** `value`: `channel:<cid>`, `user:<id>` or `action:<name>`. The open channel comes last: one is there already. */
export function gotoChoices(state: State, open: string | undefined): Choice[] {
  const me = state.me?.id;
  const direct = new Set<string>();
  const channels = listed(state).map((entry): Choice => {
    if (isDirect(entry)) for (const id of entry.members.keys()) direct.add(id);
    return {
      label: channelTitle(entry, me),
      value: `channel:${entry.cid}`,
      ...(entry.membership?.archived_at ? { detail: "archived" } : {}),
      ...(entry.mentions
        ? { mark: `@${entry.mentions}` }
        : entry.unread
          ? { mark: String(entry.unread) }
          : {}),
    };
  });
  const people = [...state.users.values()]
    .filter((user) => user.id !== me && !direct.has(user.id))
    .map((user): Choice => {
      const name = userName(user);
      return {
        label: `@${name}`,
        value: `user:${user.id}`,
        ...(name === user.id ? {} : { detail: cleanName(user.id) }),
        ...(user.online ? { mark: "●" } : {}),
      };
    })
    .toSorted((a, b) => a.label.localeCompare(b.label));
  const views: Choice[] = (["inbox", "drafts"] as const).map((name) => ({
    label: actionRow(name).title,
    value: `action:${name}`,
  }));
  const here = `channel:${open}`;
  const [there, at] = [channels.filter((c) => c.value !== here), channels.filter((c) => c.value === here)];
  return [...there, ...at, ...people, ...views];
}

export function inboxChoices(state: State, now: number): Choice[] {
  return waiting(state, now).map((entry) => ({
    label: channelTitle(entry, state.me?.id),
    value: `channel:${entry.cid}`,
    detail: entry.mentions ? "mentions you" : isDirect(entry) ? "direct" : "unread",
    mark: entry.mentions ? `@${entry.mentions}` : String(entry.unread),
  }));
}

/** Actions of these contexts with their keys, then every command line; `value` `action:…` or `line:/…`. */
export function paletteChoices(table: KeyTable, contexts: readonly Where[]): Choice[] {
  const actions = paletteActions(contexts).map((name: ActionName): Choice => {
    const chord = chordsFor(table, name)[0];
    return {
      label: actionRow(name).title,
      value: `action:${name}`,
      ...(chord ? { mark: chord.split(" ").map(showChord).join(" ") } : {}),
    };
  });
  const lines = chatPaths().map((path): Choice => ({
    label: `/${path}`,
    detail: commands[path]!.summary,
    value: `line:${usageLine(path).includes("<") ? "write" : "run"}:/${path}`,
  }));
  return [...actions, ...lines];
}

/** Letters in order anywhere in label or detail; the best first, without a query the list as it is. */
export function filterChoices(choices: readonly Choice[], query: string): Choice[] {
  if (query.trim() === "") return choices.slice(0, LIMIT);
  // The library's own types cannot be resolved under nodenext.
  interface Found {
    item: Choice;
  }
  const order = new Map(choices.map((choice, i) => [choice, i]));
  const fzf = new Fzf(choices as Choice[], {
    selector: (c: Choice) => `${c.label} ${c.detail ?? ""}`,
    limit: LIMIT,
    casing: "case-insensitive",
    // Channels before people when both fit as well: the order given.
    tiebreakers: [(a: Found, b: Found) => order.get(a.item)! - order.get(b.item)!],
  }) as { find(query: string): Found[] };
  return fzf.find(query.trim()).map((found) => found.item);
}

export function actionOf(value: string): ActionName | undefined {
  const name = value.startsWith("action:") ? value.slice(7) : "";
  return isAction(name) ? name : undefined;
}
