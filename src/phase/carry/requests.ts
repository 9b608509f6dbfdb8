// Requests that people make of a carried run from other machines: a small file in a ref of its own beside the run's, so
// that a request takes the run from nobody. Requests are added under a lease; whoever carries the run answers in its
// journal.

import { z } from 'zod';
import { wishSchema } from '../../control/request.ts';
import { asFailure, Failure } from '../../failure.ts';
import { readCarried, requestsFile, writeCarried } from '../../git/carry/carried-commit.ts';
import { fetchRefs, pushLeased, type Remote, readRemoteRefs } from '../../git/carry/remote.ts';
import type { Repo } from '../../git/run/repo.ts';
import { parseJson } from '../../parse-json.ts';

const editSchema = z.object({
  do: z.literal('edit'),
  /** The wanted plan, and the plan as it was when the edit began. */
  text: z.string(),
  base: z.string(),
});

const requestSchema = z.object({
  /** Random, so that each request is answered once. */
  request: z.string().regex(/^[0-9a-f]{16}$/),
  /** Who asks and where, as shown to people; unverified. */
  by: z.string().max(200),
  /** By the requesting machine's clock. */
  at: z.iso.datetime(),
  wish: z.union([wishSchema, editSchema]),
});

/** One request from another machine. */
export type AfarRequest = z.infer<typeof requestSchema>;

const fileSchema = z.object({ v: z.literal(1), requests: z.array(requestSchema).max(100) });

const limits = { file: 8e6, all: 8e6, work: 0 };

/**
 * The requests in a ref. `oid`: its commit, undefined if there is none; `beside`: what the other ref held at that moment.
 */
export type Requests = Readonly<{
  oid: string | undefined;
  requests: readonly AfarRequest[];
  beside: string | undefined;
}>;

/** The ref for requests to the run that this ref carries. */
export function requestsRef(carried: string): string {
  return carried.startsWith('refs/heads/')
    ? carried.replace('/pawl-carried/', '/pawl-requests/')
    : carried.replace(/\/carried$/, '/requests');
}

/** Reads them; throws Failure('preflight') if pawl did not write them. */
export async function readRequests(repo: Repo, remote: Remote, ref: string, other = ref): Promise<Requests> {
  const there = await readRemoteRefs(repo, remote, [...new Set([ref, other])]);
  const [oid, beside] = [there.get(ref), there.get(other)];
  if (oid === undefined) return { oid, beside, requests: [] };
  await fetchRefs(repo, remote, [ref]);
  const { files } = await readCarried(repo, oid, limits, requestsFile);
  const read = fileSchema.safeParse(parseJson(files.get(requestsFile)?.toString('utf8') ?? ''));
  if (read.success) return { oid, beside, requests: read.data.requests };
  throw new Failure('preflight', `${ref} on ${remote.name} does not hold requests that this pawl can read`, {
    hint: `Another version of pawl, or somebody by hand, wrote it. To remove it: git push ${remote.name} --delete ${ref}`,
  });
}

/** Adds one, retrying if others add theirs at the same moment; throws Failure('git') if the remote refuses. */
export async function addRequest(
  repo: Repo,
  remote: Remote,
  { ref, request, isOpen }: Readonly<{ ref: string; request: AfarRequest; isOpen: (id: string) => boolean }>,
): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const { oid: old, requests } = await readRequests(repo, remote, ref);
    // The answer to an earlier push may have been lost.
    if (requests.some((each) => each.request === request.request)) return;
    const open = requests.filter((each) => isOpen(each.request));
    const file = { v: 1, requests: [...open, request] } satisfies z.infer<typeof fileSchema>;
    if (!fileSchema.safeParse(file).success)
      throw new Failure('usage', 'too many requests to this run are waiting, and none was taken', {
        hint: `\`pawl status --remote\` shows it. To withdraw them all: git push ${remote.name} --delete ${ref}`,
      });
    const files = new Map([[requestsFile, Buffer.from(JSON.stringify(file))]]);
    const message = 'asked from another machine\n';
    const now = await writeCarried(repo, { files, parents: [], message }, new Map());
    const end = await pushLeased(repo, remote, { ref, old, now });
    if (end === 'taken') return;
    const there = (await readRemoteRefs(repo, remote, [ref])).get(ref);
    if (there === old || tries > 5)
      throw new Failure('git', `${remote.name} did not take the request: ${end.why}`, {
        hint: `Nothing was requested: that needs the right to push to ${remote.name}, as the run itself does.`,
      });
  }
}

/** Removes answered requests, unless new ones have arrived. A server that keeps them does no harm. */
export async function dropRequests(
  repo: Repo,
  remote: Remote,
  { ref, oid }: Readonly<{ ref: string; oid: string }>,
): Promise<void> {
  try {
    await pushLeased(repo, remote, { ref, old: oid, now: undefined });
  } catch (error) {
    if (!asFailure(error)) throw error;
  }
}
