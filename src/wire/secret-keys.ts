/** Which keys of settings hold secrets: a provider answers them blank, and nothing prints them. */

const SECRET = /(?:^|_)(?:secret|key|cert|certificate|credentials(?:_json)?|token|password)$/;

/** They open doors elsewhere. */
export const isSecretKey = (key: string): boolean => SECRET.test(key);

/** The same value with the text of every secret key blanked, however deep. */
export function blanked<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => blanked<unknown>(item)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      isSecretKey(key) && typeof part === "string" ? "" : blanked<unknown>(part),
    ]),
  ) as T;
}
