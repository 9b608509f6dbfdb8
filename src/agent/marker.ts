// The marker protocol: which line of an answer counts as the agent's marker, and which lines only look like one. A marker
// is a hint; its reader decides what it is worth.

import { wordIn } from './json-value.ts';

export type MarkerName =
  | 'TASK_DONE'
  | 'ALL_TASKS_DONE'
  | 'TASK_FAILED'
  | 'ALREADY_DONE'
  | 'NEEDS_INPUT'
  | 'REPLAN'
  | 'REVIEW_DONE'
  | 'PLAN_READY';

/** A marker that counts: its name and the text after it, which may be empty. */
export type Marker = Readonly<{ name: MarkerName; text: string }>;

/** A line that looks like a marker and does not count, and why. */
export type NearMiss = Readonly<{
  line: string;
  why: 'wrong-nonce' | 'no-nonce' | 'not-last' | 'not-alone' | 'unknown-name';
}>;

export type MarkerKey = Readonly<{
  /** Four hex digits that only this session's prompt shows. */
  nonce: string;
  /** Names that the user's own template shows without a nonce, which count like that with the word RALPHEX. */
  bare: ReadonlySet<string>;
}>;

/** An answer's marker, if its last non-empty line is one, and at most five lines that only look like one. */
export type MarkerReading = Readonly<{ marker?: Marker; seen: readonly NearMiss[] }>;

const shape = /^<<<(PAWL|RALPHEX):([A-Z_]+)(?: ([0-9a-f]{4}))?>>>[ \t]*(.*)$/;
const trace = /<<<(?:PAWL|RALPHEX):[A-Z_]+/;
const maxSeen = 5;

/** Names by the word in the marker; ralphex's prompts use their own. */
const names: Readonly<Record<string, MarkerName>> = {
  TASK_DONE: 'TASK_DONE',
  ALL_TASKS_DONE: 'ALL_TASKS_DONE',
  TASK_FAILED: 'TASK_FAILED',
  ALREADY_DONE: 'ALREADY_DONE',
  NEEDS_INPUT: 'NEEDS_INPUT',
  REPLAN: 'REPLAN',
  REVIEW_DONE: 'REVIEW_DONE',
  CODEX_REVIEW_DONE: 'REVIEW_DONE',
  PLAN_READY: 'PLAN_READY',
};

/**
 * Parses the marker of an answer: only its last non-empty line can be one. `prompt`: given for plain text, after which a
 * program may print more; then the last line that is a marker counts, unless the prompt contains that very line.
 */
export function parseMarker(answer: string, key: MarkerKey, prompt?: string): MarkerReading {
  if (!answer.includes('<<<')) return { seen: [] };
  const lines = answer.split('\n').map((line) => line.trimEnd());
  const echoes = new Set(prompt?.split('\n').map((line) => line.trimEnd()));
  const last = lines.findLastIndex((line) =>
    prompt === undefined ? line !== '' : typeof readLine(line, key) !== 'string' && !echoes.has(line),
  );
  const seen: NearMiss[] = [];
  for (const [at, line] of lines.entries()) {
    if (!trace.test(line)) continue;
    const reading = readLine(line, key);
    if (at === last && typeof reading !== 'string') return { marker: reading, seen };
    if (seen.length < maxSeen) seen.push({ line, why: typeof reading === 'string' ? reading : 'not-last' });
  }
  return { seen };
}

function readLine(line: string, key: MarkerKey): Marker | NearMiss['why'] {
  const match = shape.exec(line);
  if (match === null) return 'not-alone';
  const [, word, name = '', nonce, rest = ''] = match;
  const known = wordIn(names, name);
  if (known === undefined) return 'unknown-name';
  if (nonce !== undefined && nonce !== key.nonce) return 'wrong-nonce';
  if (nonce === undefined && !(word === 'RALPHEX' && key.bare.has(name))) return 'no-nonce';
  return { name: known, text: rest.trim() };
}

/** A block's text, why something similar is not one, or nothing. */
type BlockReading = Readonly<{ text: string } | { problem: string }> | undefined;

const end = /^<<<PAWL:END(?: ([0-9a-f]{4}))?>>>[ \t]*$/;

/** Parses the last block of a name, e.g. `PLAN_DRAFT`. */
export function parseBlock(answer: string, name: string, nonce: string): BlockReading {
  const lines = answer.split('\n').map((line) => line.replace(/\r$/, ''));
  const opening = new RegExp(`^<<<PAWL:${name}(?: ([0-9a-f]{4}))?>>>[ \\t]*$`);
  const from = lines.findLastIndex((line) => opening.test(line));
  if (from === -1) return undefined;
  if (opening.exec(lines[from] ?? '')?.[1] !== nonce)
    return { problem: `the line that opens ${name} does not carry the word ${nonce}` };
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const closing = end.exec(lines[last] ?? '');
  if (!closing) return { problem: `${name} does not end with <<<PAWL:END ${nonce}>>> as the last line` };
  if (closing[1] !== undefined && closing[1] !== nonce)
    return { problem: `the line that ends ${name} does not carry the word ${nonce}` };
  return { text: lines.slice(from + 1, last).join('\n') };
}
