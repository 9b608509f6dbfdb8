import fc from 'fast-check';
import type { Nodes, Root } from 'mdast';
import { describe, expect, test } from 'vitest';
import { parseMarkdown as parse } from '../../src/plan/markdown.ts';
import { parseInPieces } from '../../src/plan/parse-in-pieces.ts';
import { soup } from './soup.ts';

/** What matters of a tree: kinds, places, items' boxes and values. Blank lines at a block's end are nobody's, and the box
 * that mdast-util-gfm-task-list-item 2.0 puts on the root where an empty item is followed by `[ ]` is nobody's either. */
function shapeOf(node: Nodes, text: string): unknown {
  const { start, end } = node.position ?? {};
  const last = text.slice(0, end?.offset).trimEnd().length;
  return [
    node.type === 'root' ? 'root' : `${node.type} ${start?.line}:${start?.column}@${start?.offset}-${last}`,
    node.type === 'listItem' ? node.checked : undefined,
    'value' in node ? node.value.trimEnd() : undefined,
    ...('children' in node ? node.children.map((child) => shapeOf(child, text)) : []),
  ];
}

/** The development build of the parser has assertions that some texts break. */
function attempt(read: () => Root): Root | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

describe('parseInPieces', () => {
  test('makes the same tree as the parser at once', () => {
    const same = fc.property(soup, (text) => {
      const bare = text.replace('\uFEFF', '');
      const whole = attempt(() => parse(bare));
      fc.pre(whole !== undefined);
      expect(shapeOf(parseInPieces(bare, parse), bare)).toEqual(shapeOf(whole, bare));
    });
    fc.assert(same, { numRuns: 200 });
  });

  test.each([
    ['a fence over headings', '```\n# a\n# b\n```\n# c\n', 1],
    ['a fence that never ends', '# a\n~~~~\n~~~\n# b\n# c\n', 1],
    ['a comment over headings', '<!--\n# a\n\n# b\n-->\n# c\n', 1],
    ['an HTML block with a heading right below', '<div>\n# a\n\n# b\n', 2],
    ['a fence in a list item ends with the item', '- ```\n# a\n', 1],
    ['a box below an empty item', '-\n[ ] stray\n', 0],
  ])('%s', (_, text, headings) => {
    const root = parseInPieces(text, parse);
    expect(root.children.filter((node) => node.type === 'heading')).toHaveLength(headings);
    expect(shapeOf(root, text)).toEqual(shapeOf(parse(text), text));
  });

  test('gives the parser small pieces, so that its time stays in bounds', () => {
    const lengths: number[] = [];
    const counting = (text: string): Root => {
      lengths.push(text.length);
      return parse(text);
    };
    const task = '### Task: a\n- [ ] b\n\n```sh\nmake\n```\n\n';
    parseInPieces(task.repeat(200), counting);
    expect(Math.max(...lengths)).toBe(task.length);
  });

  test('keeps the sum of the pieces in bounds under an open fence', () => {
    let sum = 0;
    const counting = (text: string): Root => {
      sum += text.length;
      return parse(text);
    };
    const text = `\`\`\`\n${'# a\n'.repeat(500)}`;
    parseInPieces(text, counting);
    expect(sum).toBeLessThan(3 * text.length);
  });
});
