/** Re-exports JSON object helpers for folders that may not import wire/. */
export { isExcessive } from "../wire/bounded-json.ts";
export { isObject, parseObject } from "../wire/json-object.ts";
