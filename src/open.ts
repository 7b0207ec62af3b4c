/** From a profile to a core that can speak: finds or starts the embedded provider, mints tokens and gives core its ports. */
import type { Settings } from "./config/settings.ts";
import type { Profile } from "./config/profiles.ts";
import type { Core } from "./core/core.ts";
import type { OwnUser } from "./wire/user.ts";

/** A core bound to a profile and a user. */
export interface Opened {
  core: Core;
  profile: Profile;
  user: { id: string; name?: string };
  /** Opens the live connection: `connectUser` with the profile's token source. */
  connect(): Promise<OwnUser>;
  /** Ends core and what was opened for it; the embedded provider goes on by its own rule (decisions 13). */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** A profile's name; default: the setting `profile`. */
  profile?: string;
  /** `--as`: a user for whom a token is minted from the profile's secret (decisions 12). */
  user?: string;
  /** A server token instead of a user's. */
  server?: boolean;
}

/** What both faces are given by main.ts. */
export interface Host {
  settings: Settings;
  version: string;
  open(options?: OpenOptions): Promise<Opened>;
  /** Finds or starts the embedded provider; its base URL. */
  startProvider(): Promise<{ url: string; pid: number }>;
  /** Changes a setting for good (user config). */
  saveSetting(key: string, value: unknown): Promise<void>;
}
