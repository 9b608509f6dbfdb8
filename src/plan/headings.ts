// Distinguishes task headings, near misses and other headings by their words.
import type { Heading } from 'mdast';

export type HeadingKind =
  | Readonly<{ kind: 'task'; id: string; title: string }>
  | Readonly<{ kind: 'near-miss'; message: string }>
  | Readonly<{ kind: 'checks' }>
  | Readonly<{ kind: 'overview' }>
  | Readonly<{ kind: 'other' }>;

const id = String.raw`(?=[A-Za-z._-]*\d)[0-9A-Za-z](?:[0-9A-Za-z._-]*[0-9A-Za-z])?`;
const taskShape = new RegExp(String.raw`^(?:Task|Iteration)[ \t]+(${id}|[A-Z])[ \t]*:[ \t]*(.*)$`);
const numbered = String.raw`\s*[#№]?\s*(\d(?:[\w.-]*\w)?)(?![\p{L}\p{N}])(.*)$`;
const lettered = String.raw`\s+(${id})\s*[:：](.*)$`;
const nearShapes = [
  new RegExp(`^(?:task|iteration)${numbered}`, 'isu'),
  new RegExp(`^(?:task|iteration)${lettered}`, 'isu'),
];
/** `atx`: begun with `#`, not underlined. */
export function readHeading(text: string, depth: number, atx: boolean): HeadingKind {
  const exact = taskShape.exec(text);
  if (exact && atx && depth >= 2 && depth <= 4) {
    return { kind: 'task', id: exact[1] ?? '', title: (exact[2] ?? '').trim() };
  }
  const slip = nearMiss(
    text,
    exact === null ? undefined : atx ? `depth ${depth} is not 2 to 4` : 'it is underlined',
  );
  if (slip !== undefined) return { kind: 'near-miss', message: slip };
  if (/^(?:validation commands|checks)[\s:]*$/i.test(text)) return { kind: 'checks' };
  return { kind: /^overview[\s:]*$/i.test(text) ? 'overview' : 'other' };
}

/** Why it is no task heading, and what to write; undefined if the text has no such form. */
export function nearMiss(text: string, knownReason?: string): string | undefined {
  const bare = text.replace(/[*_`~]/g, '').replace(/^[^\p{L}\p{N}]+/u, '');
  const match = nearShapes.map((shape) => shape.exec(bare)).find((found) => found !== null);
  const [, number, rest = ''] = match ?? [];
  if (number === undefined) return undefined;
  const title = rest.replace(/^[\s:：.)–—-]+/, '').trim() || 'title';
  const reason = knownReason ?? slipOf(text, bare, number);
  return `looks like a task but is not one (${reason}): write \`### Task ${number}: ${title}\``;
}

function slipOf(text: string, bare: string, number: string): string {
  if (/^[*_`~]/.test(text)) return 'it is marked up';
  if (!/^(?:task|iteration)/i.test(text)) return 'something comes before the word';
  if (/[*_`~]/.test(text.slice(0, text.indexOf(number) + number.length + 2))) return 'it is marked up';
  if (!/^(?:Task|Iteration)/.test(bare)) return 'it is not spelled `Task`';
  if (!/^(?:Task|Iteration)\s+\d/.test(bare)) return 'there is no space before the number';
  return 'no colon after the number';
}

export function headingText(heading: Heading, text: string): string {
  const parts = heading.children.map((child) => {
    const isComment = child.type === 'html' && child.value.startsWith('<!--');
    return isComment ? '' : text.slice(child.position?.start.offset, child.position?.end.offset);
  });
  return parts.join('').trim();
}

export function isAtx(heading: Heading, text: string): boolean {
  return text[heading.position?.start.offset ?? 0] === '#';
}
