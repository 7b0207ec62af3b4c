/** Predicts in a dry run what the provider would refuse: values that do not fit, what nobody has granted, names that are not there or are taken, things in another state. */
import { valueProblems } from "../../commands/base/files/value-problems.ts";
import { CommandError } from "../../commands/base/define-command.ts";
import { bodyOf } from "../../wire/bodies/index.ts";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import { exitOf } from "./exit.ts";
import { KINDS, type Calls, type ForeseenKind } from "./foresee-kinds.ts";
import { asFields, asList, NEEDS, type PlannedArgs, type Need } from "./foresee-needs.ts";
import { STATES } from "./foresee-states.ts";
import type { PlannedCall, StateCheck } from "./foresee-check.ts";
import { needRights, needUnbanned } from "./foresee-rights.ts";
import type { Fields } from "../../wire/json-object.ts";

/** What an update in parts names: no step of a path is empty, or holds blanks. */
function needPaths({ set, unset }: Fields): void {
  const wrong = [...Object.keys(asFields(set)), ...(asList(unset) as string[])].find((path) =>
    path.split(".").some((step) => step === "" || /\s/.test(step)),
  );
  if (wrong !== undefined) throw new CommandError("rejected", `${wrong} is not a path.`);
}

/** What is there once all that a dry run has planned so far is done. */
export class Foresight {
  readonly #core: Calls;
  readonly #made = new Set<string>();
  readonly #planned: PlannedCall[] = [];
  #unbanned: Promise<unknown> | undefined;

  constructor(core: Calls) {
    this.#core = core;
  }

  /** Throws what the provider would say: of values that do not fit, of names that are not there, or are taken. What only a part would fail by is given back. */
  async check(name: EndpointName, asked: object): Promise<CommandError | undefined> {
    let partial: CommandError | undefined;
    const given = asked as PlannedArgs;
    const body = given.body ?? {};
    for (const { path, says } of valueProblems(bodyOf(name), body))
      throw new CommandError("rejected", `${path.join(".")} ${says}.`);
    for (const part of [body, ...asList(body.users).map(asFields)]) needPaths(part);
    await (this.#unbanned ??= this.#unlessHidden(() => needUnbanned(this.#core)));
    await this.#unlessHidden(() => needRights(this.#core, name, { path: {}, ...given, body }));
    for (const need of NEEDS[name]?.({ ...given, body }) ?? []) {
      const names = asList(need.names).filter((one) => typeof one === "string" && one !== "");
      if (names.length === 0) continue;
      const left = await this.#needs({ ...need, names: [...new Set(names as string[])] });
      partial ??= left;
    }
    const { path = {}, query = {} } = given;
    partial ??= await this.#unlessHidden(() =>
      STATES[name]?.(this.#core, { path, query, body }, this.#planned),
    );
    this.#planned.push({ name, ...given });
    if (name === "upsertUsers") this.#make("user", Object.keys(asFields(body.users)));
    return partial;
  }

  /** What may not be read is not looked at; what is not there is another rule's. */
  async #unlessHidden(look: () => ReturnType<StateCheck> | undefined): Promise<CommandError | undefined> {
    try {
      return (await look()) ?? undefined;
    } catch (error) {
      if (!(error instanceof CommandError) && [3, 4, 5].includes(exitOf(error))) return undefined;
      throw error;
    }
  }

  #make(kind: ForeseenKind, names: readonly string[]): void {
    for (const one of names) this.#made.add(`${kind} ${one}`);
  }

  /** What may not be read is not looked at. */
  async #needs({ kind, names, missing: how }: Need & { names: string[] }): Promise<CommandError | undefined> {
    const open = names.filter((one) => !this.#made.has(`${kind} ${one}`));
    if (open.length === 0) return undefined;
    let there: ReadonlySet<string>;
    try {
      there = new Set(await KINDS[kind].there(this.#core, open));
    } catch (error) {
      if (exitOf(error) === 5) return undefined;
      throw error;
    }
    const { called } = KINDS[kind];
    const [bad, ...more] = open.filter((one) => there.has(one) === (how === "taken"));
    if (how === "taken") {
      if (bad !== undefined) throw new CommandError("conflict", `${called} ${bad} already exists.`);
      this.#make(kind, names);
      return undefined;
    }
    if (bad === undefined) return undefined;
    const wrong = new CommandError(
      how,
      more.length === 0
        ? `${called} ${bad} does not exist.`
        : `There are no ${called.toLowerCase()}s ${[bad, ...more].join(", ")}.`,
    );
    if (how === "partial") return wrong;
    throw wrong;
  }
}
