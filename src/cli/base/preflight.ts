/** Predicts in a dry run what the provider would refuse: invalid values, missing permissions, unknown or taken names, wrong states. */
import { valueProblems } from "../../commands/base/files/value-problems.ts";
import { CommandError } from "../../commands/base/define-command.ts";
import { bodyOf } from "../../wire/bodies/index.ts";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import { exitOf } from "./exit.ts";
import { KINDS, type PreflightCore, type PreflightKind } from "./preflight-kinds.ts";
import { asFields, asList, NEEDS, type PlannedArgs, type Need } from "./preflight-needs.ts";
import { STATES } from "./preflight-states.ts";
import type { PlannedCall, StateCheck } from "./preflight-check.ts";
import { requireRights, requireUnbannedCaller } from "./preflight-rights.ts";
import type { Fields } from "../../wire/json-object.ts";

/** Throws when a path of a partial update has a step that is empty or contains spaces. */
function requireFieldPaths({ set, unset }: Fields): void {
  const invalid = [...Object.keys(asFields(set)), ...(asList(unset) as string[])].find((path) =>
    path.split(".").some((step) => step === "" || /\s/.test(step)),
  );
  if (invalid !== undefined) throw new CommandError("rejected", `${invalid} is not a path.`);
}

/** Checks each call of a dry run as if the calls planned before it had been made. */
export class Preflight {
  readonly #core: PreflightCore;
  readonly #created = new Set<string>();
  readonly #planned: PlannedCall[] = [];
  #unbanned: Promise<unknown> | undefined;

  constructor(core: PreflightCore) {
    this.#core = core;
  }

  /** Throws the error that the provider would answer; returns one that would affect only some of several items. */
  async check(name: EndpointName, callArgs: object): Promise<CommandError | undefined> {
    let partial: CommandError | undefined;
    const args = callArgs as PlannedArgs;
    const body = args.body ?? {};
    for (const { path, message } of valueProblems(bodyOf(name), body))
      throw new CommandError("rejected", `${path.join(".")} ${message}.`);
    for (const fields of [body, ...asList(body.users).map(asFields)]) requireFieldPaths(fields);
    await (this.#unbanned ??= this.#unlessHidden(() => requireUnbannedCaller(this.#core)));
    await this.#unlessHidden(() => requireRights(this.#core, name, { path: {}, ...args, body }));
    for (const need of NEEDS[name]?.({ ...args, body }) ?? []) {
      const names = asList(need.names).filter((one) => typeof one === "string" && one !== "");
      if (names.length === 0) continue;
      const problem = await this.#checkNames({ ...need, names: [...new Set(names as string[])] });
      partial ??= problem;
    }
    const { path = {}, query = {} } = args;
    partial ??= await this.#unlessHidden(() =>
      STATES[name]?.(this.#core, { path, query, body }, this.#planned),
    );
    this.#planned.push({ name, ...args });
    if (name === "upsertUsers") this.#addCreated("user", Object.keys(asFields(body.users)));
    return partial;
  }

  /** Skips a check whose reads are refused; a read that finds nothing is reported by other checks. */
  async #unlessHidden(check: () => ReturnType<StateCheck> | undefined): Promise<CommandError | undefined> {
    try {
      return (await check()) ?? undefined;
    } catch (error) {
      if (!(error instanceof CommandError) && [3, 4, 5].includes(exitOf(error))) return undefined;
      throw error;
    }
  }

  #addCreated(kind: PreflightKind, names: readonly string[]): void {
    for (const name of names) this.#created.add(`${kind} ${name}`);
  }

  /** Skips kinds that the user may not read. */
  async #checkNames({ kind, names, missing }: Need & { names: string[] }): Promise<CommandError | undefined> {
    const unchecked = names.filter((name) => !this.#created.has(`${kind} ${name}`));
    if (unchecked.length === 0) return undefined;
    let existing: ReadonlySet<string>;
    try {
      existing = new Set(await KINDS[kind].findExisting(this.#core, unchecked));
    } catch (error) {
      if (exitOf(error) === 5) return undefined;
      throw error;
    }
    const { label } = KINDS[kind];
    const [first, ...others] = unchecked.filter((name) => existing.has(name) === (missing === "taken"));
    if (missing === "taken") {
      if (first !== undefined) throw new CommandError("conflict", `${label} ${first} already exists.`);
      this.#addCreated(kind, names);
      return undefined;
    }
    if (first === undefined) return undefined;
    const problem = new CommandError(
      missing,
      others.length === 0
        ? `${label} ${first} does not exist.`
        : `There are no ${label.toLowerCase()}s ${[first, ...others].join(", ")}.`,
    );
    if (missing === "partial") return problem;
    throw problem;
  }
}
