// The one door to the markdown parser: a text's tree with its offsets. Of GitHub's extensions only task boxes are parsed:
// tables, footnotes and links make no difference to a plan and double the time.
import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item';
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item';
import { parseInPieces } from './parse-in-pieces.ts';

/** The markdown parser failed. */
export class ParserError extends Error {}

/** The pieces of the text that was last parsed: the next text is usually the same plan with another tick. */
let lastPieces: ReadonlyMap<string, Root> = new Map();

/** The piece that the parser was last given, to locate a failure. */
export let pieceInWork = '';

/** The tree of a text from an offset on. */
export function readMarkdown(text: string, from: number): Root {
  const read = new Map<string, Root>();
  const readPiece = (piece: string): Root => {
    pieceInWork = piece;
    const root = lastPieces.get(piece) ?? parseMarkdown(piece);
    read.set(piece, root);
    return root;
  };
  const root = parseInPieces(text, readPiece, from);
  lastPieces = read;
  return root;
}

/**
 * The tree of one piece. A box or heading right below a line such as `</details>` or `<br>` counts, as if the line were
 * blank.
 */
export function parseMarkdown(text: string): Root {
  let seen = text;
  let root = parse(seen);
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const covers = findCovers(root, seen);
    if (covers.length === 0) break;
    for (const { from, to } of covers)
      seen = seen.slice(0, from) + seen.slice(from, to).replace(/[^\n\r]/g, ' ') + seen.slice(to);
    root = parse(seen);
  }
  return root;
}

/** Each pass uncovers what the one before hid; people nest such lines once. */
const mostTurns = 4;

function parse(text: string): Root {
  try {
    return fromMarkdown(text, {
      extensions: [gfmTaskListItem()],
      mdastExtensions: [gfmTaskListItemFromMarkdown()],
    });
  } catch (error) {
    throw new ParserError((error as Error).message, { cause: error });
  }
}

/** HTML that only its own end closes: a comment, a declaration, a script. Its content does not count. */
const closedByItself = /^<(?:[!?]|(?:script|pre|style|textarea)(?=[\s>]|$))/i;
/** Lines that their author does not consider HTML, though to markdown the HTML continues up to a blank line. */
const covered = /(?<=[\n\r])[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+\[[ \txX]\][ \t]|#{1,6}[ \t])/;

/** The lines of HTML before a box or heading that they hide. */
function findCovers(node: Nodes, text: string): readonly Readonly<{ from: number; to: number }>[] {
  if ('children' in node) return node.children.flatMap((child) => findCovers(child, text));
  if (node.type !== 'html' || closedByItself.test(node.value)) return [];
  const from = node.position?.start.offset ?? 0;
  const length = covered.exec(text.slice(from, node.position?.end.offset))?.index;
  return length === undefined ? [] : [{ from, to: from + length }];
}
