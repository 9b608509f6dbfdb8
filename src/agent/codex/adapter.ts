// What pawl needs to know about OpenAI's codex (0.169.0) outside its sessions.
import { type Adapter, type Answer, type Finding, hostsBy } from '../adapter.ts';
import { codexAgent } from './codex.ts';

/** codex. */
export const codexAdapter: Adapter = {
  npmPackage: '@openai/codex',
  variables: /^(OPENAI_|CODEX_)/,
  outerVariables: {
    CODEX_THREAD_ID: 'names the outer codex session',
  },
  make: ({ agent }) => codexAgent(agent.codex),
  apiHosts: (env) => hostsBy(env['OPENAI_BASE_URL'], ['api.openai.com:443']),
  billingOf: () => 'the account codex is logged in with',
  // A command that does nothing, in its own sandbox.
  trial: { args: ['sandbox', '--', 'true'], judge: judgeTrial },
};

function judgeTrial({ code, stderr }: Answer): Finding {
  if (code === 0) return { state: 'ok', says: 'its sandbox runs commands' };
  const said = stderr.trim().split('\n').at(-1) || 'it does not answer';
  return {
    state: 'warn',
    says: `it can run no command in its sandbox, so its reviews count as missing: ${said}`,
    remedy:
      'bubblewrap 0.9 or newer, or a CODEX_HOME it can write outside temporary folders; `codex sandbox -- true` tries it.',
  };
}
