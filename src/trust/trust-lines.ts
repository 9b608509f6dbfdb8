// Which lines of a repository's own agent files run or redirect something, shown when pawl asks for trust.
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { SettingsKeys } from '../agent/adapter.ts';
import { filesAgentsObey } from '../agent/agents.ts';
import type { ConsentClass } from '../config/form.ts';
import type { LayerSetting } from '../config/layer.ts';
import { findKey } from '../config/setting-keys.ts';
import { readYamlLayer } from '../config/yaml-layer.ts';
import type { TrustFile } from './trust-files.ts';

export type TrustLine = Readonly<{ line: number; text: string; means: ConsentClass }>;

/** Whatever is above them. */
const named = new Set([
  ...['command', 'headersHelper', 'url', 'args', 'prompt'],
  ...['allow', 'defaultMode', 'additionalDirectories'],
]);
/** Of a value, characters; more for what runs something, since that counts most. */
const maxText = { runs: 400, loosens: 120, plain: 120 };
/** Larger settings files are shown only by name: the parser gets a second’s work at most. */
const maxBytes = 128 * 1024;

/** At least one: every file is named. */
export function listTrustLines(file: TrustFile): readonly TrustLine[] {
  if (file.kind === 'file') return listLinesOf(file);
  const outside = file.outside ? ', outside the repository' : '';
  const link = whole(`a link to ${bound(file.target ?? '')}${outside}`);
  return file.bytes.length === 0 ? link : [...link, ...listLinesOf(file)];
}

function whole(text: string, means: ConsentClass = 'plain'): readonly TrustLine[] {
  return [{ line: 1, text, means }];
}

function listLinesOf({ path, bytes }: TrustFile): readonly TrustLine[] {
  const readSafely = (read: (text: string) => readonly TrustLine[]): readonly TrustLine[] => {
    if (bytes.length > maxBytes) return whole('settings too long to be listed', 'runs');
    try {
      const lines = read(new TextDecoder().decode(bytes));
      return lines.length > 0 ? lines : whole('sets nothing');
    } catch {
      // It may nest or alias too deep for any parser.
      return whole('settings that cannot be read', 'runs');
    }
  };
  if (path === '.pawl/config.yaml') return readSafely(readPawlConfig);
  if (path.startsWith('.pawl/templates/')) return whole('replaces or adds a prompt', 'runs');
  for (const { describe } of filesAgentsObey) {
    const described = describe(path);
    if (described && 'text' in described) return whole(described.text, described.means);
    if (described) return readSafely((text) => readSettings(text, described.keys));
  }
  return whole('a file that the agent or a hook may read or run');
}

/** As a run reads them; the schema says what each means. */
function readPawlConfig(text: string): readonly TrustLine[] {
  const { settings, problems } = readYamlLayer(text, 'project', '');
  const wrong = problems
    .slice(0, 20)
    .map(({ origin, text }) => ({ line: origin.line ?? 1, text: bound(text), means: 'plain' as const }));
  return [...settings.flatMap(linesOfSetting), ...wrong];
}

/** An entry that runs something has its own line: none is cut off. */
function linesOfSetting({ key, value, origin }: LayerSetting): readonly TrustLine[] {
  const means = findKey(key)?.consent ?? 'runs';
  const says = { runs: ' — runs or instructs something', loosens: ' — loosens a safeguard', plain: '' };
  const values = means === 'runs' && Array.isArray(value) && value.length > 0 ? value : [value];
  return values.map((one) => ({
    line: origin.line ?? 1,
    text: `${key}: ${bound(JSON.stringify(one) ?? '', maxText[means])}${says[means]}`,
    means,
  }));
}

function readSettings(text: string, keys: SettingsKeys): readonly TrustLine[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const found: TrustLine[] = [];
  const visit = (node: unknown, means: ConsentClass, parent?: string): void => {
    if (isSeq(node)) for (const item of node.items) visit(item, means, parent);
    if (!isMap(node)) return;
    for (const { key, value } of node.items) {
      const name = String(isScalar(key) ? key.value : key);
      const [own = means, saying = ''] = parent === undefined ? (keys[name] ?? []) : [];
      if (parent === undefined || named.has(name) || parent === 'env') {
        const line = lines.linePos((key as Node | null)?.range?.[0] ?? 0).line;
        const shown = formatEntry(name, value as Node | null, { saying, means: own });
        found.push({ line, text: shown, means: own });
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

/** For the person asked: nothing moves the cursor, is hidden or reverses the order. Newlines and tabs stay. */
export function showUntrusted(text: string): string {
  return text.replace(disguises, '?');
}

const disguises = /(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

function bound(text: string, most: number = maxText.plain): string {
  const plain = showUntrusted(text).replace(/[\n\t]/g, '?');
  return plain.length > most ? `${plain.slice(0, most)}…` : plain;
}
