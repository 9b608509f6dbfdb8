// Who pays for the agent, and may it work as this user. No token is spent.
import { judgeBilling, type Logins } from '../../config/login.ts';
import { loginsOf } from '../logins.ts';
import { isScripted, scriptedBilling } from '../scripted-agent.ts';
import type { Entry, Eyes, Found } from './entry.ts';
import { fail, makeEntry, ok, warn } from './entry.ts';

/** Entries about what the agent is given. */
export const loginEntries: readonly Entry[] = [
  makeEntry('login', lookLogin, judgeLogin),
  makeEntry('permissions', lookPermissions, judgePermissions),
];

type LoginSeen = Readonly<{
  name: string;
  scripted: boolean;
  apiKey: 'auto' | 'keep' | 'drop';
  logins: Logins;
}>;

function lookLogin({ config, context }: Eyes): LoginSeen {
  const logins = loginsOf(context, config);
  return {
    name: config.agent.name,
    scripted: isScripted(config),
    apiKey: config.agent.claude.apiKey,
    logins,
  };
}

function judgeLogin({ name, scripted, apiKey, logins }: LoginSeen): Found | undefined {
  if (name !== 'claude') return undefined;
  if (scripted) return ok(scriptedBilling);
  const { otherLogin, dropApiKey, billing } = judgeBilling(apiKey, logins);
  if (otherLogin || (logins.apiKey && !dropApiKey)) return ok(billing);
  if (logins.hidden) return warn(billing, 'claude, then /login, if you never did');
  return fail(
    billing,
    'Start claude and /login, or set CLAUDE_CODE_OAUTH_TOKEN (claude setup-token) or ANTHROPIC_API_KEY.',
  );
}

type PermissionsSeen = Readonly<{
  name: string;
  permissions: string;
  uid: number | undefined;
  /** This machine says that it is one. */
  sandbox: boolean;
  /** The agent runs in one of pawl's. */
  inside: boolean;
}>;

function lookPermissions({ config, context: { uid, env } }: Eyes): PermissionsSeen {
  const sandbox = env['IS_SANDBOX'] === '1' || env['CLAUDE_CODE_BUBBLEWRAP'] === '1';
  return {
    name: config.agent.name,
    permissions: config.agent.claude.permissions,
    uid,
    sandbox,
    inside: config.sandbox.kind !== 'none',
  };
}

function judgePermissions({ name, permissions, uid, sandbox, inside }: PermissionsSeen): Found | undefined {
  if (name !== 'claude') return undefined;
  if (permissions !== 'bypass') return ok(`${permissions}: what would ask is denied`);
  if (inside) return ok('bypass: the agent may do what its sandbox lets it');
  if (uid !== 0) return ok('bypass: the agent may do what you may');
  if (sandbox)
    return warn('bypass as root: the agent may do anything on this machine, which says it is a sandbox');
  return fail(
    'Claude Code refuses bypass as root',
    'Run as another user, or set IS_SANDBOX=1 yourself if this machine is a sandbox, or agent.claude.permissions: acceptEdits.',
  );
}
