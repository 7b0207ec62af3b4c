/** The cross-site token of a provider behind a web front: a cookie's value sent back as a header (specification/wire.md §4). */

/** Names of the cookie and of the header; the embedded provider sets none. */
export const XSRF_COOKIE = "XSRF-TOKEN";
export const XSRF_HEADER = "X-XSRF-TOKEN";

/** What a header may carry: nothing that would end its line. */
const VALUE = /^[\x21-\x7e]{1,1024}$/;

interface Xsrf {
  /** Looks at the `set-cookie` of an answer; an emptied cookie is forgotten. */
  seen(setCookie: string | undefined): void;
  /** The header of the next call, nothing while no cookie was set. */
  header(): Record<string, string>;
}

export function createXsrf(): Xsrf {
  let value = "";
  return {
    seen(setCookie) {
      const found = new RegExp(`(?:^|[,;]\\s*)${XSRF_COOKIE}=([^;,]*)`).exec(setCookie ?? "");
      if (found) value = VALUE.test(found[1]!) ? found[1]! : "";
    },
    header: (): Record<string, string> => (value === "" ? {} : { [XSRF_HEADER]: value }),
  };
}
