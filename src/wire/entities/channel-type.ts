/** Channel types and custom commands (specification/admin.md §2, §3). */
import { any, list, map, need, shape, text, type Infer } from "./fields.ts";
import { ChannelConfig } from "./channel.ts";

export const BUILT_IN_CHANNEL_TYPES = ["messaging", "team", "livestream", "gaming", "commerce"] as const;

/** With its commands as objects: GET, and `config` of a channel. */
export const ChannelType = shape(() => ({
  ...ChannelConfig(),
  grants: need(map(list(text()))),
  permissions: need(list(any())),
}));
export interface ChannelType extends Infer<typeof ChannelType> {}

/** With its commands as names: what POST and PUT answer. */
export const NamedChannelType = shape(() => ({ ...ChannelType(), commands: need(list(text())) }));
export interface NamedChannelType extends Infer<typeof NamedChannelType> {}
