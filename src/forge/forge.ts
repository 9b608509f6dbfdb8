// What pawl asks of a forge: a request (pull or merge request) for a branch, the CI of a commit, and what people say about
// a request. github.ts and gitlab.ts answer, by the programs people have; another forge is one more file. Pure.

export type ForgeRequest = Readonly<{
  number: number;
  url: string;
  title: string;
  target: string;
  draft: boolean;
}>;

/** What a request is to be. `target`: the branch it goes into; `title` without a sign of being a draft. */
export type RequestText = Readonly<{ title: string; text: string; target: string; draft: boolean }>;

/**
 * One job or status of CI for a commit, as its last attempt stands. `cancelled`: it says nothing about the commit, and will
 * not.
 */
export type CiJob = Readonly<{
  id: string;
  name: string;
  state: 'pending' | 'green' | 'red' | 'cancelled';
  /** An earlier attempt on the same commit was red. */
  wasRed: boolean;
  url: string;
  /** What the job says of itself, for one that has no log on the forge; else undefined. */
  summary?: string;
}>;

export type RequestComment = Readonly<{
  id: string;
  at: string;
  author: string;
  /** Who may push to the repository. */
  mayWrite: boolean;
  text: string;
  /** Where it was said; absent: about the request as a whole. */
  file?: string;
  line?: number;
}>;

export type ForgeProject = Readonly<{
  /** `owner/name`. */
  name: string;
  defaultBranch: string;
  /** False: the login may not push; undefined: the forge does not say. */
  mayPush: boolean | undefined;
}>;

/**
 * One repository on its forge. Whatever fails throws a Failure: `preflight` without a program or login, else
 * `environment`.
 */
export type Forge = Readonly<{
  program: string;
  noun: 'pull request' | 'merge request';
  project(): Promise<ForgeProject>;
  find(branch: string): Promise<ForgeRequest | undefined>;
  open(branch: string, request: RequestText): Promise<ForgeRequest>;
  update(number: number, change: Partial<Omit<RequestText, 'draft'>>): Promise<void>;
  ready(request: ForgeRequest): Promise<void>;
  /** CI of a commit or branch, without the job that pawl itself runs in. */
  checks(ref: string): Promise<readonly CiJob[]>;
  /** The last part of what a job printed, as it is: text of strangers. */
  failedLog(job: CiJob): Promise<string>;
  /** What people said about a request and pawl has not answered, the oldest first. */
  comments(number: number): Promise<readonly RequestComment[]>;
  /** Answers a comment; `resolve`: nothing is left to say, which is marked where the forge can. */
  answer(
    number: number,
    comment: RequestComment,
    answer: Readonly<{ text: string; resolve: boolean }>,
  ): Promise<void>;
}>;

/** The parts that each forge has of its own; what is said about a request is a third. */
export type RequestCalls = Pick<Forge, 'project' | 'find' | 'open' | 'update' | 'ready'>;
export type CiCalls = Pick<Forge, 'checks' | 'failedLog'>;

/** How much of a job's log is kept, from its end. */
export const logBytes = 256 * 1024;

/** The longest text of a request that every forge takes, in characters. */
const mostText = 65_000;

/** A text that a forge takes whole, cut between two lines. */
export function boundRequestText(text: string): string {
  if (text.length <= mostText) return text;
  const head = text.slice(0, mostText);
  return `${head.slice(0, head.lastIndexOf('\n'))}\n\nThe rest is in \`pawl report\`.\n`;
}

/** One attempt of a job; `key`: the same for all attempts of one job, `at`: orders them. */
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

export const jobsDefinedIn: Readonly<Record<Forge['noun'], string>> = {
  'pull request': '.github/workflows',
  'merge request': '.gitlab-ci.yml',
};
