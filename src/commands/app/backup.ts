/** Writes all settings of the app into a file for plan and apply; secrets are left blank. */
import { requireWritable } from "../base/file-problem.ts";
import { command, OUTPUT_WRITTEN } from "../base/define-command.ts";
import { loadYaml } from "../base/json.ts";

const FILE_HEADER = `# The settings of an app. parley plan shows the differences, parley apply applies them.
# Secrets are blank; a blank secret stays unchanged.
`;

export default command({
  summary: "Write the app's settings, types, roles, grants and lists to a file",
  changes: "local",
  examples: ["app backup --out app.yaml", "parley app backup | parley plan -", "app backup --json"],
  args: {
    out: {
      kind: "file",
      value: "file",
      help: "Output file (YAML); - is standard output (default: print JSON)",
    },
    force: { kind: "flag", help: "Overwrite an existing file" },
  },
  needs: "secret",
  shellOnly: "works on files",
  async run(call) {
    const { out, force } = call.args;
    if (out !== undefined && (out !== "-" || !call.output)) await requireWritable(out, force === true);
    const { currentApp } = await import("./file/current.ts");
    const { current } = await currentApp(call.core);
    if (out === undefined) return current;
    const yaml = await loadYaml();
    const text = `${FILE_HEADER}${yaml.stringify(current, { lineWidth: 0, aliasDuplicateObjects: false })}`;
    if (out === "-" && call.output) {
      await call.output(new TextEncoder().encode(text));
      return OUTPUT_WRITTEN;
    }
    if (!call.dry) (await import("../../model/files/own-files.ts")).replaceOwn(out, text);
    return { file: out, ...(call.dry ? { dry_run: true } : {}) };
  },
  show: (made) =>
    typeof made === "symbol" || !("file" in made)
      ? { kind: "text", lines: JSON.stringify(made, null, 2).split("\n") }
      : `${made.dry_run ? "would write " : ""}${made.file}`,
});
