/** Recognizes setting keys with secrets, which are never answered or printed. */

const SECRET = /(?:^|_)(?:secret|key|cert|certificate|credentials(?:_json)?|token|password)$/;

/** Secrets give access to other services. */
export const isSecretKey = (key: string): boolean => SECRET.test(key);

/** Blanks the text of every secret key inside a value. */
export function blankSecrets<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => blankSecrets<unknown>(item)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      isSecretKey(key) && typeof part === "string" ? "" : blankSecrets<unknown>(part),
    ]),
  ) as T;
}
