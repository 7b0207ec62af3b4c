/** `parley completion`: prints a shell's completion script, which calls `parley __complete`. */
import type { Shell } from "../base/shell.ts";
import { command } from "../../commands/base/define-command.ts";
import { write } from "../base/stdio.ts";

/** Bash splits unquoted words at : and =, so the part before the last of them is removed from the candidates. */
const BASH = `# parley completion for bash
_parley() {
  local line="\${COMP_LINE:0:COMP_POINT}" words cur prefix="" q="['\\"]"
  read -r -a words <<< "$line"
  [[ "$line" == *' ' ]] && words+=("")
  cur="\${words[\${#words[@]}-1]}"
  [[ "$cur" == $q* ]] || prefix="\${cur%"\${cur##*[:=]}"}"
  words=("\${words[@]#$q}")
  words=("\${words[@]%$q}")
  COMPREPLY=()
  local value
  while IFS=$'\\t' read -r value _; do
    COMPREPLY+=("\${value#"$prefix"}")
  done < <(parley __complete -- "\${words[@]:1}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -eq 0 ]] && compopt -o default
}
complete -F _parley parley
`;

/** In zsh PREFIX is the word without its quote; after `--flag=`, files are completed by the value alone. */
const ZSH = `#compdef parley
_parley() {
  local -a lines values texts
  lines=("\${(@f)$(parley __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  local line
  for line in $lines; do
    [[ -n "$line" ]] || continue
    values+=("\${line%%$'\\t'*}")
    texts+=("\${line/$'\\t'/  }")
  done
  if (( \${#values} )); then
    compadd -d texts -a values
  else
    [[ "$PREFIX" == --*=* ]] && compset -P '*='
    _files
  fi
}
if [[ "$funcstack[1]" == _parley ]]; then _parley "$@"; else compdef _parley parley; fi
`;

/** The word may begin with a quote; after `--flag=`, files are completed by the value alone. */
const FISH = `# parley completion for fish
function __parley_complete
  set -l typed (string unescape -- (string replace -r '^["\\']' '' -- (commandline -ct)))
  set -l words (commandline -opc) "$typed"
  set -l found (parley __complete -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    set -l flag (string match -r -- '^--[^=]+=' "$typed")
    __fish_complete_path (string replace -r -- '^--[^=]+=' '' "$typed") | string replace -r -- '^' "$flag"
  end
end
complete -c parley -f -a '(__parley_complete)'
`;

const POWERSHELL = `# parley completion for PowerShell
Register-ArgumentCompleter -Native -CommandName parley -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '' }
  parley __complete -- @words 2>$null | ForEach-Object {
    $value, $text = $_ -split "\`t", 2
    if (-not $text) { $text = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $text)
  }
}
`;

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
};

export default command({
  shell: true,
  group: "Setup",
  summary: "Print the completion script for a shell",
  skipsConfig: true,
  examples: ["completion bash >> ~/.bashrc", "completion fish > ~/.config/fish/completions/parley.fish"],
  allowsDryRun: true,
  args: {
    shell: {
      kind: "choice",
      positional: true,
      choices: ["bash", "zsh", "fish", "powershell"],
      help: "bash, zsh, fish or powershell",
    },
  },
  async run({ out }: Shell, { shell }) {
    await write(out, SCRIPTS[shell]!);
    return 0;
  },
});
