// Which programs exist inside the sandbox that the settings describe.
import type { CliContext } from '../context.ts';
import { type Inside, runInside } from './look-inside.ts';

export type Wanted = Inside & Readonly<{ programs: readonly string[] }>;

/** The missing ones; undefined if unknown: no image yet, no engine, or a shell that reads unknown files first. */
export async function findMissingInside(
  context: CliContext,
  { sandbox, root, programs }: Wanted,
): Promise<readonly string[] | undefined> {
  if (programs.length === 0) return [];
  if (sandbox.env.some((entry) => /^(BASH_ENV|ENV|BASH_FUNC_.*)(=|$)/.test(entry))) return undefined;
  const end = await runInside(context, { sandbox, root }, ['sh', '-c', look, 'sh', ...programs]);
  const lines = end?.stdout.text.split('\n') ?? [];
  return lines.includes(looked) ? programs.filter((program) => lines.includes(program)) : undefined;
}

const looked = '/looked';

const look = `case ":$PATH:" in *::*|*:[!/]*) exit;; esac
for one; do command -v "$one" > /dev/null 2>&1 || echo "$one"; done; echo ${looked}`;
