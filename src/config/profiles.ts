/** Profiles: where a provider is, as whom one speaks there, and where its secret lies; kept in the user's config, secrets apart. */

/** How a profile signs in. `local` is the embedded provider. */
export type AuthKind = "local" | "token" | "command" | "secret";

export interface Profile {
  name: string;
  kind: AuthKind;
  /** Base URL; absent for `local`, whose address is found at each attempt. */
  url?: string;
  key?: string;
  user?: string;
  /** `command`: prints a user token; run without a shell when it is a list. */
  command?: string | string[];
  /** The channel meant when none is named. */
  channel?: string;
  /** Writes ask first and name the profile. */
  protected?: boolean;
  /** Where the token or secret lies. */
  store?: "keyring" | "file";
}
