// The one door to the markdown parser. Of GitHub's extensions only task boxes: others make no difference to a plan and
// double the time.
import type { Html, Root } from 'mdast';
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item';
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item';
import remarkParse from 'remark-parse';
import { type Processor, unified } from 'unified';
import { visit } from 'unist-util-visit';

/** The parser failed, or must not be given the text. */
export class ParserError extends Error {
  readonly offset: number;
  constructor(message: string, offset: number, cause?: unknown) {
    super(message, { cause });
    this.offset = offset;
  }
}

const parser = unified().use(remarkParse).use(taskListItems).freeze();

function taskListItems(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfmTaskListItem()];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmTaskListItemFromMarkdown()];
}

/**
 * Offsets are those of the whole text; lines and columns are `Source`'s to tell. A box or heading right below a line
 * such as `</details>` counts, as if that were blank.
 */
export function readMarkdown(text: string, from = 0): Root {
  refuseHeavy(text, from);
  // Blanks would indent the first line behind a byte order mark.
  let seen = '\n'.repeat(from) + text.slice(from);
  let root = parse(seen);
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const covers = findCovers(root, seen);
    if (covers.length === 0) break;
    seen = covers.reduce(blank, seen);
    root = parse(seen);
  }
  return root;
}

/** Each pass uncovers what the one before hid. */
const mostTurns = 4;

const mostLength = 256 * 1024;
/** The parser is quadratic in nested lists, and in these marks within a paragraph. */
const nestedItem = /(?<=\n)[ \t]+(?:[-+*]|\d{1,9}[.)])[ \t]/g;
const mostNested = 3_000;
const mark = /[`*_[\]<!&~]/g;
const mostMarks = 3_000;
const blockStart = /(?<=\n)(?=[ \t]*(?:\r?\n|(?:[-+*]|\d{1,9}[.)]|#{1,6})[ \t]))/;

/** What would take the parser minutes. */
function refuseHeavy(text: string, from: number): void {
  const refuse = (what: string, offset = from): never => {
    throw new ParserError(what, offset);
  };
  if (text.length - from > mostLength) refuse(`it is longer than ${mostLength / 1024} kB`);
  const nested = text.match(nestedItem)?.length ?? 0;
  if (nested > mostNested) refuse(`it has ${nested} list items inside others, and pawl reads ${mostNested}`);
  let offset = from;
  for (const block of text.slice(from).split(blockStart)) {
    const marks = block.match(mark)?.length ?? 0;
    if (marks > mostMarks)
      refuse(`one paragraph has ${marks} marks, and pawl reads ${mostMarks}`, offset + block.search(/\S/));
    offset += block.length;
  }
}

function parse(text: string): Root {
  try {
    return parser.parse(text);
  } catch (error) {
    throw new ParserError((error as Error).message, 0, error);
  }
}

type Span = Readonly<{ from: number; to: number }>;

function blank(text: string, { from, to }: Span): string {
  return text.slice(0, from) + text.slice(from, to).replace(/[^\n\r]/g, ' ') + text.slice(to);
}

/** HTML that only its own end closes; its content does not count. */
const closedByItself = /^ *<(?:[!?]|(?:script|pre|style|textarea)(?=[\s>]|$))/i;
/** Lines that are not HTML to their author, though to markdown it continues up to a blank line. */
const covered = /(?<=[\n\r])[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+\[[ \txX]\][ \t]|#{1,6}[ \t])/;

function findCovers(root: Root, text: string): readonly Span[] {
  const covers: Span[] = [];
  visit(root, 'html', (node: Html) => {
    if (closedByItself.test(node.value)) return;
    const from = node.position?.start.offset ?? 0;
    const length = covered.exec(text.slice(from, node.position?.end.offset))?.index;
    if (length !== undefined) covers.push({ from, to: from + length });
  });
  return covers;
}
