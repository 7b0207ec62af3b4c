/** Re-exports JSON object helpers for folders that may not import wire/. */
export { isObject, parseObject } from "../wire/json-object.ts";
