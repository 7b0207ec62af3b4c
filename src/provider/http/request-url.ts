/** Splits a request URL into path and query; of a repeated key the first value counts. */

interface Target {
  pathname: string;
  query: Record<string, string>;
}

export function parseRequestUrl(url: string): Target {
  const mark = url.indexOf("?");
  const query = Object.create(null) as Record<string, string>;
  const pathname = mark < 0 ? url : url.slice(0, mark);
  if (mark >= 0) for (const [key, value] of new URLSearchParams(url.slice(mark + 1))) query[key] ??= value;
  return { pathname, query };
}
