// What a job of the queue is: a plan of a repository, as data alone. It contains no secret and nothing that a shell would
// read; it is judged again on the machine that works on it. Pure.
import { z } from 'zod';

const line = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\p{Cc}]+$/u);
const hex64 = z.string().regex(/^[0-9a-f]{64}$/);

/** Options that a job may pass to `pawl run`: each in a known form, none that loosens anything. */
const optionsSchema = z.strictObject({
  jobs: z.int().min(1).max(64).exactOptional(),
  maxCost: z.number().positive().exactOptional(),
  keepGoing: z.literal(true).exactOptional(),
  push: z.literal(true).exactOptional(),
  pr: z.literal(true).exactOptional(),
});

/** A branch name in a job: not an option, and nothing that git takes for more than a name. */
const branchForm = line.regex(/^(?![-./])(?!.*(?:\.\.|@\{|[ ~^:?*[\\]))/);

/** A job as stored in the database; anybody who can write there may have written it. */
export const jobSchema = z.strictObject({
  /**
   * URL of the repository, without a login: an absolute path, or with a host; nothing in it that a server could interpret
   * differently.
   */
  repo: line.regex(
    /^(?!-)(?!.*[%?#\\])(?!.*(?:^|[/:])\.\.?(?:\/|$))(?:\/|\w[\w+.-]*:\/\/|[^/:]+:(?!:))/,
    'a plain URL is needed: no “%”, “?”, “#”, “\\” or “..” in it',
  ),
  /** Branch that the plan is on, and from which its own branch begins. */
  base: branchForm,
  /** Branch on which it is worked on. */
  branch: branchForm,
  /** Path of the plan in the repository. */
  plan: line.refine((file) => !/^[-/\\]|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(file)),
  /** SHA-256 of the plan's bytes as submitted. */
  planHash: hex64,
  /** Hash of everything that makes programs run in the repository, as shown by `pawl trust`. */
  trustHash: hex64,
  options: optionsSchema,
  /** Who submitted it, from which machine; shown to people. */
  by: line,
});

export type Job = z.infer<typeof jobSchema>;

/** What became of a job that is over. `exit`: its run's, as listed in docs/running.md. */
export const resultSchema = z.object({
  kind: z.enum([
    ...['done', 'failed', 'asks', 'not-clean', 'budget', 'limited', 'agent-refused', 'environment'],
    // Nothing was started.
    ...['not-allowed', 'needs-trust', 'dead'],
    // A person ended it: its run, or only the job.
    ...['stopped', 'cancelled'],
    // Somebody continued it outside the queue.
    'elsewhere',
    // Its branch on the remote is another's, from the start or by the end.
    'parted',
  ] as const),
  exit: z.int(),
  says: z.string(),
});

export type Result = z.infer<typeof resultSchema>;

/** A result as stored in the database; undefined if it is not a known one. */
export function resultOf(value: unknown): Result | undefined {
  const read = resultSchema.safeParse(value);
  return read.success ? read.data : undefined;
}

/**
 * The branch whose work a job needs if its base does not contain it: that of the job it comes after, from the same base.
 */
export function standsOn(
  { repo, base }: Job,
  after: Readonly<{ data: unknown; result: Result | undefined }> | undefined,
): string | undefined {
  const before = jobSchema.safeParse(after?.data);
  const isThere = after?.result?.kind === 'done' || after?.result?.kind === 'elsewhere';
  if (!before.success || !isThere) return undefined;
  const isSame = plainUrl(before.data.repo) === plainUrl(repo) && before.data.base === base;
  return isSame ? before.data.branch : undefined;
}

const oneName = '(?!\\.\\.?(?:/|$))[\\w.~+-]+';

/** A setting of `fleet.repos` as a regular expression over plain URLs, as JavaScript and PostgreSQL read it; `*` stands for one name in a path. */
export function repoPattern(allowed: string): string {
  const parts = plainUrl(allowed)
    .split('*')
    .map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return `^${parts.join(oneName)}$`;
}

/** Whether the list allows the repository. */
export function isAllowed(repo: string, allowed: readonly string[]): boolean {
  return allowed.some((pattern) => new RegExp(repoPattern(pattern)).test(plainUrl(repo)));
}

/**
 * Normalizes a repository's URL: one path on one host by https and by ssh is the same. http and git are distinct: nobody
 * vouches for what they bring.
 */
export function plainUrl(url: string): string {
  const bare = url.replace(/\/+$/, '').replace(/\.git$/, '');
  const [, host, file] =
    /^(?:https|ssh):\/\/(?:[^/@]*@)?([^/:@]+)(?::(?:22|443))?\/(.+)$/i.exec(bare) ??
    /^(?:[^/:@]+@)?([^/:@]+):(?![/:])(.+)$/.exec(bare) ??
    [];
  return host === undefined ? bare : `${host.toLowerCase()}/${file}`;
}

/** A URL without user and password; one for ssh keeps its user, which is not secret. A password may contain an `@`. */
export function withoutSecret(url: string): string {
  return url.replace(/^(https?:\/\/)[^/]*@/i, '$1').replace(/^(\w+:\/\/[^/:@]*):[^/]*@/, '$1@');
}

/**
 * What becomes of the job: over with a result, given back to the queue, or the same command once more. `trouble`: a fault
 * of the machine's, or another's, in words; `afterMs`: when it is offered again, default 0.
 */
export type JobVerdict =
  | Readonly<{ kind: 'over'; result: Result }>
  | (Readonly<{ kind: 'back' }> & BackWhy)
  | Readonly<{ kind: 'again' }>;

/** Why a job is given back, and for how long it is offered to nobody. */
export type BackWhy = Readonly<{ trouble?: string; afterMs?: number }>;

/** How many workers in a row may fall silent with a job, with nothing done in between. */
const maxDeaths = 5;

/** Whether the job may begin here; if not, it is over. `cutOffs`: how many deaths its run's own journal records. */
export function judgeOffer(
  { data, deaths }: Readonly<{ data: unknown; deaths: number }>,
  { allowed, cutOffs }: Readonly<{ allowed: readonly string[]; cutOffs: number }>,
): Readonly<{ kind: 'job'; job: Job }> | Readonly<{ kind: 'refused'; result: Result }> {
  const refuse = (kind: Result['kind'], says: string) => ({
    kind: 'refused' as const,
    result: { kind, exit: 2, says },
  });
  const read = jobSchema.safeParse(data);
  if (!read.success) {
    const [issue] = read.error.issues;
    return refuse('not-allowed', `it is not a pawl job: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { repo } = read.data;
  if (!isAllowed(repo, allowed))
    return refuse('not-allowed', `${repo} is not in fleet.repos of the worker that was offered it`);
  if (deaths >= Math.max(maxDeaths, cutOffs + 1))
    return refuse('dead', `${deaths} workers in a row went silent with it, and nothing was done in between`);
  return { kind: 'job', job: read.data };
}
