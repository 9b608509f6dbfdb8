// Stores consent: one file in the user's own folder, keyed by the repository's real path.
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Folders } from '../config/folders.ts';
import { makeFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import { parseJson } from '../parse-json.ts';
import { writeFileAtomic } from '../write-file.ts';
import { type Consent, consentSchema, digestFiles } from './trust.ts';
import type { TrustFile } from './trust-files.ts';

const bookSchema = z.object({ version: z.literal(1), repositories: z.record(z.string(), consentSchema) });

export function consentFile(folders: Folders): string {
  return path.join(folders.state, 'trust.json');
}

export function readConsent(folders: Folders, root: string): Consent | undefined {
  return readBook(consentFile(folders)).repositories[realpathSync(root)];
}

/** For exactly these files. */
export function writeConsent(
  folders: Folders,
  root: string,
  { files, at }: Readonly<{ files: readonly TrustFile[]; at: string }>,
): void {
  setConsent(folders, root, { at, files: digestFiles(files) });
}

/** False if there was none. */
export function removeConsent(folders: Folders, root: string): boolean {
  if (!readConsent(folders, root)) return false;
  setConsent(folders, root, undefined);
  return true;
}

function setConsent(folders: Folders, root: string, consent: Consent | undefined): void {
  const file = consentFile(folders);
  const { repositories, version } = readBook(file);
  const book = { version, repositories: { ...repositories, [realpathSync(root)]: consent } };
  makeFolder(path.dirname(file), 0o700);
  writeFileAtomic(file, `${JSON.stringify(book, undefined, 2)}\n`, 0o600);
}

function readBook(file: string): z.infer<typeof bookSchema> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { version: 1, repositories: {} };
    throw new Failure('trust', `${file} cannot be read: ${code ?? String(error)}`, { cause: error });
  }
  const result = bookSchema.safeParse(parseJson(text));
  if (result.success) return result.data;
  throw new Failure('trust', `${file} is not a list of consents that this version of pawl can read`, {
    hint: `Check the file, then remove it: rm ${file}. pawl will ask for consent again in every repository.`,
  });
}
