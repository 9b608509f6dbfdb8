// Which line of an answer is the agent's marker. It is a hint; its reader decides what it is worth.
/** By its name what it says of the turn. */
export const markerKinds = {
  TASK_DONE: 'done',
  ALL_TASKS_DONE: 'done',
  REVIEW_DONE: 'done',
  PLAN_READY: 'done',
  TASK_FAILED: 'failed',
  ALREADY_DONE: 'already-done',
  NEEDS_INPUT: 'needs-input',
  REPLAN: 'replan',
} as const;

type MarkerName = keyof typeof markerKinds;

const names = Object.keys(markerKinds) as readonly MarkerName[];

export type Marker = Readonly<{ name: MarkerName; text: string }>;

export type MarkerKey = Readonly<{
  /** Four hex digits, only in this session's prompt. */
  nonce: string;
  /** Names that the user's own template shows without a nonce: with RALPHEX they count so. */
  bare: ReadonlySet<string>;
}>;

const shape = /^<<<(PAWL|RALPHEX):([A-Z_]+)(?: ([0-9a-f]{4}))?>>>[ \t]*(.*)$/;

/**
 * Only the last non-empty line can be one. `prompt`: given for plain text, after which a program may print more; then
 * it is the last marker whose line the prompt does not contain.
 */
export function parseMarker(answer: string, key: MarkerKey, prompt?: string): Marker | undefined {
  const lines = linesOf(answer).filter((line) => !lessonLine.test(line));
  if (prompt === undefined) return readLine(lines.findLast((line) => line !== '') ?? '', key);
  const echoes = new Set(linesOf(prompt));
  const own = lines.findLast((line) => readLine(line, key) !== undefined && !echoes.has(line));
  return own === undefined ? undefined : readLine(own, key);
}

function readLine(line: string, key: MarkerKey): Marker | undefined {
  const [, word, name = '', nonce, rest = ''] = shape.exec(line) ?? [];
  const known = names.find((each) => each === name.replace(/^CODEX_(?=REVIEW_DONE$)/, ''));
  const isMeant = nonce === undefined ? word === 'RALPHEX' && key.bare.has(name) : nonce === key.nonce;
  return known !== undefined && isMeant ? { name: known, text: rest.trim() } : undefined;
}

const lessonLine = /^<<<PAWL:LESSON ([0-9a-f]{4})>>>[ \t]*(.+)$/;

/** At most three, none that the prompt shows. */
export function parseLessons(answer: string, { nonce }: MarkerKey, prompt: string): readonly string[] {
  const echoes = new Set(linesOf(prompt));
  const said = linesOf(answer).flatMap((line) => {
    const [, given, text = ''] = lessonLine.exec(line) ?? [];
    return given === nonce && !echoes.has(line) ? [text.slice(0, 400)] : [];
  });
  return said.slice(0, 3);
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trimEnd());
}

/** `problem`: why it is no block. */
type BlockReading = Readonly<{ text: string } | { problem: string }>;

const end = /^<<<PAWL:END(?: ([0-9a-f]{4}))?>>>[ \t]*$/;

export function parseBlock(answer: string, name: string, nonce: string): BlockReading {
  const lines = answer.split('\n').map((line) => line.replace(/\r$/, ''));
  const opening = new RegExp(`^<<<PAWL:${name}(?: ([0-9a-f]{4}))?>>>[ \\t]*$`);
  const from = lines.findLastIndex((line) => opening.test(line));
  if (from === -1) return { problem: `no line opens a ${name} block with the word ${nonce}` };
  if (opening.exec(lines[from] ?? '')?.[1] !== nonce)
    return { problem: `the line that opens ${name} does not carry the word ${nonce}` };
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const closing = end.exec(lines[last] ?? '');
  if (!closing) return { problem: `${name} does not end with <<<PAWL:END ${nonce}>>> as the last line` };
  if (closing[1] !== undefined && closing[1] !== nonce)
    return { problem: `the line that ends ${name} does not carry the word ${nonce}` };
  return { text: lines.slice(from + 1, last).join('\n') };
}
