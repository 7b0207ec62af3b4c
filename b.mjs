import { build } from "esbuild";
import {spawnSync} from "node:child_process";
export async function bundle(){ await build({entryPoints:["runner.ts"],bundle:true,platform:"node",format:"esm",outfile:"/tmp/mutA/out.mjs",logLevel:"silent",external:["open","@napi-rs/keyring","jq-web","ink","react"],banner:{js:"import {createRequire as __c} from 'node:module';const require=__c('/tmp/mutA/x.js');"}}); }
