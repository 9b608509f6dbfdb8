// What a job of the queue is: a plan of a repository, as data alone. It contains no secret and nothing that a shell would
// read; it is judged again on the machine that works on it. Pure.
import { createHash } from 'node:crypto';
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
  labels: z.array(z.string().regex(/^[\w.-]{1,50}$/)).max(10),
  options: optionsSchema,
  /** Its URL was given explicitly, and need not be that of a clone's origin. */
  repoNamed: z.literal(true).exactOptional(),
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

export const askedSchema = jobSchema.pick({ repo: true, labels: true });

type JobNeeds = z.infer<typeof askedSchema>;

/** Queue for the jobs of one repository that ask for these labels. */
export function queueOf({ repo, labels }: JobNeeds): string {
  const digest = createHash('sha256').update(plainUrl(repo)).digest('hex').slice(0, 16);
  return ['pawl', digest, ...[...new Set(labels)].sort()].join('/');
}

/** What a worker takes: `repos` as in its own settings. */
export type Takes = Readonly<{ repos: readonly string[]; labels: readonly string[] }>;

export function takes(worker: Takes, { repo, labels }: JobNeeds): boolean {
  return isAllowed(repo, worker.repos) && labels.every((label) => worker.labels.includes(label));
}

/** Jobs with one key are worked on one after the other. */
export function keyOf({ repo, base }: Pick<Job, 'repo' | 'base'>): string {
  return `${plainUrl(repo)}#${base}`;
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

/** Whether the list allows the repository; `*` stands for one name in a path. */
export function isAllowed(repo: string, allowed: readonly string[]): boolean {
  return allowed.some((pattern) => {
    const parts = plainUrl(pattern)
      .split('*')
      .map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
    return new RegExp(`^${parts.join(oneName)}$`).test(plainUrl(repo));
  });
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

const kindOfExit: Readonly<Record<number, Result['kind']>> = {
  0: 'done',
  1: 'failed',
  3: 'asks',
  4: 'not-clean',
  5: 'budget',
  6: 'limited',
  7: 'agent-refused',
};

/**
 * How a pawl that worked on a job ended. `uncarried`: its run is finished, and not all of it is on the remote; `parted`:
 * only its branch is missing there.
 */
export type Ending = Readonly<{
  exit: number | null;
  says: string;
  fenced: boolean;
  uncarried: boolean;
  parted: boolean;
  /** The worker itself is ending. */
  draining: boolean;
  /** How often in a row it ended because of the machine, with nothing done in between. */
  troubles: number;
}>;

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

/** How often a job may end because of a machine, or another's fault. */
const maxTroubles = 9;

/**
 * For how long it is then offered to nobody, by how often this has happened: from 10 s to 43 minutes, more than an hour in
 * total, since a remote may be unreachable that long.
 */
function pauseMs(troubles: number): number {
  return 10_000 * 2 ** troubles;
}

export function judgeEnding(ending: Ending): JobVerdict {
  const { exit, says, fenced, uncarried, parted, draining, troubles } = ending;
  const over = (kind: Result['kind'], code: number): JobVerdict => ({
    kind: 'over',
    result: { kind, exit: code, says },
  });
  if (fenced) return over('elsewhere', 8);
  if (parted) return over('parted', 8);
  if (uncarried) return draining ? { kind: 'back' } : { kind: 'again' };
  const known = exit === null ? undefined : kindOfExit[exit];
  if (known !== undefined && exit !== null) return over(known, exit);
  // By `pawl stop`; a worker that ends stops its own in another way.
  if (exit === 130 && !draining) return over('stopped', 130);
  // Ended with its machine: what it carried is continued.
  if (draining || (exit !== null && exit > 128)) return { kind: 'back' };
  // Killed although its worker was not, or refused: this may pass. The remote is unreachable, or another is still
  // continuing the run.
  const isTrouble = exit === null || exit === 8 || exit === 2;
  if (isTrouble && troubles < maxTroubles) return { kind: 'back', trouble: says, afterMs: pauseMs(troubles) };
  return over(exit === 8 || exit === null ? 'environment' : 'failed', exit ?? 8);
}

/** What an offer says about itself before anything of it is used. */
export type Offered = Readonly<{
  data: unknown;
  deaths: number;
}>;

/** How many workers in a row may fall silent with a job, with nothing done in between. */
const maxDeaths = 5;

/** Whether the job may begin here; if not, it is over. `cutOffs`: how many deaths its run's own journal records. */
export function judgeOffer(
  { data, deaths }: Offered,
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
