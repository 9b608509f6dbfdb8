// Parses a long markdown text piece by piece, since the parser's time is quadratic in the lists of one text. Tree and
// positions are those of the whole text; only links to definitions in other pieces stay unresolved.
import type { Root, RootContent } from 'mdast';

const atxHeading = /(?<=^|[\n\r])#{1,6}(?=[ \t\n\r]|$)/g;

/**
 * The tree of `text` from offset `from` on, using a `parse` that is given one piece at a time. Its results are not
 * modified.
 */
export function parseInPieces(text: string, parse: (text: string) => Root, from = 0): Root {
  const starts = pieceStarts(text, from);
  const children: RootContent[] = [];
  let line = countLines(text.slice(0, from));
  for (let first = 0; first < starts.length; ) {
    const piece = parsePiece(text, starts.slice(first), parse);
    const offset = starts[first] ?? 0;
    children.push(...moved(piece.root, { offset, line }).children);
    first += piece.count;
    line += countLines(text.slice(offset, starts[first] ?? text.length));
  }
  return { type: 'root', children };
}

/** Offsets where a piece may begin: headings at a line's start, which end every list, quote and paragraph. */
function pieceStarts(text: string, from: number): number[] {
  const headings = [...text.matchAll(atxHeading)].map((match) => match.index);
  return [from, ...headings.filter((offset) => offset > from)];
}

function parsePiece(text: string, starts: readonly number[], parse: (text: string) => Root) {
  const begin = starts[0] ?? 0;
  // Doubling bounds the work if a fence stays open across many headings.
  for (let count = 1; ; count *= 2) {
    const piece = text.slice(begin, starts[count] ?? text.length);
    const root = parse(piece);
    if (count >= starts.length || !isOpenAtEnd(root.children.at(-1), piece)) return { root, count };
  }
}

/** True if a fence or an HTML block may continue beyond the piece, so that its end is not final. */
function isOpenAtEnd(last: RootContent | undefined, piece: string): boolean {
  if (last?.type === 'html') return !/^<!--[\s\S]+-->/.test(last.value);
  if (last?.type !== 'code') return false;
  const source = piece.slice(last.position?.start.offset, last.position?.end.offset);
  const fence = /^(`{3,}|~{3,})/.exec(source)?.[1];
  if (fence === undefined) return false;
  const lines = source.split(/\r\n|\n|\r/);
  const closing = /^ {0,3}(`+|~+)[ \t]*$/.exec(lines.length > 1 ? (lines.at(-1) ?? '') : '')?.[1];
  return !closing?.startsWith(fence);
}

/** A copy of a tree with its positions shifted. */
function moved<Node extends Root | RootContent>(
  node: Node,
  by: Readonly<{ offset: number; line: number }>,
): Node {
  const { position } = node;
  const copy = { ...node };
  if (position) {
    const [start, end] = [position.start, position.end].map((point) => ({
      ...point,
      line: point.line + by.line,
      offset: (point.offset ?? 0) + by.offset,
    }));
    if (start && end) copy.position = { ...position, start, end };
  }
  if ('children' in copy) Object.assign(copy, { children: copy.children.map((child) => moved(child, by)) });
  return copy;
}

function countLines(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
