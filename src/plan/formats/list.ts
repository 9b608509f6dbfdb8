// A flat list of boxes, such as a TODO file: every outermost box is a task, and the boxes below it are its steps.
import type { ListItem, Nodes, RootContent } from 'mdast';

/** One task of the list: its item, and where items of its own depth are parts of it, those. */
export type ListedTask = Readonly<{ id: string; title: string; items: readonly [ListItem, ...ListItem[]] }>;

/** An id that people and tools put before the words: `T012`, `3.`, `2.1`, `#45`, `ABC-7`. */
const ownId =
  /^(?:\*\*|__)?#?(T\d+|[A-Z]{1,6}-\d+|\d+(?:\.\d+)+|\d+(?=[.:)]))[.:)]*(?:\*\*|__)?[.:)]*\s+(?=\S)/;

type Found = { own: string | undefined; text: string; items: [ListItem, ...ListItem[]] };

/** The outermost boxes of some blocks in order, each with the id it has itself, if all have one, else its number in the list. What is numbered `2.1` behind a `2.` is a part of that, as in Kiro's lists. */
export function listedTasks(
  blocks: readonly RootContent[],
  { textOf, isBox }: Readonly<{ textOf: (item: ListItem) => string; isBox: (item: ListItem) => boolean }>,
): readonly ListedTask[] {
  const tasks: Found[] = [];
  for (const item of blocks.flatMap((block) => outermostBoxes(block, isBox))) {
    const text = textOf(item);
    const own = ownId.exec(text)?.[1];
    const group = tasks.at(-1);
    if (group?.own !== undefined && own?.startsWith(`${group.own}.`)) group.items.push(item);
    else tasks.push({ own, text, items: [item] });
  }
  const ids = tasks.map(({ own }) => own);
  const areOwn = ids.every((id) => id !== undefined) && new Set(ids).size === ids.length;
  return tasks.map(({ own, text, items }, at) => ({
    id: (areOwn ? own : undefined) ?? String(at + 1),
    title: areOwn ? text.replace(ownId, '') : text,
    items,
  }));
}

function outermostBoxes(node: Nodes, isBox: (item: ListItem) => boolean): ListItem[] {
  if (node.type === 'listItem' && isBox(node)) return [node];
  if (node.type !== 'list' && node.type !== 'listItem') return [];
  return node.children.flatMap((child) => outermostBoxes(child, isBox));
}
