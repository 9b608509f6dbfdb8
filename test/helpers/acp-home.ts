// What makes real CLIs that speak ACP at home in a test: a dummy key, settings in a home of its own, and the scripted model
// instead of any network. It starts nothing.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Those that can be put into test/.agents. */
export const acpCasts = ['copilot', 'gemini', 'kimi', 'opencode', 'qwen'] as const;

/** One of them. */
export type AcpCast = (typeof acpCasts)[number];

/** Where it is put, as a link to its program. */
export const acpPath = (name: AcpCast): string => path.join(import.meta.dirname, '..', '.agents', name);

/** Those that are there. */
export const installedCasts: readonly AcpCast[] = acpCasts.filter((name) => existsSync(acpPath(name)));

/** codex's ACP server, and whether it is in test/.agents. */
const codexServer = path.join(import.meta.dirname, '..', '.agents', 'codex-acp');
export const hasCodexServer = existsSync(codexServer);

/** By which it is the agent `acp`, and starts the codex that the scene has. */
export function settingsOfCodexServer(env: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PAWL_AGENTS: JSON.stringify({ acp: { command: codexServer, mode: 'agent-full-access' } }),
    CODEX_PATH: env['PAWL_AGENT_CODEX_COMMAND'] ?? '',
    PAWL_AGENT_NAME: 'acp',
  };
}

function programs(name: AcpCast, more: object = {}) {
  return { PAWL_AGENTS: JSON.stringify({ [name]: { command: acpPath(name), ...more } }) };
}

/** Prepares the home; the variables that pawl gets. */
export async function makeAcpHome(
  name: AcpCast,
  { home, apiUrl }: Readonly<{ home: string; apiUrl: string }>,
): Promise<Record<string, string>> {
  const given = { NO_PROXY: '127.0.0.1', ...programs(name) };
  switch (name) {
    case 'copilot':
      return {
        ...given,
        ...{ COPILOT_OFFLINE: 'true', COPILOT_PROVIDER_TYPE: 'openai', COPILOT_PROVIDER_API_KEY: 'dummy' },
        ...{ COPILOT_PROVIDER_BASE_URL: `${apiUrl}/v1`, COPILOT_MODEL: 'scripted' },
      };
    case 'kimi': {
      const folder = path.join(home, '.kimi-code');
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'config.toml'), kimiSettings(apiUrl));
      return given;
    }
    case 'gemini':
      return {
        ...given,
        ...{ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: apiUrl },
        // Its default has another model choose one.
        ...programs(name, { model: 'gemini-3.8-flash' }),
      };
    case 'qwen':
      return {
        ...given,
        ...{ OPENAI_API_KEY: 'dummy', OPENAI_BASE_URL: `${apiUrl}/v1`, OPENAI_MODEL: 'scripted' },
        ...programs(name, { args: ['--auth-type', 'openai'] }),
      };
    case 'opencode': {
      const folder = path.join(home, '.config', 'opencode');
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'opencode.json'), JSON.stringify(opencodeSettings(apiUrl)));
      return { ...given, OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' };
    }
  }
}

function kimiSettings(apiUrl: string): string {
  return [
    'default_model = "scripted"',
    '[providers.x]',
    'type = "openai"',
    `base_url = ${JSON.stringify(`${apiUrl}/v1`)}`,
    'api_key = "dummy"',
    '[models.scripted]',
    'provider = "x"',
    'model = "scripted"',
    'max_context_size = 128000',
    '',
  ].join('\n');
}

function opencodeSettings(apiUrl: string): object {
  const price = { input: 1, output: 2 };
  const model = {
    name: 'Scripted',
    tool_call: true,
    cost: price,
    limit: { context: 128_000, output: 8_000 },
  };
  return {
    ...{ model: 'scripted/scripted', small_model: 'scripted/scripted', autoupdate: false, share: 'disabled' },
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Scripted',
        options: { baseURL: `${apiUrl}/v1`, apiKey: 'dummy' },
        models: { scripted: model },
      },
    },
  };
}
