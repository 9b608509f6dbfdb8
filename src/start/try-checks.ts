// Runs checks once outside of a run, on this machine, to see which are green.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CheckRun } from '../check/check-run.ts';
import { runCheck } from '../check/checks.ts';
import { findShell } from '../check/shell.ts';
import { removeOwnFolder } from '../disk.ts';
import type { Check } from '../plan/plan.ts';
import { formatCommand } from '../report/text/figure.ts';
import { type CliContext, printNoteLines } from './context.ts';
import { host, hostEnvironment } from './host.ts';

/** The caller has obtained trust: they are the repository's programs. */
export async function tryChecks(
  context: CliContext,
  checks: readonly Check[],
  { root, timeoutMs }: Readonly<{ root: string; timeoutMs: number }>,
): Promise<readonly CheckRun[]> {
  const env = hostEnvironment(context);
  const tools = { ...host, shell: await findShell(env), env };
  const logs = mkdtempSync(path.join(tmpdir(), 'pawl-checks-'));
  const runs: CheckRun[] = [];
  try {
    for (const [index, check] of checks.entries()) {
      context.signal.throwIfAborted();
      printNoteLines(context, [`running ${formatCommand(check.command)}`]);
      const deps = { ...tools, root, timeoutMs, signal: context.signal };
      runs.push(await runCheck(deps, check, path.join(logs, `${index + 1}.log`)));
    }
  } finally {
    removeOwnFolder(logs);
  }
  return runs;
}
