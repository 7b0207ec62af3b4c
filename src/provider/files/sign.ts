/** Signed file addresses: absolute, with an expiry and an HMAC, renewed whenever they are sent (UP-5). */
import { createHmac, timingSafeEqual } from "node:crypto";
import { ApiProblem } from "../base/handler.ts";

const DAY = 86_400;
/** A key with a file address, in JSON text; an address stored before the port was known has no host. */
const ADDRESS =
  /"(image_url|asset_url|thumb_url|image)":"(?:http:\/\/[\w.[\]:]+)?(\/files\/[\w-]{36}\/[^"\\?/]{1,800})\?Expires=(\d{1,12})&sig=([\w-]{43})"/g;

/** The address of a bundled GIF: public and unsigned, but the port may have changed. */
const BUNDLED = /"http:\/\/[\w.[\]:]+(\/files\/gifs\/[a-z]{1,16}\.gif)"/g;

export interface Signer {
  /** `/files/<uuid>/<name>` → absolute address, valid for at least the app's address lifetime (14 days). */
  sign(pathname: string): string;
  /** The same, valid for this many seconds from now. */
  signFor(pathname: string, seconds: number): string;
  /** Throws 403 (code 17) for a forged or expired address. */
  requireSigned(pathname: string, query: Record<string, string>): void;
  /** The same JSON with every file address of this provider signed anew, including expired ones and ones with an earlier port. */
  refresh(json: string): string;
}

/** `base()` is the provider's address, `now()` in whole microseconds, `lifetime()` in seconds (`cdn_expiration_seconds`). */
export function createSigner(
  secret: string,
  base: () => string,
  now: () => number,
  lifetime: () => number,
): Signer {
  const key = createHmac("sha256", secret).update("parley file addresses").digest();
  const mac = (pathname: string, expires: string): Buffer =>
    createHmac("sha256", key).update(`${pathname}\n${expires}`).digest();
  const isValid = (pathname: string, expires: string, sig: string): boolean => {
    const actual = Buffer.from(sig, "base64url");
    const expected = mac(pathname, expires);
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  };
  const address = (pathname: string, expires: string): string =>
    `${base()}${pathname}?Expires=${expires}&sig=${mac(pathname, expires).toString("base64url")}`;
  const sign = (pathname: string): string => {
    // Rounded up to whole days: a file keeps its address all day, so caches and comparisons work. Lifetimes below a day are exact.
    const seconds = lifetime();
    const unit = seconds < DAY ? 1 : DAY;
    return address(pathname, String(Math.ceil(now() / 1e6 / unit) * unit + seconds));
  };
  return {
    sign,
    signFor: (pathname, seconds) => address(pathname, String(Math.ceil(now() / 1e6) + seconds)),
    requireSigned(pathname, { Expires: expires = "", sig = "" }) {
      if (!/^\d{1,12}$/.test(expires) || !isValid(pathname, expires, sig))
        throw ApiProblem.notAllowed("the link is not signed");
      if (Number(expires) <= now() / 1e6) throw ApiProblem.notAllowed("the link has expired");
    },
    refresh(json) {
      if (!json.includes("/files/")) return json;
      const updated = json.includes("/files/gifs/")
        ? json.replace(BUNDLED, (_, pathname: string) => `"${base()}${pathname}"`)
        : json;
      return updated.replace(ADDRESS, (match, name: string, pathname: string, expires: string, sig: string) =>
        // Only addresses that were signed before: nobody gets a signature by writing an address into a message.
        isValid(pathname, expires, sig) ? `"${name}":"${sign(pathname)}"` : match,
      );
    },
  };
}
