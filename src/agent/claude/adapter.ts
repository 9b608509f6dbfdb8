// What pawl knows about Claude Code (2.1.330) outside its sessions: its files, logins, hosts and permissions.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import { orElse } from '../../or-else.ts';
import {
  type Adapter,
  type ApiHost,
  type Diagnosis,
  hostsBy,
  type ObeyedFiles,
  type SettingsKeys,
  type Whereabouts,
} from '../adapter.ts';
import { startMs } from '../session/session-state.ts';
import { claudeAgent } from './claude.ts';

/** Keys that run, allow or redirect something. */
const settingsKeys: SettingsKeys = {
  hooks: ['runs', 'runs commands at events'],
  mcpServers: ['runs', 'starts or contacts MCP servers'],
  apiKeyHelper: ['runs', 'runs a command for the API key'],
  awsAuthRefresh: ['runs', 'runs a command for AWS credentials'],
  awsCredentialExport: ['runs', 'runs a command for AWS credentials'],
  gcpAuthRefresh: ['runs', 'runs a command for Google credentials'],
  otelHeadersHelper: ['runs', 'runs a command for telemetry headers'],
  statusLine: ['runs', 'runs a command for the status line'],
  fileSuggestion: ['runs', 'runs a command for file suggestions'],
  env: ['runs', 'sets variables of the agent (an address here gets your key)'],
  permissions: ['loosens', 'changes what the agent may do'],
  enableAllProjectMcpServers: ['runs', 'starts the MCP servers of .mcp.json without asking'],
  enabledMcpjsonServers: ['runs', 'starts MCP servers of .mcp.json without asking'],
  enabledPlugins: ['runs', 'loads plugins'],
  extraKnownMarketplaces: ['runs', 'loads plugins from elsewhere'],
  sandbox: ['loosens', 'changes the agent’s sandbox'],
  model: ['plain', 'chooses the model'],
};

