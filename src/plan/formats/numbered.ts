// Finds task sections by headings: OpenSpec's `## 1. Title`, spec-kit's `## Phase 1: Title`, a tracker's `### US-001:
// Title`.

/** `index` counts the top-level blocks. */
export type HeadingLine = Readonly<{ index: number; depth: number; text: string }>;

/** `to` is exclusive. */
export type NumberedSection = Readonly<{ id: string; title: string; from: number; to: number }>;

/** Alone, or after a counting word; `N` is the last in spec-kit's template. */
const shape =
  /^(?:(?:Phase|Step|Stage|Part|Section|Milestone|Sprint|Iteration)\s+#?(?<word>\d+(?:\.\d+)*[a-z]?|N)(?![\p{L}\p{N}])\s*[.:)–—-]*|(?<bare>\d+(?:\.\d+)*(?:[a-z](?=[.:)]))?)(?:[.:)]|\s))\s*(?<title>.*)$/iu;

const ticket =
  /^(?:(?:User )?Story\s+)?\[?(?<id>[A-Z][A-Z\d]{0,9}-\d+[a-z]?)\]?\s*[.:)–—-]+\s+(?<title>.+)$/u;

/** By tracker ids, unless numbered sections have a box that none of those has. */
export function countedSections(
  headings: readonly HeadingLine[],
  of: Readonly<{ blocks: number; hasBox: (index: number) => boolean }>,
): ReturnType<typeof numberedSections> {
  const numbers = numberedSections(headings, shape, of);
  const tickets = numberedSections(headings, ticket, of);
  const isHeld = (index: number) => tickets.numbered.some(({ from, to }) => from <= index && index < to);
  const boxes = numbers.numbered.flatMap(indexes).filter(of.hasBox);
  return tickets.numbered.length > 0 && boxes.every(isHeld) ? tickets : numbers;
}

function numberedSections(
  headings: readonly HeadingLine[],
  form: RegExp,
  { blocks, hasBox }: Readonly<{ blocks: number; hasBox: (index: number) => boolean }>,
): Readonly<{ numbered: readonly NumberedSection[]; empty: readonly NumberedSection[] }> {
  const found = headings.flatMap((heading, at) => {
    const words = form.exec(plain(heading.text))?.groups;
    const id = words?.['id'] ?? words?.['word'] ?? words?.['bare'];
    const title = words?.['title'] ?? '';
    if (id === undefined || heading.depth < 2 || heading.depth > 4) return [];
    const next = headings.slice(at + 1).find(({ depth }) => depth <= heading.depth);
    const section = {
      id,
      title: title.trim() || heading.text,
      from: heading.index,
      to: next?.index ?? blocks,
    };
    return [{ depth: heading.depth, section, isFull: indexes(section).some(hasBox) }];
  });
  const shallowest = Math.min(...found.flatMap(({ depth, isFull }) => (isFull ? [depth] : [])));
  const ofDepth = found.filter(({ depth }) => depth === shallowest);
  const those = (full: boolean) =>
    ofDepth.flatMap(({ section, isFull }) => (isFull === full ? [section] : []));
  return { numbered: those(true), empty: those(false) };
}

export function indexes({ from, to }: Pick<NumberedSection, 'from' | 'to'>): readonly number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

export function plain(text: string): string {
  return text.replace(/[*_`]/g, '').replace(/^[^\p{L}\p{N}]+/u, '');
}
