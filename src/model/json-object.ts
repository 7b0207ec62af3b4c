/** JSON objects, for folders that do not know the protocol. */
export { isObject, readObject } from "../wire/json-object.ts";
