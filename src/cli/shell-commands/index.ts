/** The table of shell-only commands, and the tree of all commands; their code is loaded when they run. */
import { CommandTree } from "../base/command-tree.ts";
import type { ShellCommand } from "../base/shell-command.ts";
import { aliasCommands } from "./alias/index.ts";
import { api } from "./api/index.ts";
import { auditCommands } from "./audit/index.ts";
import { chatCommand } from "./chat/index.ts";
import { completeCommand } from "./complete/index.ts";
import { completion } from "./completion/index.ts";
import { configCommands } from "./config/index.ts";
import { describe } from "./describe/index.ts";
import { doctor } from "./doctor/index.ts";
import { eventShellCommands } from "./event/index.ts";
import { help } from "./help/index.ts";
import { localCommands } from "./local/index.ts";
import { login } from "./login/index.ts";
import { logout } from "./logout/index.ts";
import { mcp } from "./mcp/index.ts";
import { notify } from "./notify/index.ts";
import { profileCommands } from "./profile/index.ts";
import { screenCommands } from "./screen/index.ts";
import { send } from "./send/index.ts";
import { tailCommand } from "./tail/index.ts";
import { tokenCommands } from "./token/index.ts";
import { userShellCommands } from "./user/index.ts";
import { webhookCommands } from "./webhook/index.ts";
import { whoami } from "./whoami/index.ts";

const shellCommands: Readonly<Record<string, ShellCommand>> = {
  chat: chatCommand,
  send,
  tail: tailCommand,
  notify,
  whoami,
  login,
  logout,
  ...profileCommands,
  ...configCommands,
  ...aliasCommands,
  doctor,
  completion,
  ...localCommands,
  api,
  describe,
  ...screenCommands,
  mcp,
  ...auditCommands,
  ...eventShellCommands,
  ...userShellCommands,
  ...webhookCommands,
  ...tokenCommands,
  help,
  __complete: completeCommand,
};

export const tree = new CommandTree(shellCommands);
