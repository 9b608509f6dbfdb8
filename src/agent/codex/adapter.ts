// What pawl knows about OpenAI's codex (0.169.0) outside its sessions.
import { type Adapter, type Answer, type Diagnosis, hostsBy, settingsAt } from '../adapter.ts';
import { codexAgent } from './codex.ts';
import { judgeLogin } from './login.ts';

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
  judgeVersion: (version) => {
    const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
    return { isOlder: major === 0 && minor < firstKnown, update: updating };
  },
  reviewTrial: { args: ['sandbox', '--', 'true'], judge: judgeSandbox },
};

/** Since 0.72 the app server opens a thread as now; from 0.43 on by another protocol. */
const firstKnown = 72;
const updating = 'npm install --global @openai/codex';

function judgeSandbox({ code, stderr }: Answer): Diagnosis {
  if (code === 0) return { state: 'ok', says: 'its sandbox runs commands' };
  const said = stderr.trim().split('\n').at(-1) || 'it does not answer';
  return {
    state: 'warn',
    says: `it can run no command in its sandbox, so its reviews count as missing: ${said}`,
    remedy:
      'bubblewrap 0.9 or newer, or a CODEX_HOME it can write outside temporary folders; `codex sandbox -- true` tries it.',
  };
}
