// The settings of the sandbox.

import { z } from 'zod';
import { agentNames } from '../agent-name.ts';
import { choice, list, loosens, runs, text } from './form.ts';
import { meanings } from './meanings.ts';

export const sandboxSchema = z.strictObject({
  kind: loosens(choice(meanings['sandbox.kind'].choices, meanings['sandbox.kind'].says)).prefault('none'),
  image: runs(
    text('Existing image for the container; default: pawl builds one when it is missing.'),
  ).optional(),
  agents: runs(
    z
      .array(z.enum(agentNames))
      .describe('Agents that pawl’s own image has besides Claude Code and codex; their newest versions.'),
  ).prefault([]),
  setup: runs(
    text(
      'Command that is run as root as the last layer of the image, e.g. apt-get update && apt-get install -y python3.',
    ),
  ).optional(),
  mounts: loosens(
    list(
      'Folders of this machine that are visible inside, as HOST[:INSIDE][:rw]; read-only unless :rw is given. Not allowed in a project’s file.',
    ),
  ).prefault([]),
  protect: loosens(
    list(
      'Files and folders of the working tree that are read-only inside, because programs of this machine run or obey them; FOLDER/* means the files in a folder. What a task lists under files: stays writable. Not allowed in a project’s file.',
    ),
  ).prefault([
    ...['.claude', '.mcp.json', '.pawl', '.codex', '.gemini', '.qwen', '.kimi'],
    ...['.opencode', 'opencode.json', 'opencode.jsonc'],
    ...['.vscode', '.idea', '.devcontainer', '.envrc', '.husky/*'],
  ]),
  env: loosens(
    list(
      'Environment variables for programs inside, as NAME or NAME=value. Not allowed in a project’s file.',
    ),
  ).prefault([]),
  egress: loosens(
    choice(
      ['restricted', 'open', 'none'],
      'Hosts that can be reached from inside. restricted: the agent’s API, package registries and sandbox.allow. open: every public address. none: the agent’s API only. Not allowed in a project’s file.',
    ),
  ).prefault('restricted'),
  allow: loosens(
    list(
      'More hosts that can be reached, as HOST, HOST:PORT, *.HOST or ADDRESS[/PREFIX]; a local address must be listed itself, and localhost:PORT is this machine’s port, by the same number inside. Not allowed in a project’s file.',
    ),
  ).prefault([]),
  memory: loosens(
    z
      .string()
      .regex(/^\d+(\.\d+)?[kmg]$/i)
      .describe('Memory limit of the container, e.g. 4g.'),
  ).prefault('4g'),
});
