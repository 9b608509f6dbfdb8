// What pawl needs to know about OpenAI's codex (0.169.0) outside its sessions.
import { type Adapter, type Answer, type Finding, hostsBy, type Trial } from '../adapter.ts';
import { codexAgent } from './codex.ts';
import { judgeLogin } from './login.ts';

/** codex. */
export const codexAdapter: Adapter = {
  npmPackage: '@openai/codex',
  variables: /^(OPENAI_|CODEX_)/,
  outerVariables: {
    CODEX_THREAD_ID: 'names the outer codex session',
  },
  make: ({ agent }) => codexAgent(agent.codex),
  apiHosts: (env) =>
    hostsBy(env['OPENAI_BASE_URL'], ['api.openai.com:443', 'chatgpt.com:443', 'auth.openai.com:443']),
  billingOf: () => 'the account codex is logged in with',
  examineLogin: (_, where) => judgeLogin(where),
  permissionsOf: ({ agent: { codex } }) => (codex.sandbox === 'none' ? 'full access' : codex.sandbox),
  trialsOf: ({ agent: { codex } }, { works, reviews }) => [
    ...(works && codex.protocol === 'app-server' ? [appServer] : []),
    ...(reviews || codex.sandbox !== 'none' ? [ownSandbox] : []),
  ],
};

const appServer: Trial = { args: ['app-server', '--help'], judge: judgeServer };

/** A command that does nothing. */
const ownSandbox: Trial = { args: ['sandbox', '--', 'true'], judge: judgeSandbox };

function judgeServer({ code }: Answer): Finding {
  if (code === 0) return { state: 'ok', says: 'its app server is there' };
  return {
    state: 'fail',
    says: 'this version has no app server, by which pawl speaks with it',
    remedy:
      'Update it (npm install --global @openai/codex), or --set agent.codex.protocol=exec: no corrections in the same process then, no steering, no reset of a limit.',
  };
}

function judgeSandbox({ code, stderr }: Answer): Finding {
  if (code === 0) return { state: 'ok', says: 'its sandbox runs commands' };
  const said = stderr.trim().split('\n').at(-1) || 'it does not answer';
  return {
    state: 'warn',
    says: `it can run no command in its sandbox, so its reviews count as missing: ${said}`,
    remedy:
      'bubblewrap 0.9 or newer, or a CODEX_HOME it can write outside temporary folders; `codex sandbox -- true` tries it.',
  };
}
