// One task in work: what all its attempts share, and the checks that decide about it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Definition, namedByCheck } from '../check/definition.ts';
import type { FactOf } from '../event.ts';
import type { TaskState } from '../journal/state.ts';
import type { Check, Task } from '../plan/plan.ts';
import type { Context } from './phase.ts';
import type { Truth } from './truth.ts';

/** One task, the plan it stands in, and its first start. */
export type Work = Readonly<{ task: Task; truth: Truth; start: FactOf<'task-started'> }>;

/** The checks that run after each turn of a task: the plan's (or the configured ones), then its own. */
export function checksOf(ctx: Context, truth: Truth, task?: Task): readonly Check[] {
  const shared = truth.plan.checks.length > 0 ? truth.plan.checks : configuredChecks(ctx.config.checks);
  return [...shared, ...(task?.checks ?? [])].filter((check) => !check.atEnd);
}

/** The checks that run once, before review. */
export function checksAtEnd(truth: Truth): readonly Check[] {
  return truth.plan.checks.filter((check) => check.atEnd);
}

/** What the checks name, as it stands in the working tree. */
export function readDefinitions(ctx: Context, checks: readonly Check[], task: Task): readonly Definition[] {
  return checks.flatMap((check) =>
    namedByCheck(check.command, task.cwd ?? '.', (file) => readInside(ctx.repo.root, file)),
  );
}

/** A task's state; it is in the plan, so it is in the state. */
export function stateOf(ctx: Context, task: Task): TaskState {
  const state = ctx.state().tasks.get(task.id);
  if (!state) throw new Error(`task ${task.id} is not in the journal`);
  return state;
}

function configuredChecks(commands: readonly string[]): readonly Check[] {
  return commands.map((command, index) => ({
    id: `config:${index + 1}`,
    scope: 'config',
    command,
    atEnd: false,
    knownRed: false,
    place: { line: 0, column: 0, offset: 0 },
  }));
}

function readInside(root: string, file: string): string | undefined {
  const whole = path.resolve(root, file);
  if (!whole.startsWith(root + path.sep)) return undefined;
  try {
    return readFileSync(whole, 'utf8');
  } catch {
    return undefined;
  }
}
