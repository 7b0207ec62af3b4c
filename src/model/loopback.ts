/** Recognizes loopback hosts. */

/** Whether a host name, as `URL` returns it, is this machine. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
