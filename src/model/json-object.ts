/** JSON objects, for folders that do not know the protocol. */
export { isObject, parseObject } from "../wire/json-object.ts";
