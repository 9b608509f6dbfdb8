// Settings of a YAML text, each with its place, and all its errors at once.
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import {
  formatUnknownKey,
  judgeValue,
  type LayerName,
  type LayerSetting,
  makeLayer,
  type Origin,
  type Problem,
  type SettingsLayer,
} from './layer.ts';
import { findKey, type Key, keys, sections } from './setting-keys.ts';

/** Nothing of this length takes the parser more than a second. */
const mostLength = 128 * 1024;

/** More usually come from one mistake. */
const mostErrors = 20;

type Judged = readonly (LayerSetting | Problem)[];
type Reading = Readonly<{ at: (offset?: number) => Origin; toValue: (node: Node) => unknown }>;

/** An empty text, and a section without entries, set nothing. */
export function readYamlLayer(text: string, layer: LayerName, file: string): SettingsLayer {
  const lines = new LineCounter();
  const at = (offset = 0): Origin => {
    const { line, col } = lines.linePos(offset);
    return { layer, file, line, column: col };
  };
  const unreadable = (why: string): SettingsLayer =>
    makeLayer([{ origin: { layer, file, line: 1, column: 1 }, text: `cannot be read: ${why}` }]);
  if (text.length > mostLength) return unreadable(`it is longer than ${mostLength / 1024} kB`);
  try {
    return makeLayer(readText(text, lines, at));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return unreadable(error.message);
  }
}

function readText(text: string, lineCounter: LineCounter, at: Reading['at']): Judged {
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  if (document.errors.length > 0)
    return document.errors.slice(0, mostErrors).map(({ pos, message }) => ({
      origin: at(pos[0]),
      text: `this is not valid YAML: ${message.replace(/\s+/g, ' ').trim()}`,
    }));
  const { contents: root } = document;
  if (isEmpty(root)) return [];
  if (!isMap(root)) return [{ origin: at(root?.range?.[0]), text: 'settings are written as key: value' }];
  return readMap(root, '', { at, toValue: (node) => node.toJS(document, { maxAliasCount: 100 }) });
}

function isEmpty(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

function readMap(map: YAMLMap, section: string, reading: Reading): Judged {
  return map.items.flatMap((pair) => {
    const keyNode = pair.key as Node;
    const name = `${section}${isScalar(keyNode) ? keyNode.value : keyNode}`;
    // An editor's hint.
    if (name === '$schema') return [];
    return readEntry(name, pair.value as Node | null, { ...reading, origin: reading.at(keyNode.range?.[0]) });
  });
}

function readEntry(
  name: string,
  value: Node | null,
  { origin, ...reading }: Reading & Readonly<{ origin: Origin }>,
): Judged {
  const key = findKey(name);
  if (key && value && !isEmpty(value)) return [readValue(key, value, reading)];
  if (key) return [{ origin, text: `${name} has no value; leave the line out for the default` }];
  if (!sections.has(name)) return [{ origin, text: formatUnknownKey(name) }];
  if (isEmpty(value)) return [];
  if (isMap(value)) return readMap(value, `${name}.`, reading);
  const urls = isSeq(value) && findKey(`${name}.urls`);
  if (urls) return [readValue(urls, value, reading)];
  const what = isAlias(value) ? 'an alias' : 'a single value';
  const first = keys.find((each) => each.name.startsWith(`${name}.`))?.name;
  return [{ origin, text: `${name} is a group of settings, such as ${first}, not ${what}` }];
}

function readValue(key: Key, node: Node, { at, toValue }: Reading): LayerSetting | Problem {
  const origin = at(node.range?.[0]);
  try {
    return judgeValue(key, toValue(node), origin);
  } catch (error) {
    return { origin, text: `${key.name}: ${(error as Error).message}` };
  }
}
