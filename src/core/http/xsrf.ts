/** The XSRF token of a provider behind a web proxy: a cookie's value is sent back as a header (specification/wire.md §4). */

/** The embedded provider sets no such cookie. */
export const XSRF_COOKIE = "XSRF-TOKEN";
export const XSRF_HEADER = "X-XSRF-TOKEN";

/** Values that are safe in a header: nothing that would end its line. */
const VALUE = /^[\x21-\x7e]{1,1024}$/;

interface Xsrf {
  /** Stores the cookie of an answer; an empty or invalid one clears it. */
  readCookie(setCookie: string | undefined): void;
  header(): Record<string, string>;
}

export function createXsrf(): Xsrf {
  let value = "";
  return {
    readCookie(setCookie) {
      const found = new RegExp(`(?:^|[,;]\\s*)${XSRF_COOKIE}=([^;,]*)`).exec(setCookie ?? "");
      if (found) value = VALUE.test(found[1]!) ? found[1]! : "";
    },
    header: (): Record<string, string> => (value === "" ? {} : { [XSRF_HEADER]: value }),
  };
}
