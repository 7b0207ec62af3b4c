/** `parley mcp`: serves the protocol versions with a handshake (up to 2025-11-25) and without one (2026-07-28). */
import { profileOf } from "./profile/profile.ts";
import { type Question, rowView, command } from "../../commands/base/define-command.ts";
import { commands } from "../../commands/table.gen.ts";
import { isObject } from "../../wire/json-object.ts";
import { ExitError } from "../base/exit.ts";
import type { Shell } from "../base/shell.ts";
import { showList } from "../output/results.ts";
import { callTool, cannotAsk, questionForm, isYes } from "./mcp/call.ts";
import { Peer, badParams, noMethod } from "./mcp/peer.ts";
import { isReadOnly, offered, requireTools, toolName, toolOf } from "./mcp/tools.ts";

const NEWEST = "2026-07-28";
const WITH_BATCHES = "2025-03-26";
const WITH_HANDSHAKE = ["2025-11-25", "2025-06-18", WITH_BATCHES, "2024-11-05"];
const META = "io.modelcontextprotocol/";

type Params = Record<string, unknown>;

interface Meta {
  progressToken?: string | number;
  [key: string]: unknown;
}

const INSTRUCTIONS =
  "Channels are written type:id, #id or @user. Lists give 30 items unless limit says otherwise, and next goes on. Commands that change something take dry_run.";

class Server {
  readonly #shell: Shell;
  readonly #paths: ReadonlyMap<string, string>;
  readonly #write: boolean;
  readonly #peer: Peer;
  /** The capabilities from the client's handshake. */
  #clientCapabilities: Params = {};

  constructor(shell: Shell, paths: readonly string[], write: boolean) {
    this.#shell = shell;
    this.#paths = new Map(paths.map((path) => [toolName(path), path]));
    this.#write = write;
    this.#peer = new Peer(shell.out);
  }

  serve(): Promise<void> {
    return this.#peer.serve(this.#shell.in, this.#shell.signal, async (method, params, signal) => {
      const meta = (params._meta ?? {}) as Meta;
      const isNew = meta[`${META}protocolVersion`] === NEWEST;
      const result = await this.#answer(method, params, { meta, isNew, signal });
      return isNew ? this.#withMeta(method, result) : result;
    });
  }

  #answer(
    method: string,
    params: Params,
    context: { meta: Meta; isNew: boolean; signal: AbortSignal },
  ): Promise<object> | object {
    switch (method) {
      case "initialize": {
        this.#clientCapabilities = (params.capabilities ?? {}) as Params;
        const version = WITH_HANDSHAKE.find((one) => one === params.protocolVersion) ?? WITH_HANDSHAKE[0]!;
        this.#peer.acceptsBatches = version === WITH_BATCHES;
        return {
          protocolVersion: version,
          capabilities: { tools: {} },
          serverInfo: this.#info(),
          instructions: INSTRUCTIONS,
        };
      }
      case "server/discover":
        return { supportedVersions: [NEWEST], capabilities: { tools: {} }, instructions: INSTRUCTIONS };
      case "ping":
        return {};
      case "tools/list":
        if (params.cursor !== undefined) throw badParams("There is no such cursor: the list has one page.");
        return { tools: [...this.#paths.values()].map(toolOf) };
      case "tools/call":
        return this.#callTool(params, context);
      default:
        throw noMethod(method);
    }
  }

  #info(): object {
    return { name: "parley", version: this.#shell.host.version };
  }

  #withMeta(method: string, result: object): object {
    const cached = method === "tools/call" ? {} : { ttlMs: 0, cacheScope: "private" };
    return { resultType: "complete", ...cached, ...result, _meta: { [`${META}serverInfo`]: this.#info() } };
  }

  #unavailableReason(name: unknown): string {
    if (typeof name !== "string") return "name must be the name of a tool.";
    const path = commands.paths.find((one) => toolName(one) === name);
    const needsWrite = path !== undefined && !isReadOnly(path) && !this.#write;
    return `There is no tool ${name}${needsWrite ? ": it changes something, and parley mcp was started without --write" : ""}.`;
  }

  async #callTool(
    params: Params,
    { meta, isNew, signal }: { meta: Meta; isNew: boolean; signal: AbortSignal },
  ): Promise<object> {
    const path = this.#paths.get(String(params.name));
    if (path === undefined) throw badParams(this.#unavailableReason(params.name));
    const args = params.arguments ?? {};
    if (!isObject(args)) throw badParams("arguments must be an object.");
    const token = meta.progressToken;
    const capabilities = isNew
      ? ((meta[`${META}clientCapabilities`] ?? {}) as Params)
      : this.#clientCapabilities;
    const answers = params.inputResponses as Record<string, unknown> | undefined;
    let openQuestion: Question | undefined;
    const answer = await callTool(this.#shell, {
      path,
      args,
      readOnly: !this.#write,
      signal: AbortSignal.any([signal, this.#shell.signal]),
      progress: (progress, total, message) => {
        if (token !== undefined)
          this.#peer.notify("notifications/progress", { progressToken: token, progress, total, message });
      },
      confirmer: async (question) => {
        if (capabilities.elicitation === undefined) throw cannotAsk(question);
        if (!isNew)
          return isYes(
            question,
            await this.#peer.request(
              "elicitation/create",
              { mode: "form", ...questionForm(question) },
              signal,
            ),
          );
        if (answers?.answer !== undefined) return isYes(question, answers.answer);
        openQuestion = question;
        throw new ExitError(130, "Cancelled.");
      },
    });
    if (!openQuestion) return answer;
    const request = { method: "elicitation/create", params: { mode: "form", ...questionForm(openQuestion) } };
    return { resultType: "input_required", inputRequests: { answer: request } };
  }
}

export default command({
  shell: true,
  group: "Scripts",
  summary: "Serve the commands to an AI assistant over standard input and output (MCP)",
  examples: ["mcp", "mcp --list", "mcp --write --tool 'message *' --tool search"],
  allowsDryRun: true,
  args: {
    write: { kind: "flag", help: "Also offer commands that change something; they ask as on a terminal" },
    ops: { kind: "flag", help: "Also offer commands that need the app's secret" },
    tool: {
      kind: "list",
      value: "command",
      help: "Offer only this command, or 'channel *' for a noun (repeatable); a profile's own list narrows it further",
    },
    list: { kind: "flag", help: "Print the tools that would be offered, and exit" },
  },
  async run(shell: Shell, { write, ops, tool, list }) {
    const profile = profileOf(shell, undefined);
    requireTools(tool);
    const allowed = [tool.length > 0 ? tool : undefined, profile.tools];
    const paths = offered({ write, ops, allowed });
    if (paths.length === 0) throw new ExitError(2, "No tools would be offered.", "parley mcp --list");
    if (list)
      return showList(shell, paths.map(toolOf), ({ name, description, annotations }) =>
        rowView({
          tool: name,
          reads: annotations.readOnlyHint,
          asks: annotations.destructiveHint,
          what: description,
        }),
      );
    if (shell.tty.in)
      throw new ExitError(
        2,
        "parley mcp is for AI assistants and needs a pipe as standard input.",
        "parley mcp --list shows the tools",
      );
    await new Server(shell, paths, write).serve();
    return 0;
  },
});
