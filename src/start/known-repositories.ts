// Remembers where this user has started runs: a file for each repository, so that two runs never write the same one.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Folders } from '../config/folders.ts';
import { digestText } from '../digest.ts';
import { makeFolder } from '../disk.ts';
import { asFailure } from '../failure.ts';
import { orElse } from '../or-else.ts';
import { writeFileUnsynced } from '../write-file.ts';
import { findPlaceAt, type Place } from './locate.ts';

const knownSchema = z.object({ root: z.string(), commonDir: z.string() });

function folderOf({ state }: Pick<Folders, 'state'>): string {
  return path.join(state, 'repositories');
}

/** If the user's folder cannot be written, nothing happens. */
export function rememberRepository(
  folders: Folders,
  { root, commonDir }: Pick<Place, 'root' | 'commonDir'>,
): void {
  const name = digestText(commonDir, 16);
  const file = path.join(folderOf(folders), `${name}.json`);
  // A run's own worktree goes with it: a tree that stays is remembered.
  if (readKnown(file) !== undefined) return;
  try {
    makeFolder(folderOf(folders), 0o700);
    writeFileUnsynced(file, `${JSON.stringify({ root, commonDir })}\n`, 0o600);
  } catch (error) {
    if (asFailure(error) === undefined && (error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

/** Sorted by path; without those that are gone. */
export function listRepositories(folders: Pick<Folders, 'state'>): readonly Place[] {
  const names = orElse(() => readdirSync(folderOf(folders)), []);
  const found = names
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readKnown(path.join(folderOf(folders), name)) ?? []);
  return found.sort((a, b) => (a.root < b.root ? -1 : 1));
}

function readKnown(file: string): Place | undefined {
  try {
    const { root, commonDir } = knownSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    const main = path.basename(commonDir) === '.git' ? path.dirname(commonDir) : root;
    const place = findPlaceAt(root) ?? findPlaceAt(main);
    return place?.commonDir === commonDir ? place : undefined;
  } catch {
    return undefined;
  }
}
