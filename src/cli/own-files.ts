// The project's own files, for the commands that set it up.
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';
import { orElse } from '../or-else.ts';
import { readInside } from '../plan/read-inside.ts';
import { realOf } from '../start/locate.ts';
import { type ProposedCheck, proposeChecks } from '../start/propose/propose.ts';

export function proposeChecksOf(root: string): readonly ProposedCheck[] {
  return proposeChecks({
    read: (file) => readInside(root, file),
    list: (folder) => orElse(() => readdirSync(path.join(root, folder)).slice(0, 1_000), []),
  });
}

/**
 * pawl reads no project settings through a link; a target outside is not the project’s. `isRefused` judges a link's
 * target, `command` is to be run again.
 */
export function refuseLinks(
  root: string,
  file: string,
  { command, isRefused = () => true }: Readonly<{ command: string; isRefused?: (target: string) => boolean }>,
): void {
  const names = path.relative(root, file).split(path.sep);
  const paths = names.map((_, at) => path.join(root, ...names.slice(0, at + 1)));
  const isLink = (each: string) => lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  const link = paths.find((each) => isLink(each) && isRefused(realOf(each)));
  if (link === undefined) return;
  const name = path.relative(root, link);
  const sentence = `${name} is a symbolic link, to ${readlinkSync(link)}: nothing is written there`;
  throw new Failure('preflight', sentence, {
    hint: `Replace it with the file it leads to, or remove it (rm ${name}); then run ${command} again.`,
  });
}
