/** Explains what blocks the connection to a provider, and what to do: certificates, proxies, sign-in pages, an update of this program. */

/** All but a sign-in page (`portal`), which disappears after signing in, last until something is changed. */
export type ObstacleKind = "certificate" | "proxy" | "portal" | "port" | "replaced" | "erased";

export interface Obstacle {
  kind: ObstacleKind;
  /** The problem, without any address. */
  reason: string;
  hint: string;
}

const AUTHORITY =
  "If the network or the provider uses its own authority: parley config set caFile <its PEM file>, or NODE_EXTRA_CA_CERTS. Otherwise somebody may be intercepting the connection: do not continue.";
const CLOCK =
  "Check this machine's clock (date); if it is right, the owner of the provider has to renew the certificate.";
const NAME = "Compare the address of the profile (parley profile show) with what the provider gave you.";

const certificate = (reason: string, hint: string): Obstacle => ({ kind: "certificate", reason, hint });
const unknown = certificate("the certificate is signed by an unknown authority", AUTHORITY);
const unverifiable = certificate("the certificate cannot be verified", AUTHORITY);

/** By Node's error code. */
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
  CERT_REJECTED: unverifiable,
  CERT_SIGNATURE_FAILURE: unverifiable,
  CERT_CHAIN_TOO_LONG: unverifiable,
  INVALID_CA: unverifiable,
  INVALID_PURPOSE: unverifiable,
};

export const certificateObstacle = (system: string): Obstacle | undefined =>
  Object.hasOwn(CERTIFICATES, system) ? CERTIFICATES[system] : undefined;

/** The sign-in page of a network (captive portal). */
export const PORTAL: Obstacle = {
  kind: "portal",
  reason: "a web page was returned instead of the provider's answer, probably the sign-in page of a network",
  hint: "Open any web page in a browser, sign in to the network, and try again.",
};

/** An `https` address whose port does not speak TLS. */
export const PLAIN_PORT: Obstacle = {
  kind: "port",
  reason: "the port does not speak TLS (https)",
  hint: "Check the port of the address (parley profile show); for a provider on this machine it may have to begin with http://.",
};

/** Node's error codes for it, while a connection is made. */
const NO_TLS: ReadonlySet<string> = new Set([
  "EPROTO",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
  "ERR_SSL_UNSUPPORTED_PROTOCOL",
]);

/** An `http` address whose port speaks TLS. */
export const ENCRYPTED_PORT: Obstacle = {
  kind: "port",
  reason: "the port speaks TLS, but the address begins with http://",
  hint: "Begin the address with https:// (parley login with --url changes it).",
};

export const portObstacle = (system: string): Obstacle | undefined =>
  NO_TLS.has(system) ? PLAIN_PORT : undefined;

/** The program's files were replaced by another version, so parts not loaded yet are missing. */
export const REPLACED: Obstacle = {
  kind: "replaced",
  reason: "Parley was updated while it was running",
  hint: "Quit and start it again; what you wrote is saved.",
};

/** The folder of the embedded provider was erased, which gave it another key: `parley local reset` does that. */
export const ERASED: Obstacle = {
  kind: "erased",
  reason: "the embedded provider was erased and started over",
  hint: "Quit and start Parley again; what you wrote is saved.",
};

/** A module of the program is missing; the error of a package that is not installed has no URL. */
export function isReplaced(error: unknown): boolean {
  const { code, url } = (error ?? {}) as { code?: unknown; url?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" && typeof url === "string";
}

/** Whether retrying is pointless. */
export const isLasting = (obstacle: Obstacle | undefined): boolean =>
  obstacle !== undefined && obstacle.kind !== "portal";

/** An HTTP status that sign-in pages use and providers do not. */
const isPortalStatus = (status: number): boolean =>
  status === 511 || (status >= 300 && status < 400 && status !== 304);

export const isPage = (text: string): boolean => /^\s*<(!doctype|html|head|body)/i.test(text);

/** Whether an answer is a sign-in page or a redirect to one. */
export const isPortal = (status: number, text: string): boolean =>
  isPortalStatus(status) || (status < 400 && isPage(text));

/** The obstacle behind a proxy's refusal to open a tunnel; undefined if it may be temporary. */
export function tunnelObstacle(status: unknown): Obstacle | undefined {
  if (typeof status !== "number" || !Number.isInteger(status) || status >= 600) return undefined;
  if (status === 407)
    return {
      kind: "proxy",
      reason: "the proxy requires a name and a password, or rejected them",
      hint: "Set HTTPS_PROXY=http://name:password@proxy.example:3128 (with %40 for @ in a password).",
    };
  if (isPortalStatus(status)) return PORTAL;
  if (status >= 500 || status === 429 || status === 408) return undefined;
  return {
    kind: "proxy",
    reason: `the proxy blocked the connection (${status})`,
    hint: "Ask the owner of the proxy (parley doctor names it), or bypass it with NO_PROXY or the setting proxy.",
  };
}
