// Working trees made for runs, each reserved by a numbered folder. The number keeps ports apart; the folder names the
// tree and, until a run holds that, its maker.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../defined.ts';
import { createFolder, makeFolder, removeEmptyFolder, removeFile } from '../disk.ts';
import { Failure } from '../failure.ts';
import { writeFileAtomic } from '../write-file.ts';
import type { Holder } from './holder.ts';
import { acquireLock, findHolder } from './lock.ts';
import { groundRoot, groundRootFile, groundsFolder, lockFile } from './run-files.ts';

/** `root`: its working tree, absent until known; `maker`: the live pawl that is just making it. */
export type RegisteredGround = Readonly<{ number: number; folder: string; root?: string; maker?: Holder }>;

export function listGrounds(home: string): readonly RegisteredGround[] {
  const all = groundsFolder(home);
  if (!existsSync(all)) return [];
  return readdirSync(all)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b)
    .map((number) => {
      const folder = path.join(all, String(number));
      return { number, folder, ...defined({ root: groundRoot(folder), maker: findHolder(folder) }) };
    });
}

/** Disposing ends the reservation if no tree came of it. */
export type ReservedGround = Readonly<{ number: number; setRoot(root: string): void }> & Disposable;

export function reserveGround(
  home: string,
  { plan, now }: Readonly<{ plan: string; now: Date }>,
): ReservedGround {
  const all = groundsFolder(home);
  makeFolder(all, 0o700);
  for (const ground of listGrounds(home)) if (isDead(ground)) forgetGround(ground.folder);
  for (let number = 1; number < 1_000; number += 1) {
    const folder = path.join(all, String(number));
    if (!createFolder(folder, 0o700)) continue;
    const lock = acquireLock(folder, `the start of ${plan}`, now, { plan });
    return {
      number,
      setRoot: (root) => writeFileAtomic(path.join(folder, groundRootFile), root, 0o600),
      [Symbol.dispose]: () => {
        lock[Symbol.dispose]();
        const root = groundRoot(folder);
        if (root === undefined || !existsSync(root)) forgetGround(folder);
      },
    };
  }
  throw new Failure('environment', `${all} has too many grounds`, {
    hint: '`pawl clean` lists them and removes those that are no longer needed.',
  });
}

/** For a ground whose tree is gone. */
export function forgetGround(folder: string): void {
  removeFile(path.join(folder, groundRootFile));
  removeEmptyFolder(path.join(folder, 'pawl'));
  removeEmptyFolder(folder);
}

/** A killed start leaves its lock; without one it may be another's, reserved this very moment. */
function isDead({ folder, root, maker }: RegisteredGround): boolean {
  const file = lockFile(folder);
  if (maker || (root !== undefined && existsSync(root)) || !existsSync(file)) return false;
  removeFile(file);
  return true;
}

export function makerOf(home: string, plan: string): Holder | undefined {
  return listGrounds(home).find(({ maker }) => maker?.plan === plan)?.maker;
}
