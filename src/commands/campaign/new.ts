/** Writes a sample campaign file and its JSON schema for editors. */
import { command } from "../base/define-command.ts";
import { writeNew } from "../base/files/write-new.ts";

export default command({
  summary: "Write a starter campaign file",
  changes: "local",
  examples: ["campaign new spring.yaml --sender ana", "campaign new --schema > campaign.schema.json"],
  args: {
    file: {
      kind: "file",
      positional: true,
      optional: true,
      help: "Output file (default: print it)",
    },
    sender: { kind: "user", help: "The user it is sent as" },
    schema: { kind: "flag", help: "Print the JSON schema of campaign files instead" },
  },
  shellOnly: "works on files",
  offline: true,
  async run(call) {
    const { file, sender = "ana", schema } = call.args;
    const { campaignSchema, SCHEMA_FILE } = await import("./file/schema.ts");
    const { sampleFile } = await import("./file/sample.ts");
    if (schema) return campaignSchema();
    const path = await import("node:path");
    const id = file === undefined ? "spring" : path.parse(file).name.replace(/[^\w-]/g, "-");
    const text = sampleFile(id, sender);
    if (file === undefined) return { text };
    await writeNew(file, text, call.dry);
    const schemaFile = path.join(path.dirname(file), SCHEMA_FILE);
    if (call.dry) return { file, schema: schemaFile, campaign: id, dry_run: true };
    const { writeFile } = await import("node:fs/promises");
    await writeFile(schemaFile, `${JSON.stringify(campaignSchema(), null, 2)}\n`);
    return { file, schema: schemaFile, campaign: id };
  },
  show: (result) =>
    "file" in result
      ? "dry_run" in result
        ? `would write ${String(result.file)} and ${String(result.schema)}`
        : `${String(result.file)} and ${String(result.schema)} written; next: parley campaign check ${String(result.file)}`
      : {
          kind: "text",
          lines: ("text" in result ? String(result.text) : JSON.stringify(result, null, 2))
            .replace(/\n$/, "")
            .split("\n"),
        },
});
