/** Channel types and custom commands (specification/admin.md §2, §3). */
import type { ChannelConfig } from "./channel.ts";

export const BUILT_IN_CHANNEL_TYPES = ["messaging", "team", "livestream", "gaming", "commerce"] as const;

/** With its commands as objects: GET, and `config` of a channel. */
export interface ChannelType extends ChannelConfig {
  grants: Record<string, string[]>;
  permissions: unknown[];
}

/** With its commands as names: what POST and PUT answer. */
export type NamedChannelType = Omit<ChannelType, "commands"> & { commands: string[] };

/** Keys a type can be made or changed with; `grants: null` resets all, `commands` are names or sets. */
export type ChannelTypeInput = Partial<
  Omit<ChannelConfig, "commands" | "grants" | "created_at" | "updated_at">
> & {
  commands?: string[];
  grants?: Record<string, string[]> | null;
};