const claudeFiles: ObeyedFiles = {
  names: ['.claude', '.mcp.json'],
  // Whole checkouts (`--worktree`), each with its own root and consent.
  skips: ['.claude/worktrees'],
  nested: { folder: '.claude', names: ['skills', 'commands'] },
  guides: ['CLAUDE.md', '.claude/CLAUDE.md'],
  describe: (file) => {
    if (/^\.mcp\.json$|^\.claude\/[^/]*\.json$/.test(file)) return { keys: settingsKeys };
    if (file.startsWith('.claude/agents/')) return { text: 'a sub-agent: its instructions and tools' };
    if (/(?:^|\/)\.claude\/commands\//.test(file))
      return { text: 'a command: instructions an agent can follow' };
    if (/(?:^|\/)\.claude\/skills\//.test(file)) return { text: 'part of a skill: instructions and scripts' };
    return undefined;
  },
};

export const claudeAdapter: Adapter = {
  npmPackage: '@anthropic-ai/claude-code',
  variables: /^(ANTHROPIC_|CLAUDE_CODE_|AWS_|DISABLE_(?:TELEMETRY|AUTOUPDATER|ERROR_REPORTING)$)/,
  uses: (name, env) =>
    /^(ANTHROPIC|CLAUDE|DISABLE)_/.test(name) ||
    (name.startsWith('AWS_') && isOn(env['CLAUDE_CODE_USE_BEDROCK'])) ||
    (name.startsWith('GOOGLE_') && isOn(env['CLAUDE_CODE_USE_VERTEX'])),
  // Logins, providers and folders (CLAUDE_CODE_USE_BEDROCK, CLAUDE_CONFIG_DIR, …) stay.
  outerVariables: [
    // Set for commands of its tools; found in its binary.
    'CLAUDECODE',
    'CLAUDE_CODE_CHILD_SESSION',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS',
    'CLAUDE_CODE_SESSION_ATTENDED',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_SSE_PORT',
    'CLAUDE_CODE_STARTER_MAY_HOLD_CONNECTOR_FILE',
    'CLAUDE_CODE_CHILD_NOTES_DIR',
    'CLAUDE_PID',
    'CLAUDE_EFFORT',
    'CLAUDE_PROJECT_DIR',
    'CLAUDE_ENV_FILE',
    'CLAUDE_PLUGIN_ROOT',
    'CLAUDE_PLUGIN_DATA',
    'AI_AGENT',
  ],
  obeys: claudeFiles,
  make: ({ agent, clocks }, { where }) => {
    const dropsKey = where !== undefined && judgeLogin(agent.claude.apiKey, where).dropsKey;
    const given = { silenceMs: clocks.silence, apiMs: startMs.apiMs, toolMs: startMs.toolMs };
    return claudeAgent({ ...agent.claude, dropsKey, clocks: given });
  },
  apiHosts: claudeHosts,
  billingOf: ({ agent }, where) => judgeLogin(agent.claude.apiKey, where).billing,
  permissionsOf: ({ agent }) => agent.claude.permissions,
  examineLogin,
  examinePermissions,
  oldestKnown: { version: [2, 1], update: 'claude update' },
};

function examineLogin({ agent }: Pick<Config, 'agent'>, where: Whereabouts): Diagnosis {
  const { isFound, billing: says } = judgeLogin(agent.claude.apiKey, where);
  const remedy =
    where.platform === 'darwin'
      ? 'claude, then /login, if you never did'
      : 'Start claude and /login, or set CLAUDE_CODE_OAUTH_TOKEN (claude setup-token) or ANTHROPIC_API_KEY.';
  // A wrapper or gateway may have its own login, so the run starts; a refusal ends it with exit 7.
  return isFound ? { state: 'ok', says } : { state: 'warn', says, remedy };
}

function examinePermissions(
  { agent: { claude } }: Pick<Config, 'agent'>,
  { env, uid, isInside }: Whereabouts,
): Diagnosis {
  const { permissions } = claude;
  if (permissions !== 'bypass') return { state: 'ok', says: `${permissions}: what would ask is denied` };
  if (isInside) return { state: 'ok', says: 'bypass: the agent may do what its sandbox lets it' };
  if (uid !== 0) return { state: 'ok', says: 'bypass: the agent may do what you may' };
  if (env['IS_SANDBOX'] === '1' || env['CLAUDE_CODE_BUBBLEWRAP'] === '1')
    return {
      state: 'warn',
      says: 'bypass as root: the agent may do anything on this machine, which says it is a sandbox',
    };
  return {
    state: 'fail',
    says: 'Claude Code refuses to work without asking (permissions: bypass) as root',
    remedy:
      'Run pawl as another user, or agents in a container (--sandbox docker), or let them be denied what they would ask: --set agent.claude.permissions=acceptEdits, or set IS_SANDBOX=1 yourself, if this machine is a sandbox.',
  };
}

function claudeHosts(env: Readonly<Record<string, string | undefined>>): readonly ApiHost[] {
  if (isOn(env['CLAUDE_CODE_USE_BEDROCK']))
    return hostsBy(env['ANTHROPIC_BEDROCK_BASE_URL'], [
      'bedrock-runtime.*.amazonaws.com:443',
      'bedrock.*.amazonaws.com:443',
      'sts.*.amazonaws.com:443',
    ]);
  if (isOn(env['CLAUDE_CODE_USE_VERTEX']))
    return hostsBy(env['ANTHROPIC_VERTEX_BASE_URL'], [
      'aiplatform.googleapis.com:443',
      '*-aiplatform.googleapis.com:443',
      'oauth2.googleapis.com:443',
      'sts.googleapis.com:443',
    ]);
  if (isOn(env['CLAUDE_CODE_USE_FOUNDRY'])) {
    const resource = env['ANTHROPIC_FOUNDRY_RESOURCE'] ?? '*';
    const shipped = [`${resource}.services.ai.azure.com:443`, 'login.microsoftonline.com:443'];
    return hostsBy(env['ANTHROPIC_FOUNDRY_BASE_URL'], shipped);
  }
  return hostsBy(env['ANTHROPIC_BASE_URL'], ['api.anthropic.com:443']);
}

/** `billing`: who pays, in words. */
type Login = Readonly<{ isFound: boolean; dropsKey: boolean; billing: string }>;

/** Spends no tokens, reads no secret; cannot see the macOS keychain. */
export function judgeLogin(
  apiKey: Config['agent']['claude']['apiKey'],
  { env, home, platform }: Pick<Whereabouts, 'env' | 'home' | 'platform'>,
): Login {
  const hasKey = Boolean(env['ANTHROPIC_API_KEY']);
  const other = findOtherLogin(env, home);
  const dropsKey = apiKey === 'drop' || (apiKey === 'auto' && other !== undefined);
  const isKeys = hasKey && !dropsKey && !other?.beatsKey;
  const hidden = platform === 'darwin' ? ' in sight; the keychain may hold one' : '';
  const payer = isKeys ? 'API account of ANTHROPIC_API_KEY' : (other?.says ?? `no login found${hidden}`);
  const dropped = hasKey && dropsKey ? '; ANTHROPIC_API_KEY is set and left out' : '';
  const host = other?.isCloud ? undefined : hostOf(env['ANTHROPIC_BASE_URL']);
  const way = host === undefined || host === 'api.anthropic.com' ? '' : `, by way of ${host}`;
  return { isFound: other !== undefined || isKeys, dropsKey, billing: `${payer}${dropped}${way}` };
}

const clouds = [
  ['CLAUDE_CODE_USE_BEDROCK', 'Amazon Bedrock'],
  ['CLAUDE_CODE_USE_VERTEX', 'Google Vertex AI'],
  ['CLAUDE_CODE_USE_FOUNDRY', 'Microsoft Foundry'],
] as const;

type OtherLogin = Readonly<{ says: string; beatsKey?: true; isCloud?: true }>;

/** Besides ANTHROPIC_API_KEY, in Claude Code's order: a cloud and a bearer token go before that. */
function findOtherLogin(env: Whereabouts['env'], home: string): OtherLogin | undefined {
  const cloud = clouds.find(([name]) => isOn(env[name]))?.[1];
  if (cloud) return { says: cloud, beatsKey: true, isCloud: true };
  if (env['ANTHROPIC_AUTH_TOKEN']) return { says: 'account of ANTHROPIC_AUTH_TOKEN', beatsKey: true };
  if (env['CLAUDE_CODE_OAUTH_TOKEN']) return { says: 'subscription of CLAUDE_CODE_OAUTH_TOKEN' };
  const folder = env['CLAUDE_CONFIG_DIR'] || path.join(home, '.claude');
  const kept = lstatSync(path.join(folder, '.credentials.json'), { throwIfNoEntry: false });
  return kept?.isDirectory() === false ? { says: 'login kept by Claude Code' } : undefined;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false', 'no', 'off'].includes(value.toLowerCase());
}

function hostOf(url: string | undefined): string | undefined {
  if (!url) return undefined;
  return orElse(() => new URL(url).host, 'an address that is none (ANTHROPIC_BASE_URL)');
}
