// Whose a carried run is: the file in its commit that says so, and what that means to whoever has its journal.
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { type CarriedTree, readCarried } from '../../git/carry/carried-commit.ts';
import { fetchRefs, type Remote, readRemoteRefs } from '../../git/carry/remote.ts';
import { descends } from '../../git/run/ancestry.ts';
import { changeRefs, readRef } from '../../git/run/head.ts';
import { pawlRef } from '../../git/run/refs.ts';
import type { Repo } from '../../git/run/repo.ts';
import { parseJson } from '../../parse-json.ts';

const oidForm = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);

const ownerSchema = z.object({
  run: z
    .string()
    .regex(/^\d{8}-\d{6}-[^/\\\p{Cc}]{1,200}$/u)
    .refine((run) => Buffer.byteLength(run) <= 240),
  host: z.string().max(200),
  at: z.iso.datetime(),
  plan: z.string(),
  branch: z.string(),
  /** What the branch was created from; absent if it already existed. */
  base: z.string().exactOptional(),
  head: oidForm,
  ended: z.boolean(),
  /** Id of the fleet job that it works for. */
  job: z.string().max(100).exactOptional(),
});

export type Owner = z.infer<typeof ownerSchema>;

/** What a remote has of a run. */
export type CarriedRun = CarriedTree & Owner;

/** Of what it is given, only what says whose it is. */
export function formatOwner(owner: Owner): Buffer {
  return Buffer.from(`${JSON.stringify(ownerSchema.parse(owner), null, 2)}\n`);
}

export async function readTip(repo: Repo, remote: Remote, run: string): Promise<CarriedRun | undefined> {
  const ref = carriedRefs(run).pushed;
  const oid = (await readRemoteRefs(repo, remote, [ref])).get(ref);
  if (oid === undefined) return undefined;
  await fetchRefs(repo, remote, [ref]);
  return readRun(repo, oid);
}

/** If it is not in pawl's format, throws Failure('preflight'). */
export async function readRun(repo: Repo, oid: string, only?: string): Promise<CarriedRun> {
  const tree = await readCarried(repo, oid, only);
  const owner = ownerSchema.safeParse(parseJson(tree.files.get('owner.json')?.toString('utf8') ?? ''));
  if (owner.success && tree.parents.includes(owner.data.head)) return { ...tree, ...owner.data };
  throw new Failure(
    'preflight',
    `what the remote has of this run does not say whose it is (${oid.slice(0, 12)})`,
    { hint: 'It was not written by pawl, or by a later version of pawl. None of it was used.' },
  );
}

/** What was last pushed, here and on the remote, and last tried. */
export function carriedRefs(run: string): Readonly<{ pushed: string; tried: string }> {
  return { pushed: pawlRef(run, 'carried'), tried: pawlRef(run, 'carrying') };
}

/** As this run left it (`oid`), or in this clone: each carry's parent is the one before, even if its answer was lost. */
export async function isWrittenHere(
  repo: Repo,
  there: Pick<CarriedRun, 'oid'>,
  { run, oid }: Readonly<{ run: string; oid: string | undefined }>,
): Promise<boolean> {
  if (there.oid === oid) return true;
  const last = await readRef(repo, carriedRefs(run).tried);
  return last !== undefined && (await descends(repo, there.oid, last));
}

/** Returns the ref; undefined if `theirs`, the other's head, contains `head`. */
export async function keepFenced(
  repo: Repo,
  { run, head, theirs }: Readonly<{ run: string; head: string; theirs: string | undefined }>,
): Promise<string | undefined> {
  if (theirs !== undefined && (await descends(repo, head, theirs))) return undefined;
  const ref = pawlRef(run, `fenced-${head.slice(0, 12)}`);
  await keepCarried(repo, ref, head);
  return ref;
}

export async function keepCarried(repo: Repo, ref: string, now: string): Promise<void> {
  await changeRefs(repo, 'keep carried', [{ ref, now, old: await readRef(repo, ref) }]);
}
