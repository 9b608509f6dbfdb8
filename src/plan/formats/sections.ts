// Task lists whose numbered sections are tasks and whose boxes are steps: `## 1. Title` as in OpenSpec's tasks.md, `## Phase
// 1: Title` as in spec-kit's.

/** A heading of the document: `index` counts the top-level blocks. */
export type HeadingLine = Readonly<{ index: number; depth: number; text: string }>;

/** One section: the blocks from its heading up to, not including, `to`. */
export type NumberedSection = Readonly<{ id: string; title: string; from: number; to: number }>;

/** A number of its own, or one behind the words tools and people count parts with; `N` stands for the last in spec-kit's template. */
const shape =
  /^(?:(?:Phase|Step|Stage|Part|Section|Milestone|Sprint|Iteration)\s+#?(?<word>\d+(?:\.\d+)*[a-z]?|N)(?![\p{L}\p{N}])\s*[.:)–—-]*|(?<bare>\d+(?:\.\d+)*(?:[a-z](?=[.:)]))?)(?:[.:)]|\s))\s*(?<title>.*)$/iu;

/** The numbered sections that hold a box, of the shallowest depth that has any; empty when there are none. */
export function numberedSections(
  headings: readonly HeadingLine[],
  { blocks, hasBox }: Readonly<{ blocks: number; hasBox: (index: number) => boolean }>,
): readonly NumberedSection[] {
  const found = headings.flatMap((heading, at) => {
    const { word, bare, title = '' } = shape.exec(plain(heading.text))?.groups ?? {};
    const id = word ?? bare;
    if (id === undefined || heading.depth < 2 || heading.depth > 4) return [];
    const next = headings.slice(at + 1).find(({ depth }) => depth <= heading.depth);
    const section = {
      id,
      title: title.trim() || heading.text,
      from: heading.index,
      to: next?.index ?? blocks,
    };
    const isFull = indexes(section).some(hasBox);
    return isFull ? [{ depth: heading.depth, section }] : [];
  });
  const shallowest = Math.min(...found.map(({ depth }) => depth));
  return found.filter(({ depth }) => depth === shallowest).map(({ section }) => section);
}

/** Paragraphs that say how a section is seen to be done, as spec-kit words them: they are criteria of its task. */
export function criterionOf(paragraph: string): string | undefined {
  const text = /^\*\*(?:Independent Test|Checkpoint)\*\*\s*:\s*([\s\S]+)$/i.exec(paragraph)?.[1];
  return text?.replace(/\s+/g, ' ').trim();
}

function indexes({ from, to }: Readonly<{ from: number; to: number }>): readonly number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

/** Without emphasis around the words and pictures before them. */
function plain(text: string): string {
  return text.replace(/[*_`]/g, '').replace(/^[^\p{L}\p{N}]+/u, '');
}
