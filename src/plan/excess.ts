// Finds what would keep the markdown parser busy for minutes: lists and quotes within one another, emphasis without end.
// It reads lines, not markdown, and errs on the side of what people write.

/** A place that no parser should be given, and why. */
export type Excess = Readonly<{ offset: number; message: string }>;

/** Lists and quotes in one another. */
const mostNested = 30;
/** List items and quotes between two headings; the parser's time grows with their square: 4 s for half as many [ran]. */
const mostBlocks = 20_000;
/** Marks of emphasis and brackets in one paragraph; its time grows with their square: half a second for as many [ran]. */
const mostMarks = 4_000;
/** Columns of indentation that stand for one list at most. */
const mostIndent = 4;

const containers = /(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))*/y;
const rule = /^[ \t]*(?:(?:-[ \t]*)+|(?:\*[ \t]*)+)$/;
const newBlock = /^[ \t]*(?:[-+*][ \t]|\d{1,9}[.)][ \t]|[#|])/;
const fence = /^[ \t>]*(`{3,}|~{3,})/;

type Counted = Readonly<{ nested: number; blocks: number; marks: number }>;

/** The first such place; undefined in any plan that somebody wrote. */
export function findExcess(text: string): Excess | undefined {
  let seen: Counted = { nested: 0, blocks: 0, marks: 0 };
  let open = '';
  let offset = 0;
  for (const line of text.split('\n')) {
    const mark = fence.exec(line)?.[1] ?? '';
    const isCode = open !== '';
    if (isCode ? mark.startsWith(open) : mark !== '') open = isCode ? '' : mark;
    seen = isCode ? { ...seen, marks: 0 } : count(line, seen);
    const message = judge(seen);
    if (message !== undefined) return { offset, message };
    offset += line.length + 1;
  }
  return undefined;
}

function count(line: string, { blocks, marks }: Counted): Counted {
  const own = rule.test(line) ? { opened: 0, indent: 0 } : openedBy(line);
  const isNew = newBlock.test(line) || line.trim() === '';
  return {
    nested: own.opened + Math.floor(own.indent / mostIndent),
    blocks: line.startsWith('#') ? 0 : blocks + own.opened,
    marks: (isNew ? 0 : marks) + (line.match(/[*_~]+|[[\]]/g)?.length ?? 0),
  };
}

/** Containers that are opened on a line, and the columns before the first of them. */
function openedBy(line: string): Readonly<{ opened: number; indent: number }> {
  containers.lastIndex = 0;
  const head = containers.exec(line)?.[0] ?? '';
  return {
    opened: head.match(/>|[-+*]|\d+[.)]/g)?.length ?? 0,
    indent: head.length - head.trimStart().length,
  };
}

function judge({ nested, blocks, marks }: Counted): string | undefined {
  if (nested > mostNested) return `lists or quotes are nested ${nested} deep, and ${mostNested} is the most`;
  if (blocks > mostBlocks) return `more than ${mostBlocks} list items or quotes between two headings`;
  return marks > mostMarks ? `more than ${mostMarks} marks of emphasis in one paragraph` : undefined;
}
