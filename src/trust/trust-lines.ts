// Which lines of a repository's own agent files run or redirect something, shown when pawl asks for trust.
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { SettingsKeys } from '../agent/adapter.ts';
import { filesAgentsObey } from '../agent/agents.ts';
import type { ConsentClass } from '../config/form.ts';
import type { LayerSetting } from '../config/layer.ts';
import { findKey } from '../config/setting-keys.ts';
import { readYamlLayer } from '../config/yaml-layer.ts';
import type { TrustFile } from './trust-files.ts';

export type TrustLine = Readonly<{ file: string; line: number; text: string; means: ConsentClass }>;

const namedBelow = new Set([
  'command',
  'url',
  'args',
  'prompt',
  'allow',
  'defaultMode',
  'additionalDirectories',
]);
const shownWhole = new Set(['env']);
/** Of a value, characters; more for what runs something, since that counts most. */
const maxText = { runs: 400, loosens: 120, plain: 120 };
/** Larger settings files are shown only by name: the parser gets a second’s work at most. */
const maxBytes = 128 * 1024;

/** At least one: every file is named. */
export function listTrustLines(file: TrustFile): readonly TrustLine[] {
  if (file.kind === 'link') {
    const text = `a link to ${bound(file.target ?? '')}${file.outside ? ', outside the repository' : ''}`;
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
      const lines = read(file.path, new TextDecoder().decode(file.bytes));
      return lines.length > 0 ? lines : whole('sets nothing');
    } catch {
      // It may nest or alias too deep for any parser.
      return whole('settings that cannot be read', 'runs');
    }
  };
  if (file.path === '.pawl/config.yaml') return readSafely(readPawlConfig);
  if (file.path.startsWith('.pawl/templates/')) return whole('replaces or adds a prompt', 'runs');
  for (const { describe } of filesAgentsObey) {
    const described = describe(file.path);
    if (described && 'text' in described) return whole(described.text, described.means);
    if (described) return readSafely((name, text) => readSettings(name, text, described.keys));
  }
  return whole('a file that the agent or a hook may read or run');
}

/** As a run reads them; the schema says what each means. */
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

/** An entry that runs something has its own line: none is cut off. */
function linesOfSetting(file: string, { key, value, origin }: LayerSetting): TrustLine[] {
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

function readSettings(file: string, text: string, keys: SettingsKeys): TrustLine[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const found: TrustLine[] = [];
  const visit = (node: unknown, means: ConsentClass, parent?: string): void => {
    if (isSeq(node)) for (const item of node.items) visit(item, means, parent);
    if (!isMap(node)) return;
    for (const { key, value } of node.items) {
      const name = String(isScalar(key) ? key.value : key);
      const [own = means, saying = ''] = parent === undefined ? (keys[name] ?? []) : [];
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

/**
 * For the person asked to trust it: nothing moves the cursor, hides a part or reverses the order. Newlines and tabs
 * stay.
 */
export function showUntrusted(text: string): string {
  return text.replace(disguises, '?');
}

const disguises = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

function bound(text: string, most: number = maxText.plain): string {
  const plain = showUntrusted(text).replace(/[\n\t]/g, '?');
  return plain.length > most ? `${plain.slice(0, most)}…` : plain;
}
