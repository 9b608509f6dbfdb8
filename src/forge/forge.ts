// What pawl asks of a forge: a request (pull or merge request) for a branch, the CI of a commit, and comments on a
// request. Pure.
import { stripVTControlCharacters } from 'node:util';

export type ForgeRequest = Readonly<{
  number: number;
  url: string;
  title: string;
  target: string;
  draft: boolean;
}>;

/** `target`: where it goes; `title`: without a sign of being a draft. */
export type RequestText = Readonly<{ title: string; text: string; target: string; draft: boolean }>;

/** As its last attempt stands. `cancelled`: it will say nothing about the commit. */
export type CiJob = Readonly<{
  id: string;
  name: string;
  state: 'pending' | 'green' | 'red' | 'cancelled';
  /** An earlier attempt on the same commit was red. */
  wasRed: boolean;
  url: string;
  /** Its own words, if it has no log on the forge. */
  summary?: string;
}>;

export type RequestComment = Readonly<{
  id: string;
  at: string;
  author: string;
  /** The author may push to the repository. */
  mayWrite: boolean;
  text: string;
  /** Absent: about the whole request. */
  file?: string;
  line?: number;
}>;

export type ForgeProject = Readonly<{
  /** `owner/name`. */
  name: string;
  defaultBranch: string;
  /** Of the login; undefined: the forge does not say. */
  mayPush: boolean | undefined;
}>;

/** `path`: the repository's. A host without a dot may be an alias of ssh, for the programs to resolve. */
export type ForgeAddress = Readonly<{ host: string; path: string }>;

/** Throws a Failure: `preflight` without a program or login, else `environment`. */
export type Forge = Readonly<{
  program: string;
  noun: 'pull request' | 'merge request';
  project(): Promise<ForgeProject>;
  find(branch: string): Promise<ForgeRequest | undefined>;
  open(branch: string, request: RequestText): Promise<ForgeRequest>;
  update(number: number, change: Readonly<{ text: string; target?: string }>): Promise<void>;
  ready(request: ForgeRequest): Promise<void>;
  /** Of a commit or branch, without the job that pawl itself runs in. */
  checks(ref: string): Promise<readonly CiJob[]>;
  /** The last part, as printed: text of strangers. */
  failedLog(job: CiJob): Promise<string>;
  /** Of people, unanswered, the oldest first. */
  comments(number: number): Promise<readonly RequestComment[]>;
  /** `resolve`: nothing is left to say; marked where the forge can. */
  answer(
    number: number,
    comment: RequestComment,
    answer: Readonly<{ text: string; resolve: boolean }>,
  ): Promise<void>;
}>;

export type RequestCalls = Pick<Forge, 'project' | 'find' | 'open' | 'update' | 'ready'>;
export type CiCalls = Pick<Forge, 'checks' | 'failedLog'>;

/** Of a job's log, from its end. */
export const logBytes = 256 * 1024;

/** In characters; every forge takes that much. */
const mostText = 65_000;

/** Cut between two lines. */
export function boundRequestText(text: string): string {
  if (text.length <= mostText) return text;
  const head = text.slice(0, mostText);
  return `${head.slice(0, head.lastIndexOf('\n'))}\n\nThe rest is in \`pawl report\`.\n`;
}

/** `key`: the job's; `at` orders its attempts. */
export type CiAttempt = Readonly<{ job: Omit<CiJob, 'wasRed'>; key: string; at: number }>;

export function lastAttempts(attempts: readonly CiAttempt[]): readonly CiJob[] {
  const byKey = Map.groupBy(attempts, ({ key }) => key);
  return [...byKey.values()].flatMap((all) => {
    const sorted = all.toSorted((a, b) => a.at - b.at);
    const last = sorted.at(-1);
    const wasRed = sorted.slice(0, -1).some(({ job }) => job.state === 'red');
    return last ? [{ ...last.job, wasRed }] : [];
  });
}

/** Where jobs are defined; `words`: one of them is a key in each definition. */
export const jobsOf = {
  'pull request': { file: '.github/workflows', words: 'runs-on|uses' },
  'merge request': { file: '.gitlab-ci.yml', words: 'script|trigger|run|extends|include' },
} as const;

/** By anybody, programs included; `key`: asks for what its author may do. */
export type AnyComment<K> = Omit<RequestComment, 'mayWrite'> & Readonly<{ isBot: boolean; key: K }>;

/** As it is sent; nothing in `text` can be taken for a mark. */
export function markAnswer({ id }: RequestComment, text: string): string {
  return `${text.replaceAll('<!--', '<! --')}\n\n<!-- pawl answers ${id} -->`;
}

/** By people, the oldest first; each author is asked about once. A mark counts from whoever could have answered. */
export async function listUnanswered<K>(
  all: readonly AnyComment<K>[],
  hasWriteAccess: (key: K) => Promise<boolean>,
): Promise<readonly RequestComment[]> {
  const writers = new Map<K, boolean>();
  for (const { key, isBot } of all)
    if (!isBot && !writers.has(key)) writers.set(key, await hasWriteAccess(key));
  const answered = new Set(
    all.flatMap(({ text, key, isBot }) => (isBot || writers.get(key) ? (readMark(text) ?? []) : [])),
  );
  return all
    .filter(
      ({ id, text, isBot }) =>
        !isBot && text.trim() !== '' && readMark(text) === undefined && !answered.has(id),
    )
    .map(({ isBot: _, key, ...comment }) => ({ ...comment, mayWrite: writers.get(key) === true }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

function readMark(text: string): string | undefined {
  return /^<!-- pawl answers (\S+) -->\s*$/m.exec(text)?.[1];
}

/** GitHub's time; GitLab's also has the number of a stream. */
const stamp = /^\d{4}-\d\d-\d\dT[\d:.]+Z (?:\d\d[OE][ +]?)?/;

const marks = /^##\[(?:end)?group\]|section_(?:start|end):\d+:\S*/g;

/** Controls but tabs, and what reorders a line. */
const unclean = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

export function cleanLog(log: string): string {
  return log
    .split('\n')
    .map((line) =>
      stripVTControlCharacters(line.replace(stamp, ''))
        // Keeps what a progress bar wrote last.
        .replace(/^.*\r(?=.)/s, '')
        .replaceAll(marks, '')
        .replaceAll(unclean, ''),
    )
    .join('\n')
    .trim();
}
