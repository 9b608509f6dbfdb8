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
import { findKey, isSection, type Key, keys } from './setting-keys.ts';

type Source = Readonly<{ layer: LayerName; file: string; lines: LineCounter }>;

/** An empty text, and a section without entries, set nothing. */
export function readYamlLayer(text: string, layer: LayerName, file: string): SettingsLayer {
  const lines = new LineCounter();
  const source = { layer, file, lines };
  const unreadable = (why: string) =>
    makeLayer([{ origin: { layer, file, line: 1, column: 1 }, text: `cannot be read: ${why}` }]);
  if (text.length > mostLength) return unreadable(`it is longer than ${mostLength / 1024} kB`);
  try {
    return readText(text, source);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return unreadable(error.message);
  }
}

/** Nothing of this length takes the parser more than a second. */
const mostLength = 128 * 1024;
/** More usually come from one mistake. */
const mostErrors = 20;

function readText(text: string, source: Source): SettingsLayer {
  const document = parseDocument(text, { lineCounter: source.lines, prettyErrors: false, logLevel: 'error' });
  if (document.errors.length > 0) {
    return makeLayer(
      document.errors.slice(0, mostErrors).map((error) => ({
        origin: originAt(source, error.pos[0]),
        text: `this is not valid YAML: ${error.message.replace(/\s+/g, ' ').trim()}`,
      })),
    );
  }
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) return makeLayer([]);
  if (!isMap(root)) {
    return makeLayer([
      { origin: originAt(source, root.range?.[0] ?? 0), text: 'settings are written as key: value' },
    ]);
  }
  const toValue = (node: Node) => node.toJS(document, { maxAliasCount: 100 }) as unknown;
  return makeLayer(readMap(root, '', { source, toValue }));
}

type Reading = Readonly<{ source: Source; toValue: (node: Node) => unknown }>;

function readMap(map: YAMLMap, section: string, reading: Reading): (LayerSetting | Problem)[] {
  return map.items.flatMap((pair) => {
    const keyNode = pair.key as Node;
    const word = String(isScalar(keyNode) ? keyNode.value : keyNode);
    const name = section ? `${section}.${word}` : word;
    const origin = originAt(reading.source, keyNode.range?.[0] ?? 0);
    // An editor's hint.
    if (name === '$schema') return [];
    return readEntry(name, pair.value as Node | null, { origin, reading });
  });
}

function readEntry(
  name: string,
  value: Node | null,
  { origin, reading }: { origin: Origin; reading: Reading },
): (LayerSetting | Problem)[] {
  const key = findKey(name);
  const isEmpty = value === null || (isScalar(value) && value.value === null);
  if (key) {
    if (isEmpty) return [{ origin, text: `${name} has no value; leave the line out for the default` }];
    return [readValue(key, value, reading)];
  }
  if (!isSection(name)) return [{ origin, text: formatUnknownKey(name) }];
  if (isEmpty) return [];
  if (isMap(value)) return readMap(value, name, reading);
  const urls = isSeq(value) && findKey(`${name}.urls`);
  if (urls) return [readValue(urls, value, reading)];
  const what = isAlias(value) ? 'an alias' : 'a single value';
  const first = keys.find((each) => each.name.startsWith(`${name}.`))?.name;
  return [{ origin, text: `${name} is a group of settings, such as ${first}, not ${what}` }];
}

function readValue(key: Key, node: Node, { source, toValue }: Reading): LayerSetting | Problem {
  const origin = originAt(source, node.range?.[0] ?? 0);
  try {
    return judgeValue(key, toValue(node), origin);
  } catch (error) {
    return { origin, text: `${key.name}: ${(error as Error).message}` };
  }
}

function originAt({ layer, file, lines }: Source, offset: number): Origin {
  const { line, col } = lines.linePos(offset);
  return { layer, file, line, column: col };
}
