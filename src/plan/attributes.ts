// Reads the `key: value` list items of one task. Values are taken as written and only looked at for their shape.
import type {
  BlockContent,
  Code,
  DefinitionContent,
  List,
  ListItem,
  Nodes,
  Paragraph,
  RootContent,
} from 'mdast';
import { editDistance } from '../nearest.ts';
import { spanAt } from './commands.ts';
import { noteAt, type Source } from './place.ts';
import type { PlanNote } from './plan.ts';

/** What stands behind a key: words of a paragraph from an offset on, or a fenced block below it. */
export type Value =
  | Readonly<{ kind: 'words'; text: string; offset: number; paragraph: Paragraph }>
  | Readonly<{ kind: 'fence'; code: Code; offset: number }>;

/** One attribute as written; several values when they stand in a list below the key, none when nothing follows. */
export type Attribute = Readonly<{
  key: AttributeKey;
  /** The key as it was written: `check`, `Verify`. */
  spelled: string;
  values: readonly Value[];
  offset: number;
}>;

/** The keys a task may have, aliases resolved: `acceptance` and `verify` are `check`, `changes` is `files`. */
export type AttributeKey =
  | 'check'
  | 'criterion'
  | 'files'
  | 'depends'
  | 'model'
  | 'agent'
  | 'tools'
  | 'budget'
  | 'timeout'
  | 'cwd';

/** Every word that may stand before the colon, by the key it means. */
export const attributeWords: ReadonlyMap<string, AttributeKey> = new Map<string, AttributeKey>([
  ['check', 'check'],
  ['acceptance', 'check'],
  ['verify', 'check'],
  ['criterion', 'criterion'],
  ['files', 'files'],
  ['changes', 'files'],
  ['depends', 'depends'],
  ['model', 'model'],
  ['agent', 'agent'],
  ['tools', 'tools'],
  ['budget', 'budget'],
  ['timeout', 'timeout'],
  ['cwd', 'cwd'],
]);

/** Keys that are read in any case, since a check too many is better than one that never ran. */
const anyCase = new Set(['check', 'acceptance', 'verify', 'criterion']);

/** Everyday words that are near a key by accident. */
const everyday = new Set(['changed', 'fields', 'fixes']);

const keyShape = /^(\*\*|__)?([A-Za-z]+)(?:(\*\*|__):|:(\*\*|__)|:)(?=[\s`]|$)[ \t]*/;

/** Reads the attributes of some blocks in document order, and notes on keys that are probably misspelled. */
export function readAttributes(
  blocks: readonly RootContent[],
  source: Source,
): Readonly<{ attributes: readonly Attribute[]; notes: readonly PlanNote[] }> {
  const found = blocks.flatMap((block) => readNode(block, source));
  return {
    attributes: found.flatMap((item) => ('key' in item ? [item] : [])),
    notes: found.flatMap((item) => ('key' in item ? [] : [item])),
  };
}

function readNode(node: Nodes, source: Source): (Attribute | PlanNote)[] {
  if (node.type === 'blockquote' || !('children' in node)) return [];
  if (node.type === 'listItem') {
    const own = readItem(node, source);
    if (own && 'key' in own) {
      const isTaken = own.values.some(
        (value) => value.offset > (node.children[0]?.position?.end.offset ?? 0),
      );
      return isTaken ? [own] : [own, ...node.children.slice(1).flatMap((child) => readNode(child, source))];
    }
    return [...(own ? [own] : []), ...node.children.flatMap((child) => readNode(child, source))];
  }
  return node.children.flatMap((child) => readNode(child, source));
}

function readItem(item: ListItem, source: Source): Attribute | PlanNote | undefined {
  const [first, ...below] = item.children;
  if (first?.type !== 'paragraph' || typeof item.checked === 'boolean') return undefined;
  const offset = first.position?.start.offset ?? 0;
  const text = source.text.slice(offset, first.position?.end.offset);
  const match = keyShape.exec(text);
  const spelled = match?.[2];
  if (!match || spelled === undefined || match[1] !== (match[3] ?? match[4])) return undefined;
  const lower = spelled.toLowerCase();
  const key = attributeWords.get(anyCase.has(lower) ? lower : spelled);
  if (key === undefined) return typoNote(spelled, offset, source);
  const rest = text.slice(match[0].length);
  const words = oneLine(rest);
  const at = offset + text.length - rest.trimStart().length;
  if (words !== '') {
    return { key, spelled, offset, values: [{ kind: 'words', text: words, offset: at, paragraph: first }] };
  }
  return { key, spelled, offset, values: below.flatMap((block) => valuesBelow(block, source)) };
}

function valuesBelow(block: BlockContent | DefinitionContent, source: Source): Value[] {
  if (block.type === 'code')
    return [{ kind: 'fence', code: block, offset: block.position?.start.offset ?? 0 }];
  return block.type === 'list' ? listValues(block, source) : [];
}

function listValues(list: List, source: Source): Value[] {
  return list.children.flatMap((item): Value[] => {
    const [first] = item.children;
    if (typeof item.checked === 'boolean' || first === undefined) return [];
    if (first.type === 'code') return valuesBelow(first, source);
    if (first.type !== 'paragraph') return [];
    const offset = first.position?.start.offset ?? 0;
    const text = oneLine(source.text.slice(offset, first.position?.end.offset));
    return [{ kind: 'words', text, offset, paragraph: first }];
  });
}

/** The text on one line, as a paragraph is read. */
export function oneLine(text: string): string {
  const lines = text.split(/[\n\r]+/).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

function typoNote(spelled: string, offset: number, source: Source): PlanNote | undefined {
  const lower = spelled.toLowerCase();
  const meant = everyday.has(lower)
    ? undefined
    : [...attributeWords.keys()].find((key) => isSlipOf(lower, key));
  if (meant === undefined) return undefined;
  const message = `\`${spelled}:\` is read as prose; if you mean the attribute, write \`${meant}:\``;
  return noteAt(source, offset, { rule: 'attribute-typo', severity: 'warning', message });
}

/** Within two letters; of short keys and with another first letter only within one, as any short word is near some key. */
function isSlipOf(word: string, key: string): boolean {
  const distance = editDistance(word, key);
  return distance <= 1 || (distance === 2 && key.length > 4 && word[0] === key[0]);
}

/** The code span a value begins with. */
export function spanOf(value: Value) {
  return value.kind === 'words' ? spanAt(value.paragraph, value.offset) : undefined;
}
