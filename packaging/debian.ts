/** Builds a Debian package of the built program, with the Node it was tested with: dist-deb/parley_<version>_<architecture>.deb. */
// docs/releasing.md says why Node is inside. The package has no maintainer scripts: installing it copies files and starts nothing.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { root } from "../scripts/bundle.ts";
import { runFiles } from "../scripts/executable/parts.ts";

const NODE = "node_modules/node";
/** Finds its files beside itself too, for a root other than `/`. */
const STARTER = `#!/bin/sh
lib="\${0%/*}/../lib/parley"
[ -d "$lib" ] || lib=/usr/lib/parley
exec "$lib/${NODE}/bin/node" "$lib/bin/parley.js" "$@"
`;
const COMPLETIONS = {
  bash: "usr/share/bash-completion/completions/parley",
  zsh: "usr/share/zsh/vendor-completions/_parley",
  fish: "usr/share/fish/vendor_completions.d/parley.fish",
} as const;

const { version, description } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  version: string;
  description: string;
};
const read = (name: string): Buffer => readFileSync(path.join(root, name));

/** Writes and copies files below the folder that becomes the package. */
class Tree {
  readonly folder: string;
  bytes = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  #place(name: string): string {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o755 });
    return file;
  }

  write(name: string, content: string | Buffer, mode = 0o644): void {
    const file = this.#place(name);
    writeFileSync(file, content);
    chmodSync(file, mode);
    this.bytes += content.length;
  }

  copy(name: string, from: string, mode = 0o644): void {
    const file = this.#place(name);
    copyFileSync(from, file);
    chmodSync(file, mode);
    this.bytes += statSync(file).size;
  }
}

function addProgram(tree: Tree): void {
  for (const name of runFiles()) {
    const from = path.join(root, name);
    tree.copy(`usr/lib/parley/${name}`, from, (statSync(from).mode & 0o111) === 0 ? 0o644 : 0o755);
  }
  tree.copy(`usr/lib/parley/${NODE}/bin/node`, process.execPath, 0o755);
  tree.write("usr/bin/parley", STARTER, 0o755);
}

/** The text of Node's licence, which its package has for this system. */
function nodeLicence(): Buffer {
  const [file] = globSync(`${NODE}/node_modules/node-*/LICENSE`, { cwd: root });
  if (file === undefined) throw new Error("The licence of Node is not in node_modules.");
  return read(file);
}

function addDocuments(tree: Tree): void {
  const licences = [read("LICENSE"), "\n\nNode.js:\n\n", nodeLicence()];
  tree.write("usr/share/doc/parley/copyright", Buffer.concat(licences.map((part) => Buffer.from(part))));
  tree.write("usr/share/doc/parley/changelog.gz", gzipSync(read("CHANGELOG.md"), { level: 9 }));
  for (const page of globSync("dist/man/*.1", { cwd: root }).toSorted())
    tree.write(`usr/share/man/man1/${path.basename(page)}.gz`, gzipSync(read(page), { level: 9 }));
}

/** The built program prints them itself. */
function addCompletions(tree: Tree, home: string): void {
  for (const [shell, name] of Object.entries(COMPLETIONS)) {
    const args = [path.join(root, "bin/parley.js"), "completion", shell];
    tree.write(name, execFileSync(process.execPath, args, { env: { HOME: home, PATH: process.env.PATH } }));
  }
}

const controlOf = (bytes: number, architecture: string): string => `Package: parley
Version: ${version}
Architecture: ${architecture}
Maintainer: The Parley authors <parley@localhost>
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6
Section: net
Priority: optional
Description: terminal chat client
 ${description}
`;

function build(temporary: string, out: string | undefined, compression: string): string {
  const tree = new Tree(path.join(temporary, "tree"));
  const home = path.join(temporary, "home");
  mkdirSync(home);
  addProgram(tree);
  addDocuments(tree);
  addCompletions(tree, home);
  const architecture = execFileSync("dpkg", ["--print-architecture"], { encoding: "utf8" }).trim();
  tree.write("DEBIAN/control", controlOf(tree.bytes, architecture));
  const file = out ?? path.join(root, "dist-deb", `parley_${version}_${architecture}.deb`);
  mkdirSync(path.dirname(file), { recursive: true });
  execFileSync("dpkg-deb", [`-Z${compression}`, "--root-owner-group", "--build", tree.folder, file]);
  return file;
}

const { values } = parseArgs({
  options: { out: { type: "string" }, compression: { type: "string", default: "xz" } },
});
const temporary = mkdtempSync(path.join(tmpdir(), "parley-deb-"));
try {
  const file = build(temporary, values.out, values.compression);
  process.stdout.write(
    `${file}: ${Math.round(statSync(file).size / 1e6)} MB, Node ${process.versions.node}\n`,
  );
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
