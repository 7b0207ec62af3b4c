/** got: skips the FormData check of bodies, and loads HTTP/2 only for calls that use it. */
// Why: touching the global FormData loads undici, and got does so for every body. Uploads do not use it (core/uploads).
// HTTP/2 is never used, but its header names are read when got is loaded.
// Gains: FormData 20 to 27 % of the CPU and 4.5 % of the memory of one `parley send`; HTTP/2 4 ms of CPU and 2 % of it.
// Upstream: check the body's tag before touching FormData; import the HTTP/2 client in the branch that uses it.
import http2 from "node:http2";
import type { Plugin } from "esbuild";
import { editing, replaceOnce } from "./patch.ts";

export const gotFormData = editing(
  "got: FormData",
  /[\\/]got[\\/]dist[\\/]source[\\/]core[\\/]index\.js$/,
  (text, file) => replaceOnce(text, [["if (!(options.body instanceof FormData)) {", "if (true) {"]], file),
);

export const gotHttp2: Plugin = {
  name: "got: HTTP/2",
  setup({ onLoad, onResolve }) {
    const namespace = "http2-when-used";
    onResolve({ filter: /^node:http2$/ }, () => ({ path: "http2", namespace }));
    onLoad({ filter: /^/, namespace }, () => ({
      contents: `export const constants = ${JSON.stringify(http2.constants)};
        const real = () => process.getBuiltinModule("node:http2");
        export class Http2ServerResponse { static [Symbol.hasInstance](it) { return it?.stream !== undefined && it instanceof real().Http2ServerResponse; } }
        export default { constants, connect: (...given) => real().connect(...given) };`,
      loader: "js",
    }));
  },
};
