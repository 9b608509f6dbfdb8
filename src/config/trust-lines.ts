// Which lines of a repository's own agent files run something or redirect it, for the question that asks for trust.
// It judges none of them, and reads nothing: it gets bytes.
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { TrustFile } from './trust-files.ts';

/** One line worth reading before consent: its place and what it does, bounded. */
export type TrustLine = Readonly<{ file: string; line: number; text: string }>;

/** Top-level keys of Claude Code's settings that run, allow or redirect something (2.1). */
const settingsKeys: Readonly<Record<string, string>> = {
  hooks: 'runs commands at events',
  mcpServers: 'starts or contacts MCP servers',
  apiKeyHelper: 'runs a command for the API key',
  awsAuthRefresh: 'runs a command for AWS credentials',
  awsCredentialExport: 'runs a command for AWS credentials',
  gcpAuthRefresh: 'runs a command for Google credentials',
  otelHeadersHelper: 'runs a command for telemetry headers',
  statusLine: 'runs a command for the status line',
  fileSuggestion: 'runs a command for file suggestions',
  env: 'sets variables of the agent (an address here gets your key)',
  permissions: 'changes what the agent may do',
  enableAllProjectMcpServers: 'starts the MCP servers of .mcp.json without asking',
  enabledMcpjsonServers: 'starts MCP servers of .mcp.json without asking',
  enabledPlugins: 'loads plugins',
  extraKnownMarketplaces: 'loads plugins from elsewhere',
  sandbox: 'changes the agent’s sandbox',
  model: 'chooses the model',
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
const maxText = 120;

/** The lines of one file; a file that is no settings is one line that says what it is. */
export function listTrustLines(file: TrustFile): readonly TrustLine[] {
  const whole = (text: string): TrustLine[] => [{ file: file.path, line: 1, text }];
  const text = new TextDecoder().decode(file.bytes);
  const readSafely = (read: (file: string, text: string) => TrustLine[]): TrustLine[] => {
    try {
      return read(file.path, text);
    } catch {
      // A stranger's file may nest or alias deeper than any parser goes.
      return whole('settings that cannot be read');
    }
  };
  if (file.kind === 'link') return whole(`a link to ${bound(text)}`);
  if (/^\.mcp\.json$|^\.claude\/[^/]*\.json$/.test(file.path)) return readSafely(readSettings);
  if (/^\.pawl\/config\.ya?ml$/.test(file.path)) return readSafely(readPawlConfig);
  if (file.path.startsWith('.claude/agents/')) return whole('a sub-agent: its instructions and tools');
  if (/(?:^|\/)\.claude\/commands\//.test(file.path))
    return whole('a command: instructions an agent can follow');
  if (/(?:^|\/)\.claude\/skills\//.test(file.path)) return whole('part of a skill: instructions and scripts');
  if (file.path.startsWith('.pawl/templates/')) return whole('a prompt of pawl’s, replaced');
  return whole('a file that the agent or a hook may read or run');
}

function readSettings(file: string, text: string): TrustLine[] {
  return readEntries(file, text, (name, depth, parent) => {
    if (depth === 0) return settingsKeys[name];
    return namedBelow.has(name) || (parent !== undefined && shownWhole.has(parent)) ? '' : undefined;
  });
}

function readPawlConfig(file: string, text: string): TrustLine[] {
  return readEntries(file, text, (name) => {
    return { command: 'a program pawl starts', args: 'its arguments', checks: 'commands pawl runs' }[name];
  });
}

type Say = (name: string, depth: number, parent: string | undefined) => string | undefined;

function readEntries(file: string, text: string, say: Say): TrustLine[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const found: TrustLine[] = [];
  const visit = (node: unknown, depth: number, parent?: string): void => {
    if (isSeq(node)) for (const item of node.items) visit(item, depth, parent);
    if (!isMap(node)) return;
    for (const { key, value } of node.items) {
      const name = String(isScalar(key) ? key.value : key);
      const saying = say(name, depth, parent);
      const line = lines.linePos((key as Node | null)?.range?.[0] ?? 0).line;
      if (saying !== undefined)
        found.push({ file, line, text: formatEntry(name, value as Node | null, saying) });
      visit(value, depth + 1, name);
    }
  };
  visit(document.contents, 0);
  return found;
}

function formatEntry(name: string, value: Node | null, saying: string): string {
  const isGroup = isMap(value) || (isSeq(value) && value.items.some((item) => !isScalar(item)));
  const shown =
    isGroup || value === null ? '' : bound(JSON.stringify((value as { toJSON(): unknown }).toJSON()) ?? '');
  const said = saying ? ` — ${saying}` : '';
  return `${name}${shown ? `: ${shown}` : ''}${said}`;
}

/** A stranger's text as it may be put before the person who is asked to trust it: nothing in it moves the cursor, hides a part or turns the order round. Line ends and tabs stay. */
export function showUntrusted(text: string): string {
  return text.replace(disguises, '?');
}

const disguises = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

function bound(text: string): string {
  const plain = showUntrusted(text).replace(/[\n\t]/g, '?');
  return plain.length > maxText ? `${plain.slice(0, maxText)}…` : plain;
}
