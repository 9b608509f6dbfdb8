// Where each agent finds its model (Claude Code 2.1.330, codex 0.169.0), for who has to let them through. It knows their
// variables and reads no environment itself.
import type { Config } from '../config/schema.ts';

/** A host with its port, or a pattern of hosts. */
export type ApiHost = Readonly<{
  /** `host:port`; `*` for a part of the name. */
  host: string;
  /** A person named it, by a variable. */
  isConfigured: boolean;
}>;

type Env = Readonly<Record<string, string | undefined>>;

/** The hosts an agent needs under this environment. A program of the user's own tells of none but those its variables name. */
export function apiHosts(agent: Config['agent']['name'], env: Env): readonly ApiHost[] {
  switch (agent) {
    case 'claude':
      return claudeHosts(env);
    case 'codex':
      return either(env['OPENAI_BASE_URL'], ['api.openai.com:443']);
    case 'script':
      return [...either(env['ANTHROPIC_BASE_URL'], []), ...either(env['OPENAI_BASE_URL'], [])];
  }
}

function claudeHosts(env: Env): readonly ApiHost[] {
  if (isOn(env['CLAUDE_CODE_USE_BEDROCK']))
    return either(env['ANTHROPIC_BEDROCK_BASE_URL'], [
      'bedrock-runtime.*.amazonaws.com:443',
      'bedrock.*.amazonaws.com:443',
      'sts.*.amazonaws.com:443',
    ]);
  if (isOn(env['CLAUDE_CODE_USE_VERTEX']))
    return either(env['ANTHROPIC_VERTEX_BASE_URL'], [
      'aiplatform.googleapis.com:443',
      '*-aiplatform.googleapis.com:443',
      'oauth2.googleapis.com:443',
      'sts.googleapis.com:443',
    ]);
  if (isOn(env['CLAUDE_CODE_USE_FOUNDRY'])) {
    const resource = env['ANTHROPIC_FOUNDRY_RESOURCE'] ?? '*';
    const shipped = [`${resource}.services.ai.azure.com:443`, 'login.microsoftonline.com:443'];
    return either(env['ANTHROPIC_FOUNDRY_BASE_URL'], shipped);
  }
  return either(env['ANTHROPIC_BASE_URL'], ['api.anthropic.com:443']);
}

function either(url: string | undefined, shipped: readonly string[]): readonly ApiHost[] {
  if (!url) return shipped.map((host) => ({ host, isConfigured: false }));
  const host = hostOf(url);
  return host === undefined ? [] : [{ host, isConfigured: true }];
}

function hostOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || url.hostname === '') return undefined;
  return `${url.hostname}:${url.port || (url.protocol === 'http:' ? '80' : '443')}`;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false', 'no', 'off'].includes(value.toLowerCase());
}
