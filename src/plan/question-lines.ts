// Parses a question written as lines: the question, a list of options, and what follows them.

type Option = LooseQuestion['options'][number];

const listItem = /^ {0,3}(?:[-*+]|\(?(?:\d{1,2}|[A-Za-z])[.)])[ \t]+(.+)$/;
/** Separates a label from its reason; a colon inside a word, as in `a:b`, does not. */
const divider = /\s+[—–-]{1,2}\s+|:\s+/;
const recommendedLine = /^\W*recommended\W*:\W*(.*?)\W*$/i;
const questionLabel = /^\W*question\W*:\W*/i;
const optionsLabel = /^\W*options\W*:\s*$/i;

export function readOptionLines(text: string): LooseQuestion {
  const lines = text.split(/\r?\n/).filter((line) => !optionsLabel.test(line));
  const first = lines.findIndex((line) => listItem.test(line));
  const [before, from] = first === -1 ? [lines, []] : [lines.slice(0, first), lines.slice(first)];
  const { options, behind } = readItems(from);
  const recommended = lines.flatMap((line) => recommendedLine.exec(line)?.[1] ?? []).at(0);
  return {
    question: before
      .filter((line) => !recommendedLine.test(line))
      .join('\n')
      .replace(questionLabel, ''),
    ...(behind.trim() !== '' && { context: behind }),
    ...(recommended !== undefined && { recommended }),
    options,
  };
}

function readItems(lines: readonly string[]): Readonly<{ options: readonly Option[]; behind: string }> {
  const items: string[] = [];
  const behind: string[] = [];
  for (const line of lines) {
    const item = listItem.exec(line)?.[1];
    if (item !== undefined && behind.length === 0) items.push(item);
    // An indented line continues its option.
    else if (/^\s+\S/.test(line) && behind.length === 0) items.push(`${items.pop() ?? ''} ${line.trim()}`);
    else if (line.trim() !== '' && !recommendedLine.test(line)) behind.push(line);
  }
  return { options: items.map(readItem), behind: behind.join('\n') };
}

function readItem(item: string): Option {
  const bare = item.trim();
  const at = divider.exec(bare);
  const [label, why] = at
    ? [bare.slice(0, at.index), bare.slice(at.index + at[0].length)]
    : [bare, undefined];
  return { label: withoutMarks(label), ...(why !== undefined && { why }) };
}

/** Bold markup and code spans around a label are not part of it. */
function withoutMarks(label: string): string {
  return label.replace(/\*\*|__|`/g, '').trim();
}

export type LooseQuestion = Readonly<{
  header?: string;
  question: string;
  context?: string;
  /** A label, or the number of an option from 1. */
  recommended?: string;
  options: readonly Readonly<{ label: string; why?: string; recommended?: boolean }>[];
}>;
