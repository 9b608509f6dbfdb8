// Opens the repository around the current folder for repair commands, trusted or not.
import path from 'node:path';
import { fixed } from '../config/fixed.ts';
import type { ConfigSources } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { defined } from '../defined.ts';
import { readWorkplace, type WorkplaceFacts } from '../git/place/workplace.ts';
import { openRepo, type Repo } from '../git/run/repo.ts';
import type { RunFolder } from '../journal/folder.ts';
import { acquireLock, findLocked } from '../journal/lock.ts';
import { isTrusted, wasTrusted } from './consent.ts';
import { type CliContext, printNote } from './context.ts';
import { findLiveRuns, placeOfRun } from './find-run.ts';
import { host, hostEnvironment } from './host.ts';
import { loadSettings } from './load-settings.ts';
import { findPlaceAt, type Place } from './locate.ts';
import type { RunFlags } from './run-options.ts';

export type OpenPlace = Readonly<{ repo: Repo; config: Config }>;

/** Prints notices. `tree`: if others' settings apply. */
export async function openPlace(
  context: CliContext,
  place: Place,
  { tree = place, ...given }: Readonly<{ tree?: Place }> & Partial<ConfigSources> = {},
): Promise<OpenPlace> {
  const { root } = place;
  const { trusted = isTrusted(context, root) } = given;
  const { config, notices } = loadSettings(context, { ...given, root, trusted });
  for (const notice of notices) printNote(context, notice);
  // Without its filters git would take what they write for changes.
  const repo = await openPlainRepo(context, tree, { trusted: trusted || wasTrusted(context, root) });
  return { repo, config };
}

/** For few git commands: each is started separately. `trusted`: by default whether it ever was. */
export function openPlainRepo(
  context: CliContext,
  { root }: Pick<Place, 'root'>,
  {
    trusted = wasTrusted(context, root),
    hooks = true,
  }: Readonly<{ trusted?: boolean; hooks?: boolean }> = {},
): Promise<Repo> {
  const { gitMs, commitMs } = fixed;
  return openRepo(root, { ...host, env: hostEnvironment(context), gitMs, commitMs, trusted, hooks });
}

/** By a person's word, for this start or ever. */
export function openAsTold(
  context: CliContext,
  place: Place,
  { trust = false, trustHash }: Pick<RunFlags, 'trust' | 'trustHash'>,
): Promise<Repo> {
  const trusted = trust || trustHash !== undefined || wasTrusted(context, place.root);
  return openPlainRepo(context, place, { trusted });
}

/** What is known before anybody trusts it. `plan`: absolute path. */
export async function lookBeforeTrust(
  context: CliContext,
  place: Pick<Place, 'root'>,
  plan?: string,
): Promise<Readonly<{ repo: Repo; facts: WorkplaceFacts }>> {
  const repo = await openPlainRepo(context, place);
  const facts = await readWorkplace(repo, defined({ plan }));
  // Without the repository's filters, which may not run yet, git can take whole files for changed.
  const isFiltered = Object.values(repo.env).some((value) => value.startsWith('filter.'));
  return { repo, facts: isFiltered ? { ...facts, dirt: [] } : facts };
}

export function enterTreeOf(context: CliContext, place: Place, run: RunFolder): Place {
  const tree = placeOfRun(place, run);
  if (tree.root !== place.root) printNote(context, `The run works in ${tree.root}.`);
  return tree;
}

/** Keeps every pawl off this tree and the run; throws Failure('locked') if one works on either. */
export function holdRun(context: CliContext, place: Place, run: string): Disposable {
  const other = findLiveRuns(place).find(({ holder }) => holder.run === run);
  const locked = other && findLocked(other.gitDir);
  if (locked) throw locked;
  return acquireLock(place.gitDir, run, context.now());
}

export function rescueOptionsOf({ run, folder }: Readonly<{ run: string; folder: string }>) {
  return { run, index: `${folder}/index.rescue` };
}

/** The repository in the tree the run was started from; without a tree if that is gone. */
export function homeRepoOf(ground: Repo, from: string): Repo {
  const { home } = ground;
  const place = findPlaceAt(from);
  const tree = place?.commonDir === home && place.gitDir !== ground.gitDir ? place : undefined;
  const hooksDir = path.join(home, 'hooks');
  return ground.at(tree?.root ?? home, { gitDir: tree?.gitDir ?? home, commonDir: home, hooksDir });
}
