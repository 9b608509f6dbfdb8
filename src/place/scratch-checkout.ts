// The throw-away checkout for reviewers and planners: created outside the repository, inspected for writes, and always
// removed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeFolder, makeLink, removeOwnFolder } from '../disk.ts';
import { makeCheckout } from '../git/place/checkout.ts';
import type { Repo } from '../git/run/repo.ts';
import { writeFileAtomic } from '../write-file.ts';
import type { Place } from './place.ts';

/** The ref in the checkout that names the base of the diff. */
export const baseName = 'pawl-base';

const mostNames = 10;

/** Lets `act` work in a checkout of a commit, then removes it; what was written there is reported. */
export async function inCheckout<R>(
  place: Place,
  { head, base, who = 'reviewer' }: Readonly<{ head: string; base: string; who?: 'reviewer' | 'planner' }>,
  act: (root: string) => Promise<R>,
): Promise<R> {
  const { branch } = place.run.state().started;
  const folder = checkoutFolder(place, 'review');
  const { repo, remove } = await makeCheckout(place.repo, {
    folder,
    branch: branch === '' ? 'review' : branch,
    head,
    branches: { [baseName]: base },
  });
  try {
    const config = readFileSync(configOf(repo));
    const result = await act(repo.root);
    await emitWritten(place, repo, { head, config, who });
    return result;
  } finally {
    remove();
  }
}

const kinds = ['review', 'checks'] as const;

/** Where a run's checkout of a kind is made. One per run, so that what a killed process left is found again. */
export function checkoutFolder({ run }: Pick<Place, 'run'>, kind: (typeof kinds)[number]): string {
  const name = createHash('sha256').update(run.folder).digest('hex').slice(0, 16);
  return path.join(realpathSync(tmpdir()), `pawl-${kind}-${name}`);
}

/** Removes what a killed process of the run left: the next one may need none. */
export function removeLeftCheckouts(place: Pick<Place, 'run'>): void {
  // A run without a review needs no folder for temporary files.
  if (!existsSync(tmpdir())) return;
  for (const folder of kinds.map((kind) => checkoutFolder(place, kind)))
    if (existsSync(folder)) removeOwnFolder(folder);
}

function configOf(repo: Repo): string {
  return path.join(repo.gitDir, 'config');
}

/** None of it is kept; but whoever wrote did more than look. */
async function emitWritten(
  place: Place,
  repo: Repo,
  { head, config, who }: Readonly<{ head: string; config: Uint8Array; who: string }>,
): Promise<void> {
  // git must not run what a reviewer put there.
  writeFileAtomic(configOf(repo), config);
  const lists = await Promise.all([
    repo.git(['diff', '--name-only', '-z', head]),
    repo.git(['ls-files', '-z', '--others', '--exclude-standard']),
  ]);
  const files = [...new Set(lists.flatMap((list) => list.split('\0')))].filter((file) => file !== '');
  if (files.length === 0) return;
  const more = files.length > mostNames ? ` and ${files.length - mostNames} more` : '';
  const names = `${files.slice(0, mostNames).join(', ')}${more}`;
  const text = `A ${who} wrote into its checkout: ${names}; none of it is kept`;
  place.run.emit({ type: 'noticed', code: `${who}-wrote`, text });
}

/** Lanes of a run share the folder: one checkout after the other. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Lets `act` run programs in a checkout of a commit, then removes it; one at a time. Node finds packages that are installed
 * in the run's tree beside it; a command that empties a folder in it does not reach them.
 */
export function inScratchCheckout<R>(
  place: Place,
  what: Readonly<{ head: string; name: string }>,
  act: (root: string) => Promise<R>,
): Promise<R> {
  const made = last.then(() => inCheckoutOf(place, what, act));
  last = made.catch(() => undefined);
  return made;
}

async function inCheckoutOf<R>(
  place: Place,
  { head, name }: Readonly<{ head: string; name: string }>,
  act: (root: string) => Promise<R>,
): Promise<R> {
  const folder = checkoutFolder(place, 'checks');
  removeOwnFolder(folder);
  makeFolder(folder, 0o700);
  try {
    const modules = path.join(place.repo.root, 'node_modules');
    if (existsSync(modules)) makeLink(modules, path.join(folder, 'node_modules'));
    // A new name each time: a sandbox does not see a folder that was replaced.
    const tree = path.join(folder, `tree-${place.run.state().checks + 1}`);
    const { repo } = await makeCheckout(place.repo, { folder: tree, branch: name, head });
    return await act(repo.root);
  } finally {
    removeOwnFolder(folder);
  }
}
