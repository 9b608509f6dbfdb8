// A job of the queue: a plan of a repository, as data without a secret or anything a shell would read, judged again on
// its machine; and as people see it, from its row in the database. Pure.
import { z } from 'zod';

const line = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\p{Cc}]+$/u);
const hex64 = z.string().regex(/^[0-9a-f]{64}$/);

/** For `pawl run`; none loosens anything. */
const optionsSchema = z.strictObject({
  jobs: z.int().min(1).max(64).exactOptional(),
  maxCost: z.number().positive().exactOptional(),
  keepGoing: z.literal(true).exactOptional(),
  push: z.literal(true).exactOptional(),
  pr: z.literal(true).exactOptional(),
  stack: z.literal(true).exactOptional(),
});

export const optionNames = optionsSchema.keyof().options;

/** No option, and no more than a name to git. */
const branchForm = line.regex(/^(?![-./])(?!.*(?:\.\.|@\{|[ ~^:?*[\\]))/);

/** Perhaps written by anybody who can write to the database. */
export const jobSchema = z.strictObject({
  /** Without a login: an absolute path, or with a host; nothing that a server could interpret differently. */
  repo: line.regex(
    /^(?!-)(?!.*[%?#\\])(?!.*(?:^|[/:])\.\.?(?:\/|$))(?:\/|\w[\w+.-]*:\/\/|[^/:]+:(?!:))/,
    'a plain URL is needed: no “%”, “?”, “#”, “\\” or “..” in it',
  ),
  /** Has the plan; the job's branch begins there. */
  base: branchForm,
  branch: branchForm,
  /** Path in the repository. */
  plan: line.refine((file) => !/^[-/\\]|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(file)),
  /** SHA-256 of its bytes as submitted. */
  planHash: hex64,
  /** Of all that makes programs run in the repository, by `pawl trust`. */
  trustHash: hex64,
  options: optionsSchema,
  /** Who, from where; shown to people. */
  by: line,
});

export type Job = z.infer<typeof jobSchema>;

/** `exit`: its run's, see docs/running.md. */
const resultSchema = z.object({
  kind: z.enum([
    ...['done', 'failed', 'asks', 'not-clean', 'budget', 'limited', 'agent-refused', 'environment'],
    // Nothing was started.
    ...['not-allowed', 'needs-trust'],
    // By a person: its run, or only the job.
    ...['stopped', 'cancelled'],
    // Somebody continued it outside the queue.
    'elsewhere',
    // Its branch on the remote is another's.
    'parted',
  ] as const),
  exit: z.int(),
  says: z.string(),
});

export type Result = z.infer<typeof resultSchema>;

export function resultOf(value: unknown): Result | undefined {
  const read = resultSchema.safeParse(value);
  return read.success ? read.data : undefined;
}

/** The branch whose work a job needs if its base lacks it: that of the job it comes after, from the same base. */
export function standsOn(
  { repo, base }: Job,
  after: Readonly<{ data: unknown; result: unknown }> | null,
): string | undefined {
  const before = jobSchema.safeParse(after?.data);
  const kind = resultOf(after?.result)?.kind;
  const isThere = kind === 'done' || kind === 'elsewhere';
  if (!before.success || !isThere) return undefined;
  const isSame = plainUrl(before.data.repo) === plainUrl(repo) && before.data.base === base;
  return isSame ? before.data.branch : undefined;
}

const oneName = '(?!\\.\\.?(?:/|$))[\\w.~+-]+';

/** `fleet.repos` as a regular expression over plain URLs, for JavaScript and PostgreSQL; `*`: one name in a path. */
export function repoPattern(allowed: string): string {
  const parts = plainUrl(allowed)
    .split('*')
    .map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return `^${parts.join(oneName)}$`;
}

export function isAllowed(repo: string, allowed: readonly string[]): boolean {
  return allowed.some((pattern) => new RegExp(repoPattern(pattern)).test(plainUrl(repo)));
}

/**
 * https and ssh to one path on one host are the same. http and git are distinct: nobody vouches for what they bring.
 */
export function plainUrl(url: string): string {
  const bare = url.replace(/\/+$/, '').replace(/\.git$/, '');
  const [, host, file] =
    /^(?:https|ssh):\/\/(?:[^/@]*@)?([^/:@]+)(?::(?:22|443))?\/(.+)$/i.exec(bare) ??
    /^(?:[^/:@]+@)?([^/:@]+):(?![/:])(.+)$/.exec(bare) ??
    [];
  return host === undefined ? bare : `${host.toLowerCase()}/${file}`;
}

/** An ssh user stays: it is not secret. A password may contain an `@`. */
export function withoutSecret(url: string): string {
  return url.replace(/^(https?:\/\/)[^/]*@/i, '$1').replace(/^(\w+:\/\/[^/:@]*):[^/]*@/, '$1@');
}

export type JobOver = Readonly<{ kind: 'over'; result: Result }>;

/** `back`: to the queue. */
export type JobVerdict = JobOver | (Readonly<{ kind: 'back' }> & BackWhy);

export function over(kind: Result['kind'], exit: number, says: string): JobOver {
  return { kind: 'over', result: { kind, exit, says } };
}

/** `trouble`: a fault of the machine's or another's, in words; `afterMs`: until it is offered again, default 0. */
export type BackWhy = Readonly<{ trouble?: string; afterMs?: number }>;

/** How often in a row a job may end by the fault of a machine or of others. */
export const maxTroubles = 9;

/** A job that may not begin here is over. */
export function judgeOffer(
  { data, troubles }: Readonly<{ data: unknown; troubles: number }>,
  allowed: readonly string[],
): Readonly<{ kind: 'job'; job: Job }> | JobOver {
  const read = jobSchema.safeParse(data);
  if (!read.success) {
    const [issue] = read.error.issues;
    return over('not-allowed', 2, `it is not a pawl job: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { repo } = read.data;
  if (!isAllowed(repo, allowed))
    return over('not-allowed', 2, `${repo} is not in fleet.repos of the worker that was offered it`);
  if (troubles > maxTroubles)
    return over('environment', 2, `${troubles} machines in a row gave it back or went silent with it`);
  return { kind: 'job', job: read.data };
}

/** As in the database, by whose clock its times are. */
export type Listed = Readonly<{
  id: string;
  data: unknown;
  /** `held`: the job it comes after is over but not done. */
  state: 'waiting' | 'held' | 'queued' | 'active' | 'over';
  after: string | null;
  /** Of the job that it comes after. */
  before: Result | undefined;
  at: Date;
  run: string | null;
  result: Result | undefined;
  /** What its worker last told of its run, `ageMs` ago. */
  worker: string | null;
  headline: unknown;
  ageMs: number | null;
  /** Why a machine last gave it back, how often in a row, and in how many ms it is offered again. */
  trouble: string | null;
  troubles: number;
  dueMs: number;
}>;
