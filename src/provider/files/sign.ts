/** Signed file addresses: absolute, with an end date and an HMAC, renewed wherever they are shown (UP-5). */
import { createHmac, timingSafeEqual } from "node:crypto";
import { ApiProblem } from "../base/handler.ts";

const DAY = 86_400;
/** The string value of a key that holds a file address, in JSON text; one that was stored before the port was known has no host. */
const ADDRESS =
  /"(image_url|asset_url|thumb_url|image)":"(?:http:\/\/[\w.[\]:]+)?(\/files\/[\w-]{36}\/[^"\\?/]{1,800})\?Expires=(\d{1,12})&sig=([\w-]{43})"/g;

/** Pictures of the program itself: public, so nothing is signed, but the port may be another one by now. */
const BUNDLED = /"http:\/\/[\w.[\]:]+(\/files\/gifs\/[a-z]{1,16}\.gif)"/g;

export interface Signer {
  /** `/files/<uuid>/<name>` → absolute address, valid for at least the app's lifetime of addresses (14 days). */
  sign(pathname: string): string;
  /** The same for this many seconds from now. */
  signFor(pathname: string, seconds: number): string;
  /** 403 (code 17) for an address that is forged or over. */
  requireSigned(pathname: string, query: Record<string, string>): void;
  /** The same JSON with every file address of ours, also an expired one or one of an earlier port, signed anew. */
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
  const good = (pathname: string, expires: string, sig: string): boolean => {
    const given = Buffer.from(sig, "base64url");
    const expected = mac(pathname, expires);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  const address = (pathname: string, expires: string): string =>
    `${base()}${pathname}?Expires=${expires}&sig=${mac(pathname, expires).toString("base64url")}`;
  const sign = (pathname: string): string => {
    // Whole days: the same file has the same address all day, so caches and comparisons work. A shorter life is exact.
    const seconds = lifetime();
    const unit = seconds < DAY ? 1 : DAY;
    return address(pathname, String(Math.ceil(now() / 1e6 / unit) * unit + seconds));
  };
  return {
    sign,
    signFor: (pathname, seconds) => address(pathname, String(Math.ceil(now() / 1e6) + seconds)),
    requireSigned(pathname, { Expires: expires = "", sig = "" }) {
      if (!/^\d{1,12}$/.test(expires) || !good(pathname, expires, sig))
        throw ApiProblem.notAllowed("the link is not signed");
      if (Number(expires) <= now() / 1e6) throw ApiProblem.notAllowed("the link has expired");
    },
    refresh(json) {
      if (!json.includes("/files/")) return json;
      const told = json.includes("/files/gifs/")
        ? json.replace(BUNDLED, (_, pathname: string) => `"${base()}${pathname}"`)
        : json;
      return told.replace(ADDRESS, (whole, name: string, pathname: string, expires: string, sig: string) =>
        // Only what once was signed: nobody obtains an address by writing one into a message.
        good(pathname, expires, sig) ? `"${name}":"${sign(pathname)}"` : whole,
      );
    },
  };
}
