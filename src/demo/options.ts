// What the scripted agent takes from its command line and environment: the script, and of Claude Code's flags those
// that change what it prints. All others are accepted and ignored.
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { demoScript } from './demo-script.ts';
import { parseScript, type Script } from './script.ts';

/** How one process of the scripted agent runs. */
export type AgentOptions = Readonly<{
  script: Script;
  /** Where the script came from; undefined: the built-in demo. */
  scriptFile: string | undefined;
  input: 'text' | 'stream-json';
  output: 'text' | 'json' | 'stream-json';
  /** Prompt on the command line; empty when it comes through stdin. */
  prompt: string;
  model: string;
  sessionId: string | undefined;
  /** Id of the conversation to go on with. */
  resume: string | undefined;
  permissionMode: string;
  /** `--json-schema` was given. */
  hasSchema: boolean;
  /** `--include-partial-messages` was given. */
  hasPieces: boolean;
  env: Readonly<Record<string, string | undefined>>;
}>;

const switches = new Set([
  '-p',
  '--print',
  '-c',
  '--continue',
  '--verbose',
  '--dangerously-skip-permissions',
  '--allow-dangerously-skip-permissions',
  '--include-partial-messages',
  '--include-hook-events',
  '--replay-user-messages',
  '--forward-subagent-text',
  '--strict-mcp-config',
  '--no-session-persistence',
  '--fork-session',
  '--bare',
  '--safe-mode',
]);

/** Reads argv (without node and the file); `--script FILE` or `SCRIPTED_AGENT_SCRIPT` names the script. */
export function readOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AgentOptions {
  const { values, prompt } = parseFlags(argv);
  const scriptFile = values.get('--script') ?? env['SCRIPTED_AGENT_SCRIPT'];
  const bypass = argv.includes('--dangerously-skip-permissions') ? 'bypassPermissions' : 'default';
  return {
    script: scriptFile === undefined ? demoScript : parseScript(readFileSync(scriptFile, 'utf8')),
    scriptFile,
    input: values.get('--input-format') === 'stream-json' ? 'stream-json' : 'text',
    output: outputOf(values.get('--output-format')),
    prompt,
    model: values.get('--model') ?? 'scripted',
    sessionId: values.get('--session-id'),
    resume: values.get('--resume'),
    permissionMode: values.get('--permission-mode') ?? bypass,
    hasSchema: values.has('--json-schema'),
    hasPieces: argv.includes('--include-partial-messages'),
    env,
  };
}

function outputOf(format: string | undefined): AgentOptions['output'] {
  return format === 'stream-json' || format === 'json' ? format : 'text';
}

function parseFlags(argv: readonly string[]): { values: Map<string, string>; prompt: string } {
  const values = new Map<string, string>();
  const words: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (!word.startsWith('-')) {
      words.push(word);
      continue;
    }
    const [name = '', ...rest] = word.split('=');
    if (rest.length > 0) values.set(name, rest.join('='));
    else if (!switches.has(name)) {
      values.set(name, argv[at + 1] ?? '');
      at += 1;
    }
  }
  return { values, prompt: words.join(' ') };
}

/** Grants turns that answer once: `session` within this conversation, whose turns so far are `taken`, `ever` among all processes of the script file, by a folder beside it. */
export function claimer(
  scriptFile: string | undefined,
  taken: Set<number>,
): (index: number, scope: 'ever' | 'session') => boolean {
  return (index, scope) => {
    if (taken.has(index)) return false;
    if (scope === 'ever' && scriptFile !== undefined && !claimFolder(scriptFile, index)) return false;
    taken.add(index);
    return true;
  };
}

function claimFolder(scriptFile: string, index: number): boolean {
  const folder = `${scriptFile}.used`;
  mkdirSync(folder, { recursive: true });
  try {
    mkdirSync(path.join(folder, String(index)));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
