// The agent: is it there, does it know who pays, may it work as this user. No token is spent.
import { installerOf, programOf } from '../../agent/shipped.ts';
import { findLogins, judgeBilling, type Logins } from '../../config/login.ts';
import type { Config } from '../../config/schema.ts';
import { isScripted, scriptedBilling } from '../scripted-agent.ts';
import type { Entry, Eyes, Found } from './entry.ts';
import { fail, makeEntry, ok, warn } from './entry.ts';

const testedClaude = [2, 1] as const;

/** Entries about the agent in use. */
export const agentEntries: readonly Entry[] = [
  makeEntry('agent', lookAgent, judgeAgent),
  makeEntry('login', lookLogin, judgeLogin),
  makeEntry('permissions', lookPermissions, judgePermissions),
];

type AgentSeen = Readonly<{
  name: Config['agent']['name'];
  command: string;
  present: boolean;
  version: string | undefined;
  said: string;
  scripted?: boolean;
}>;

async function lookAgent({ config, has, run }: Eyes): Promise<AgentSeen> {
  const { name } = config.agent;
  const command = programOf(config);
  const present = has(command);
  const isAsked = present && name !== 'script';
  const answer = isAsked ? await run(command, [...config.agent[name].args, '--version']) : undefined;
  return {
    name,
    command,
    present,
    version: answer?.code === 0 ? answer.stdout.trim().split('\n')[0] : undefined,
    said: answer?.stderr.trim().split('\n')[0] ?? '',
    scripted: isScripted(config),
  };
}

/** Judges what the agent's program answered. */
export function judgeAgent({ name, command, present, version, said, scripted }: AgentSeen): Found {
  if (!present) {
    return fail(`${command || 'the script'} cannot be started`, remedyOf(name));
  }
  if (name === 'script') return ok(command);
  if (version === undefined) {
    return fail(
      `${command} --version does not answer${said ? `: ${said}` : ''}`,
      'Start it by hand and see.',
    );
  }
  if (name === 'codex' || scripted) return ok(`${command} ${version}`);
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  const [testedMajor, testedMinor] = testedClaude;
  if (major > testedMajor || (major === testedMajor && minor >= testedMinor))
    return ok(`${command} ${version}`);
  return warn(`${command} ${version} is older than what pawl knows`, 'claude update');
}

function remedyOf(name: AgentSeen['name']): string {
  const install = installerOf(name);
  return `${install ? `${install}, or name it` : 'Name a program that exists'}: agent.${name}.command`;
}

type LoginSeen = Readonly<{
  name: string;
  scripted: boolean;
  apiKey: 'auto' | 'keep' | 'drop';
  logins: Logins;
}>;

function lookLogin({ config, context }: Eyes): LoginSeen {
  const logins = findLogins(context.env, context.folders.home, context.platform);
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
  sandbox: boolean;
}>;

function lookPermissions({ config, context: { uid, env } }: Eyes): PermissionsSeen {
  const sandbox = env['IS_SANDBOX'] === '1' || env['CLAUDE_CODE_BUBBLEWRAP'] === '1';
  return { name: config.agent.name, permissions: config.agent.claude.permissions, uid, sandbox };
}

function judgePermissions({ name, permissions, uid, sandbox }: PermissionsSeen): Found | undefined {
  if (name !== 'claude') return undefined;
  if (permissions !== 'bypass') return ok(`${permissions}: what would ask is denied`);
  if (uid !== 0) return ok('bypass: the agent may do what you may');
  if (sandbox)
    return warn('bypass as root: the agent may do anything on this machine, which says it is a sandbox');
  return fail(
    'Claude Code refuses bypass as root',
    'Run as another user, or set IS_SANDBOX=1 yourself if this machine is a sandbox, or agent.claude.permissions: acceptEdits.',
  );
}
