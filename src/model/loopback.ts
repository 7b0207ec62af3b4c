/** Recognizes loopback hosts, and the keys of embedded providers. */

/** Every API key of an embedded provider begins with it. */
export const LOCAL_KEY_PREFIX = "local_";

/** Whether a host name, as `URL` returns it, is this machine. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
