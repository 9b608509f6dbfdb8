// OpenAI's codex (0.169.0): how it is started, and what pawl knows about it outside its sessions.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import { type Adapter, type Diagnosis, hostsBy, settingsAt, type Whereabouts } from '../adapter.ts';
import type { Agent } from '../agent.ts';
import { AppServer } from './app-server.ts';

export const codexAdapter: Adapter = {
  npmPackage: '@openai/codex',
  variables: /^(OPENAI_|CODEX_)/,
  outerVariables: ['CODEX_THREAD_ID'],
  obeys: settingsAt(['.codex']),
  make: ({ agent }) => codexAgent(agent.codex),
  apiHosts: (env) =>
    hostsBy(env['OPENAI_BASE_URL'], ['api.openai.com:443', 'chatgpt.com:443', 'auth.openai.com:443']),
  billingOf: () => 'the account codex is logged in with',
  examineLogin: (_, where) => judgeLogin(where),
  permissionsOf: () => 'full access',
  // Since 0.72 the app server opens a thread as now; from 0.43 on by another protocol.
  oldestKnown: { version: [0, 72], update: 'npm install --global @openai/codex' },
};

export function codexAgent(settings: Readonly<Config['agent']['codex']>): Agent {
  return {
    name: 'codex',
    can: {
      usage: true,
      cost: false,
      schema: true,
      followUp: true,
      plainAnswer: false,
      resume: true,
    },
    pieces,
    blindHint:
      'see whether `codex sandbox -- true` works by hand; bubblewrap before 0.9 needs a CODEX_HOME outside temporary folders',
    firstEventHint: 'see whether `codex app-server` starts by hand; a version without it is too old',
    command: ({ trusted }) => ({
      file: settings.command,
      // Without consent AGENTS.md is not read.
      args: [...settings.args, 'app-server', ...(trusted ? [] : ['-c', 'project_doc_max_bytes=0'])],
      env: {},
    }),
    open: (opening) => new AppServer(opening, settings),
  };
}

/** The server prints `method` first; another order is parsed like any line. */
const pieces = [
  '{"method":"item/agentMessage/delta"',
  '{"method":"item/reasoning/',
  '{"method":"item/commandExecution/outputDelta"',
];

/** A provider of the user's own may need none. */
function judgeLogin({ env, home, isInside }: Whereabouts): Diagnosis {
  if (env['OPENAI_API_KEY'] || env['CODEX_API_KEY']) return { state: 'ok', says: 'API account of its key' };
  const folder = env['CODEX_HOME'] || path.join(home, '.codex');
  const isThere = (file: string) => existsSync(path.join(folder, file));
  if (isThere('auth.json')) return { state: 'ok', says: 'login kept by codex' };
  const remedy = isInside
    ? 'Let its key into the sandbox: OPENAI_API_KEY.'
    : 'codex login, or set OPENAI_API_KEY; a provider in its config.toml may need neither.';
  return { state: 'warn', says: 'no login found', remedy };
}
