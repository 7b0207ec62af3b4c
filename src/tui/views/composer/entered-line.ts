/** What Enter was pressed for, and what handles it. */
import type { ThreadRef } from "../../../model/state.ts";
import type { Ports } from "../../ports/ports.ts";

interface EnteredLine {
  place: ThreadRef;
  text: string;
  /** Names of the provider's commands in the channel. */
  providerNames: readonly string[];
}

/** One kind of line, such as a correction or a command: true if the line was of this kind and is dealt with. */
export type LineKind = (ports: Ports, line: EnteredLine) => boolean;

/** Names of the provider's commands in a channel. */
export const providerCommandsIn = ({ store }: Pick<Ports, "store">, cid: string): string[] =>
  store.state.channels.get(cid)?.channel.config?.commands.map(({ name }) => name) ?? [];

export const isProviderCommand = (text: string, names: readonly string[]): boolean =>
  names.some((name) => text === `/${name}` || text.startsWith(`/${name} `));
