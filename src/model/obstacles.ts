/** Explains what keeps this machine from a provider and what to do: certificates, proxies, sign-in pages, an update of this program. */

/** `certificate`, `proxy` and `replaced` stay until somebody changes something; a sign-in page goes away by itself once somebody has signed in. */
export type ObstacleKind = "certificate" | "proxy" | "portal" | "replaced";

export interface Obstacle {
  kind: ObstacleKind;
  /** What is so, without any address. */
  says: string;
  todo: string;
}

const AUTHORITY =
  "If the network or the provider has an authority of its own: parley config set caFile <its PEM file>, or NODE_EXTRA_CA_CERTS. Otherwise somebody listens in: do not go on.";
const CLOCK =
  "Look whether this machine's clock is right (date); if it is, whoever runs the provider has to renew the certificate.";
const NAME = "Compare the address of the profile (parley profile show) with what the provider gave you.";

const certificate = (says: string, todo: string): Obstacle => ({ kind: "certificate", says, todo });
const unknown = certificate("the certificate is signed by nobody known", AUTHORITY);
const broken = certificate("the certificate cannot be verified", AUTHORITY);

/** By the code that Node gives a refused certificate. */
const CERTIFICATES: Readonly<Record<string, Obstacle>> = {
  CERT_HAS_EXPIRED: certificate("the certificate has expired", CLOCK),
  CERT_NOT_YET_VALID: certificate("the certificate is not valid yet", CLOCK),
  ERR_TLS_CERT_ALTNAME_INVALID: certificate("the certificate belongs to another host", NAME),
  HOSTNAME_MISMATCH: certificate("the certificate belongs to another host", NAME),
  DEPTH_ZERO_SELF_SIGNED_CERT: unknown,
  SELF_SIGNED_CERT_IN_CHAIN: unknown,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknown,
  UNABLE_TO_GET_ISSUER_CERT: unknown,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknown,
  CERT_UNTRUSTED: unknown,
  CERT_REVOKED: certificate("the certificate was revoked", NAME),
  CERT_REJECTED: broken,
  CERT_SIGNATURE_FAILURE: broken,
  CERT_CHAIN_TOO_LONG: broken,
  INVALID_CA: broken,
  INVALID_PURPOSE: broken,
};

export const certificateObstacle = (system: string): Obstacle | undefined =>
  Object.hasOwn(CERTIFICATES, system) ? CERTIFICATES[system] : undefined;

/** The page a network shows to whoever has not signed in to it. */
export const PORTAL: Obstacle = {
  kind: "portal",
  says: "a web page came instead of the provider's answer, as the sign-in page of a network does",
  todo: "Open any web page in a browser, sign in to the network, and try again.",
};

/** The files of the program are those of another version: what was not loaded yet is gone. */
export const REPLACED: Obstacle = {
  kind: "replaced",
  says: "Parley was updated while it ran",
  todo: "Leave it and start it again; what you wrote is kept.",
};

/** A part of the program was to be loaded and is not there; a package that is not installed has no address. */
export function isReplaced(error: unknown): boolean {
  const { code, url } = (error ?? {}) as { code?: unknown; url?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" && typeof url === "string";
}

/** Waiting does not mend it. */
export const isLasting = (obstacle: Obstacle | undefined): boolean =>
  obstacle !== undefined && obstacle.kind !== "portal";

/** An HTTP status that no provider gives and a sign-in page does. */
const isPortalStatus = (status: number): boolean =>
  status === 511 || (status >= 300 && status < 400 && status !== 304);

export const isPage = (text: string): boolean => /^\s*<(!doctype|html|head|body)/i.test(text);

/** An answer that no provider gives: a page where JSON was asked for, or the way to one. */
export const isPortal = (status: number, text: string): boolean =>
  isPortalStatus(status) || (status < 400 && isPage(text));

/** What a proxy that opens no tunnel means by its status; undefined where it may open one the next time. */
export function tunnelObstacle(status: unknown): Obstacle | undefined {
  if (typeof status !== "number" || !Number.isInteger(status) || status >= 600) return undefined;
  if (status === 407)
    return {
      kind: "proxy",
      says: "the proxy asks for a name and a password, or refuses those it was given",
      todo: "HTTPS_PROXY=http://name:password@proxy.example:3128 names both (with %40 for @ in a password).",
    };
  if (isPortalStatus(status)) return PORTAL;
  if (status >= 500 || status === 429 || status === 408) return undefined;
  return {
    kind: "proxy",
    says: `the proxy does not let this through (${status})`,
    todo: "Ask whoever runs the proxy; parley doctor names it. NO_PROXY and the setting proxy say what goes past it.",
  };
}
