// A flat list of boxes, as in a TODO file: every outermost box is a task, the boxes below it are further steps of it. It
// tells the items and how they are called; what stands in them is read like any task.
import type { ListItem, Nodes, RootContent } from 'mdast';

/** One item of the list. */
export type ListedTask = Readonly<{ id: string; title: string; item: ListItem }>;

/** An id that people and tools put before the words: `T012`, `3.`, `2.1`, `#45`, `ABC-7`. */
const ownId =
  /^(?:\*\*|__)?#?(T\d+|[A-Z]{1,6}-\d+|\d+(?:\.\d+)+|\d+(?=[.:)]))[.:)]*(?:\*\*|__)?[.:)]*\s+(?=\S)/;

/** The outermost boxes of some blocks in order, each with the id it has itself, if all have one, else its number in the list. */
export function listedTasks(
  blocks: readonly RootContent[],
  textOf: (item: ListItem) => string,
): readonly ListedTask[] {
  const items = blocks.flatMap(outermostBoxes).map((item) => ({ item, text: textOf(item) }));
  const own = items.map(({ text }) => ownId.exec(text)?.[1]);
  const areOwn = own.every((id) => id !== undefined) && new Set(own).size === own.length;
  return items.map(({ item, text }, at) => ({
    id: (areOwn ? own[at] : undefined) ?? String(at + 1),
    title: areOwn ? text.replace(ownId, '') : text,
    item,
  }));
}

function outermostBoxes(node: Nodes): ListItem[] {
  if (node.type === 'listItem' && typeof node.checked === 'boolean') return [node];
  if (node.type !== 'list' && node.type !== 'listItem') return [];
  return node.children.flatMap(outermostBoxes);
}
