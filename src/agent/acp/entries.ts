// The agents that speak ACP. A new one needs a row here, a name in src/agent-name.ts, and a recording.
import type { AcpName } from '../../agent-name.ts';
import { type ObeyedFiles, settingsAt } from '../adapter.ts';

export type AcpEntry = Readonly<{
  npmPackage?: string;
  /** Follow the user's own. */
  args: readonly string[];
  /** Overridden by the user's own. */
  env?: Readonly<Record<string, string>>;
  /** Set in an open session, if no argument can. */
  mode?: string;
  /** Option that names the model; absent: the protocol sets it. */
  modelFlag?: string;
  /** Its answer to a prompt counts that prompt's tokens. */
  counts?: true;
  /** Absent for one that claims to but failed. */
  resume?: 'session/resume' | 'session/load';
  silentAtLimit: boolean;
  /** What it may do unasked, for the run's header. */
  access: string;
  variables: RegExp;
  takesAnyKey?: true;
  /** Empty if its settings decide. */
  hosts: readonly string[];
  /** Variable that sets another address for its model. */
  baseUrl?: string;
  obeys?: ObeyedFiles;
}>;

/** As of opencode 1.18, gemini 0.61, qwen 0.24, kimi 2.1 and copilot 1.0. */
export const acpEntries: Readonly<Record<AcpName, AcpEntry>> = {
  opencode: {
    npmPackage: 'opencode-ai',
    args: ['acp'],
    // Overrides what the repository asks for.
    env: { OPENCODE_PERMISSION: '{"*":"allow"}', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    resume: 'session/resume',
    silentAtLimit: true,
    access: 'full access',
    variables: /^OPENCODE_/,
    takesAnyKey: true,
    hosts: ['opencode.ai:443', 'models.dev:443'],
    obeys: settingsAt(['.opencode', 'opencode.json', 'opencode.jsonc'], ['.opencode/node_modules']),
  },
  gemini: {
    npmPackage: '@google/gemini-cli',
    args: ['--acp', '--skip-trust', '--approval-mode=yolo'],
    modelFlag: '-m',
    counts: true,
    silentAtLimit: true,
    access: 'full access (yolo)',
    variables: /^(GEMINI_|GOOGLE_)/,
    hosts: [
      'generativelanguage.googleapis.com:443',
      'cloudcode-pa.googleapis.com:443',
      'oauth2.googleapis.com:443',
    ],
    baseUrl: 'GOOGLE_GEMINI_BASE_URL',
    obeys: settingsAt(['.gemini']),
  },
  qwen: {
    npmPackage: '@qwen-code/qwen-code',
    args: ['--acp', '--approval-mode', 'yolo'],
    modelFlag: '-m',
    resume: 'session/resume',
    silentAtLimit: true,
    access: 'full access (yolo)',
    variables: /^(QWEN_|DASHSCOPE_|OPENAI_)/,
    hosts: ['chat.qwen.ai:443', 'portal.qwen.ai:443', 'dashscope.aliyuncs.com:443'],
    baseUrl: 'OPENAI_BASE_URL',
    obeys: settingsAt(['.qwen']),
  },
  kimi: {
    npmPackage: '@moonshot-ai/kimi-code',
    args: ['acp'],
    mode: 'yolo',
    resume: 'session/resume',
    silentAtLimit: true,
    access: 'full access (yolo)',
    variables: /^(KIMI_|MOONSHOT_)/,
    takesAnyKey: true,
    hosts: ['api.moonshot.ai:443', 'api.kimi.com:443'],
    obeys: { ...settingsAt(['.kimi', '.kimi-code']), shared: ['.mcp.json'] },
  },
  copilot: {
    npmPackage: '@github/copilot',
    args: ['--acp', '--stdio', '--allow-all'],
    modelFlag: '--model',
    resume: 'session/load',
    silentAtLimit: false,
    access: 'full access',
    variables: /^(COPILOT_|GH_TOKEN$)/,
    hosts: ['api.githubcopilot.com:443', 'api.github.com:443'],
    baseUrl: 'COPILOT_PROVIDER_BASE_URL',
    obeys: {
      ...settingsAt(['.github/hooks', '.github/copilot', '.github/mcp.json']),
      shared: ['.mcp.json', '.claude'],
    },
  },
  acp: {
    args: [],
    silentAtLimit: true,
    access: 'what the program lets it; each question is answered with yes, once',
    variables: /^ACP_/,
    takesAnyKey: true,
    hosts: [],
  },
};
