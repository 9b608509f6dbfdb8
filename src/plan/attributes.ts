// Parses the `key: value` list items of one task: the form of values, not their meaning.
import { distance as editDistance } from 'fastest-levenshtein';
import type { Code, List, ListItem, Nodes, Paragraph, RootContent } from 'mdast';
import { defined } from '../defined.ts';
import { readCheckName } from './markdown-commands.ts';
import { endOf, type Source, startOf, writtenIn } from './text-position.ts';

/** `offset`: where it begins in its paragraph or fence. */
export type Value = Readonly<{ text: string; offset: number; node: Paragraph | Code }>;

/** Several values from a list below the key, none if nothing follows. */
export type Attribute = Readonly<{
  key: AttributeKey;
  /** As written: `Verify`. */
  spelled: string;
  name?: string;
  values: readonly Value[];
  offset: number;
}>;

const lists = ['criterion', 'files', 'depends', 'redefines', 'tools'] as const;
const scalars = ['refactor', 'exclusive', 'model', 'agent', 'budget', 'timeout', 'cwd'] as const;
export type ScalarKey = (typeof scalars)[number];
export type AttributeKey = 'check' | (typeof lists)[number] | ScalarKey;

export const attributeWords: ReadonlyMap<string, AttributeKey> = new Map<string, AttributeKey>([
  ...(['check', ...lists, ...scalars] as const).map((key) => [key, key] as const),
  ['acceptance', 'check'],
  ['verify', 'check'],
  ['changes', 'files'],
]);

/** Accepted in any case: better a check too many than one that never ran. */
const anyCase = new Set(['check', 'acceptance', 'verify', 'criterion']);

/** Near a key, or one when capitalized. */
const everyday = new Set('changed changes fields files fixes mode models refactor move title'.split(' '));

const keyShape = /^(\*\*|__)?([A-Za-z]+)(?:(\*\*|__):|:(\*\*|__)|:)(?=[\s`]|$)[ \t]*/;

export function readAttributes(blocks: readonly RootContent[], source: Source): readonly Attribute[] {
  return readNodes(blocks, source, false);
}

/** `Files:`, or a heading like it. */
const filesLine = /^[#\s*_]*(?:[\w-]+ ){0,2}files?\b[\w ,/&()-]{0,40}:?[*_\s]*$/i;
/** Such as `Modify: \`src/a.ts\``. */
const filesItem =
  /^[*_]*(?:add|create|delete|edit|modify|move|new|remove|rename|test|update)s?[*_]*:[*_]*[ \t]*`/i;

function isOfFiles(list: List, before: Nodes | undefined, source: Source): boolean {
  if (before && before.type !== 'list' && filesLine.test(writtenIn(before, source))) return true;
  return list.children.some(({ children: [first] }) => first && filesItem.test(writtenIn(first, source)));
}

function readNodes(nodes: readonly Nodes[], source: Source, isFiles: boolean): Attribute[] {
  return nodes.flatMap((node, at) =>
    readNode(node, source, isFiles || (node.type === 'list' && isOfFiles(node, nodes[at - 1], source))),
  );
}

function readNode(node: Nodes, source: Source, isFiles: boolean): Attribute[] {
  if (node.type === 'blockquote' || !('children' in node)) return [];
  const own = node.type === 'listItem' ? readItem(node, source, isFiles) : undefined;
  if (!own) return readNodes(node.children, source, isFiles);
  const endOfKey = endOf(node.children[0]);
  const isTaken = own.values.some(({ offset }) => offset > endOfKey);
  return isTaken ? [own] : [own, ...readNodes(node.children.slice(1), source, isFiles)];
}

export function readKey(
  text: string,
): Readonly<{ spelled: string; name?: string; length: number }> | undefined {
  const named = readCheckName(text);
  if (named) return { spelled: 'check', ...named };
  const match = keyShape.exec(text);
  const spelled = match?.[2];
  if (!match || spelled === undefined || match[1] !== (match[3] ?? match[4])) return undefined;
  return { spelled, length: match[0].length };
}

function readItem(item: ListItem, source: Source, isFiles: boolean): Attribute | undefined {
  const [first, ...below] = item.children;
  if (first?.type !== 'paragraph' || typeof item.checked === 'boolean') return undefined;
  const offset = startOf(first);
  const text = writtenIn(first, source);
  const read = readKey(text);
  if (!read) return undefined;
  const { spelled } = read;
  const lower = spelled.toLowerCase();
  // What to do with a file is written with a capital.
  if (isFiles && spelled !== lower) return undefined;
  const key = attributeWords.get(anyCase.has(lower) ? lower : spelled);
  const rest = text.slice(read.length);
  const words = oneLine(rest);
  if (key === undefined) return noteSlip(spelled, offset, source);
  const at = offset + text.length - rest.trimStart().length;
  if (words !== '') {
    const values = [{ text: words, offset: at, node: first }];
    return { key, spelled, offset, values, ...defined({ name: read.name }) };
  }
  const blocks = below.filter(({ type }) => type !== 'paragraph');
  return { key, spelled, offset, values: blocks.flatMap((block) => valuesIn(block, source)) };
}

function valuesIn(node: Nodes | undefined, source: Source): Value[] {
  const offset = startOf(node);
  if (node?.type === 'code') return [{ text: node.value, offset, node }];
  if (node?.type === 'paragraph') return [{ text: oneLine(writtenIn(node, source)), offset, node }];
  const items = node?.type === 'list' ? node.children : [];
  return items.flatMap(({ checked, children: [first] }) =>
    typeof checked === 'boolean' ? [] : valuesIn(first, source),
  );
}

export function oneLine(text: string): string {
  const lines = text.split(/[\n\r]+/).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

/** A capitalized word begins a sentence, unless it is near a check's: better one too many. */
function noteSlip(spelled: string, offset: number, source: Source): undefined {
  const lower = spelled.toLowerCase();
  const meant = [...attributeWords.keys()].find((key) => isSlipOf(lower, key));
  const isSentence = spelled !== lower && meant !== undefined && !anyCase.has(meant);
  if (meant === undefined || everyday.has(lower) || isSentence) return undefined;
  const message = `\`${spelled}:\` is read as prose; if you mean the attribute, write \`${meant}:\``;
  source.note(offset, { rule: 'attribute-typo', severity: 'warning', message });
  return undefined;
}

/** Two letters apart; one for short keys, or with another first letter, since any short word is near some key. */
function isSlipOf(word: string, key: string): boolean {
  const distance = editDistance(word, key);
  return distance <= 1 || (distance === 2 && key.length > 4 && word[0] === key[0]);
}
