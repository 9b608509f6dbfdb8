// The file in a carried commit that says whose run it is, and enough to find and name it without its journal.

import { z } from 'zod';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { type CarriedTree, carriedLimits, readCarried } from '../../git/carry/carried-commit.ts';
import { fetchRefs, type Remote, readRemoteRefs } from '../../git/carry/remote.ts';
import { descends } from '../../git/run/ancestry.ts';
import { readRef } from '../../git/run/head.ts';
import { pawlRef } from '../../git/run/refs.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { RunState } from '../../journal/state.ts';
import { parseJson } from '../../parse-json.ts';
import type { CarriedTip, CarryOrigin } from './judge-carry.ts';

const oidForm = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);

const ownerSchema = z.object({
  run: z
    .string()
    .regex(/^\d{8}-\d{6}-[^/\\\p{Cc}]{1,200}$/u)
    .refine((run) => Buffer.byteLength(run) <= 240),
  owner: z.string().min(8),
  host: z.string().max(200),
  pawl: z.string(),
  at: z.iso.datetime(),
  plan: z.string(),
  title: z.string(),
  branch: z.string(),
  /** What the branch was created from; absent if it already existed. */
  base: z.string().exactOptional(),
  head: oidForm,
  ended: z.boolean(),
  /** Id of the fleet job that it works for. */
  job: z.string().max(100).exactOptional(),
});

export type Owner = z.infer<typeof ownerSchema>;

export type CarriedRun = CarriedTree & Owner & CarriedTip;

export function formatOwner({
  state: { started, branchFrom: base },
  ...own
}: Pick<Owner, 'owner' | 'host' | 'pawl' | 'at' | 'head' | 'ended' | 'job'> &
  Readonly<{
    state: Pick<RunState, 'branchFrom'> &
      Readonly<{ started: Pick<RunState['started'], 'run' | 'plan' | 'title' | 'branch'> }>;
  }>): Buffer {
  const { run, plan, title, branch } = started;
  const owner: Owner = { run, ...own, plan, title, branch, ...defined({ base }) };
  return Buffer.from(`${JSON.stringify(owner, null, 2)}\n`);
}

export async function readTip(repo: Repo, remote: Remote, ref: string): Promise<CarriedRun | undefined> {
  const oid = (await readRemoteRefs(repo, remote, [ref])).get(ref);
  if (oid === undefined) return undefined;
  await fetchRefs(repo, remote, [ref]);
  return readRun(repo, oid);
}

/** If it is not in pawl's format, throws Failure('preflight'). */
export async function readRun(repo: Repo, oid: string, only?: string): Promise<CarriedRun> {
  const tree = await readCarried(repo, oid, carriedLimits, only);
  const owner = ownerSchema.safeParse(parseJson(tree.files.get('owner.json')?.toString('utf8') ?? ''));
  if (owner.success && tree.parents.includes(owner.data.head)) return { ...tree, ...owner.data };
  throw new Failure(
    'preflight',
    `what the remote has of this run does not say whose it is (${oid.slice(0, 12)})`,
    { hint: 'It was not written by pawl, or by a later version of pawl. None of it was used.' },
  );
}

/** This repository's: what was last pushed, and last tried. */
export function carriedRefs(run: string): Readonly<{ pushed: string; tried: string }> {
  return { pushed: pawlRef(run, 'carried'), tried: pawlRef(run, 'carrying') };
}

/** Each carry's parent is the one before, even if that one's answer was lost. */
export async function findOrigin(
  repo: Repo,
  run: string,
  there: Pick<CarriedTip, 'oid'> | undefined,
): Promise<CarryOrigin> {
  const last = await readRef(repo, carriedRefs(run).tried);
  if (there === undefined || last === undefined) return 'strange';
  if (await descends(repo, there.oid, last)) return 'own';
  return (await descends(repo, last, there.oid)) ? 'later' : 'strange';
}
