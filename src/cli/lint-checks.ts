// Runs the checks of a plan's open tasks before any work, to find those that already pass and so prove nothing.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { outerVariables } from '../agent/agents.ts';
import { runCheck } from '../check/checks.ts';
import { findShell } from '../check/shell.ts';
import { removeOwnFolder } from '../disk.ts';
import { isClosed, type Plan } from '../plan/plan.ts';
import { childEnvironment } from '../process/environment.ts';
import { createSweep } from '../process/host-sweep.ts';
import { createSpawn } from '../process/spawn.ts';
import type { Mark } from '../process/sweep.ts';
import { formatCommand } from '../report/text/figure.ts';
import { line } from '../report/text/line.ts';
import { obtainTrust } from '../start/consent.ts';
import { type CliContext, printNote, printNoteLines } from '../start/context.ts';
import { placeTaskChecks } from '../work/work.ts';

export type TriedNow = Readonly<{ tried: number; green: ReadonlySet<string> }>;

export type LintChecks = Readonly<{ root: string; timeoutMs: number }>;

/** Of the checks of open tasks, how many were run, and the ids of those that are green now. They are programs of the repository, so it must be trusted. */
export async function findGreenChecks(
  context: CliContext,
  plan: Plan,
  { root, timeoutMs }: LintChecks,
): Promise<TriedNow> {
  const wanted = placeTaskChecks({ ...plan, tasks: plan.tasks.filter((task) => !isClosed(task)) });
  if (wanted.length === 0) {
    printNote(context, 'No open task has its own check, so there is none to run.');
    return { tried: 0, green: new Set() };
  }
  await obtainTrust(context, { root, checks: wanted.map(({ command }) => command) });
  const env = childEnvironment(context.env, { drop: outerVariables });
  const shell = await findShell(env);
  const logs = mkdtempSync(path.join(tmpdir(), 'pawl-lint-'));
  const green = new Set<string>();
  try {
    for (const [index, check] of wanted.entries()) {
      context.signal.throwIfAborted();
      printNoteLines(context, [line('plain', `running ${formatCommand(check.command)}`)]);
      const mark: Mark = `PAWL_CHECK=lint-${context.random(6)}/${index + 1}`;
      const deps = {
        spawn: createSpawn(),
        sweep: createSweep(),
        shell,
        env,
        root,
        mark,
        timeoutMs,
        signal: context.signal,
      };
      const run = await runCheck(deps, check, {
        cwd: check.cwd,
        log: path.join(logs, `${index + 1}.log`),
      });
      if (run.result === 'green') green.add(check.id);
    }
  } finally {
    removeOwnFolder(logs);
  }
  return { tried: wanted.length, green };
}
