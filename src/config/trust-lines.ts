// Which lines of a repository's own agent files run or redirect something, shown when pawl asks for trust. It gets bytes and
// judges nothing.
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { withDeadline } from '../deadline.ts';
import type { ConsentClass } from './form.ts';
import { findKey } from './keys.ts';
import type { Setting } from './layer.ts';
import type { TrustFile } from './trust-files.ts';
import { readYamlLayer } from './yaml-layer.ts';

/** One line worth reading before consent: its place, what it does, bounded, and what that means. */
export type TrustLine = Readonly<{ file: string; line: number; text: string; means: ConsentClass }>;

/** Top-level keys of Claude Code's settings that run, allow or redirect something (2.1). */
const settingsKeys: Readonly<Record<string, readonly [ConsentClass, string]>> = {
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

/** Keys below those that hold what is run or contacted. */
const namedBelow = new Set([
  'command',
  'url',
  'args',
  'prompt',
  'allow',
  'defaultMode',
  'additionalDirectories',
]);
/** Groups whose every entry is shown. */
const shownWhole = new Set(['env']);
/** Longest value that is shown; of what runs something more, since it is what counts. */
const maxText = { runs: 400, loosens: 120, plain: 120 };
/** Settings longer than this are shown by name alone: a parser would take seconds. */
const maxBytes = 128 * 1024;
/** For one file; a settings file of 100 kB takes a tenth of it. */
const mostMs = 1_000;

/** The lines of one file, at least one: whose bytes are consented to, is named. */
export function listTrustLines(file: TrustFile): readonly TrustLine[] {
  if (file.kind === 'link') {
    const text = `a link to ${bound(file.target ?? '')}${file.outside ? ', outside of the repository' : ''}`;
    const link = { file: file.path, line: 1, text, means: 'plain' } as const;
    return file.bytes.length === 0 ? [link] : [link, ...listLinesOf(file)];
  }
  return listLinesOf(file);
}

function listLinesOf(file: TrustFile): readonly TrustLine[] {
  const whole = (text: string, means: ConsentClass = 'plain'): TrustLine[] => [
    { file: file.path, line: 1, text, means },
  ];
  const readSafely = (read: (file: string, text: string) => TrustLine[]): TrustLine[] => {
    if (file.bytes.length > maxBytes) return whole('settings too long to be listed', 'runs');
    try {
      const lines = withDeadline(mostMs, () => read(file.path, new TextDecoder().decode(file.bytes)));
      return lines.length > 0 ? lines : whole('sets nothing');
    } catch {
      // A stranger's file may nest or alias deeper than any parser goes.
      return whole('settings that cannot be read', 'runs');
    }
  };
  if (/^\.mcp\.json$|^\.claude\/[^/]*\.json$/.test(file.path)) return readSafely(readSettings);
  if (file.path === '.pawl/config.yaml') return readSafely(readPawlConfig);
  if (file.path.startsWith('.claude/agents/')) return whole('a sub-agent: its instructions and tools');
  if (/(?:^|\/)\.claude\/commands\//.test(file.path))
    return whole('a command: instructions an agent can follow');
  if (/(?:^|\/)\.claude\/skills\//.test(file.path)) return whole('part of a skill: instructions and scripts');
  if (file.path.startsWith('.pawl/templates/')) return whole('replaces or adds a prompt', 'runs');
  if (/^\.(codex|gemini|qwen|kimi|opencode)\/|^opencode\.jsonc?$/.test(file.path))
    return whole('settings of an agent: it may run programs by them', 'runs');
  return whole('a file that the agent or a hook may read or run');
}

/** Every setting that the file gives pawl, by the reader that a run uses; the schema says what each means. */
function readPawlConfig(file: string, text: string): TrustLine[] {
  const { settings, problems } = readYamlLayer(text, 'project', file);
  return [
    ...settings.flatMap((setting) => linesOfSetting(file, setting)),
    ...problems.slice(0, 20).map((problem) => ({
      file,
      line: problem.origin.line ?? 1,
      text: bound(problem.text),
      means: 'plain' as const,
    })),
  ];
}

/** Of what runs something each entry of a list has a line of its own, so that none is cut off. */
function linesOfSetting(file: string, { key, value, origin }: Setting): TrustLine[] {
  const means = findKey(key)?.consent ?? 'runs';
  const said = { runs: ' — runs or instructs something', loosens: ' — loosens a safeguard', plain: '' }[
    means
  ];
  const values = means === 'runs' && Array.isArray(value) && value.length > 0 ? value : [value];
  return values.map((one) => ({
    file,
    line: origin.line ?? 1,
    text: `${key}: ${bound(JSON.stringify(one) ?? '', maxText[means])}${said}`,
    means,
  }));
}

function readSettings(file: string, text: string): TrustLine[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const found: TrustLine[] = [];
  const visit = (node: unknown, means: ConsentClass, parent?: string): void => {
    if (isSeq(node)) for (const item of node.items) visit(item, means, parent);
    if (!isMap(node)) return;
    for (const { key, value } of node.items) {
      const name = String(isScalar(key) ? key.value : key);
      const [own = means, saying = ''] = parent === undefined ? (settingsKeys[name] ?? []) : [];
      if (parent === undefined || namedBelow.has(name) || shownWhole.has(parent)) {
        const line = lines.linePos((key as Node | null)?.range?.[0] ?? 0).line;
        found.push({
          file,
          line,
          text: formatEntry(name, value as Node | null, { saying, means: own }),
          means: own,
        });
      }
      visit(value, own, name);
    }
  };
  visit(document.contents, 'plain');
  return found;
}

function formatEntry(
  name: string,
  value: Node | null,
  { saying, means }: Readonly<{ saying: string; means: ConsentClass }>,
): string {
  const isGroup = isMap(value) || (isSeq(value) && value.items.some((item) => !isScalar(item)));
  const json = isGroup || value === null ? '' : JSON.stringify((value as { toJSON(): unknown }).toJSON());
  const shown = json ? `: ${bound(json, maxText[means])}` : '';
  return `${bound(name)}${shown}${saying ? ` — ${saying}` : ''}`;
}

/** A stranger's text as it may be put before the person who is asked to trust it: nothing in it moves the cursor, hides a part or turns the order round. Line ends and tabs stay. */
export function showUntrusted(text: string): string {
  return text.replace(disguises, '?');
}

const disguises = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

function bound(text: string, most: number = maxText.plain): string {
  const plain = showUntrusted(text).replace(/[\n\t]/g, '?');
  return plain.length > most ? `${plain.slice(0, most)}…` : plain;
}
