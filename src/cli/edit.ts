// `pawl edit`: lints a copy of the plan from an editor, and writes it back or leaves it for the active run.

import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defined } from '../defined.ts';
import { removeOwnFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import { listRuns, type RunFolder } from '../journal/folder.ts';
import { findHolder } from '../journal/lock.ts';
import { isFinished } from '../journal/state.ts';
import { readPlanEdit, readPlanEditBase, writePlanEdit } from '../plan/edit-file.ts';
import { locatePlan, readPlanFile, writePlanFile } from '../plan/file.ts';
import { keepTicks } from '../plan/keep-ticks.ts';
import type { LintOptions } from '../plan/lint/rule.ts';
import { formatNote, lintBy, lintPlan } from '../plan/lint.ts';
import { parsePlan } from '../plan/parse.ts';
import { shellWord } from '../shell-word.ts';
import { isConfirmed } from '../start/confirm.ts';
import { type CliContext, print, printNote } from '../start/context.ts';
import { openEditor } from '../start/editor.ts';
import { refuseOnItsBranch } from '../start/find-plan.ts';
import { readRun } from '../start/find-run.ts';
import { loadSettings } from '../start/load-settings.ts';
import { findPlace, type Place } from '../start/locate.ts';
import { enterTreeOf } from '../start/open-place.ts';
import { createFile } from '../write-file.ts';
import type { Command } from './command.ts';

export type EditOptions = Readonly<{ take?: number }>;

type Edited = Readonly<{ file: string; given: string; lint: LintOptions }>;

type Target = Edited & Readonly<{ run: RunFolder | undefined; active: boolean }>;

export const editPlan: Command<EditOptions> = async (context, [given], { take }) => {
  if (given === undefined)
    throw new Failure('usage', 'pawl edit needs the plan', { hint: 'pawl edit <plan>' });
  const target = findTarget(context, given);
  const before = readPlanFile(target.file).text;
  if (take !== undefined) {
    const text = keepTicks(readProposed(target, take), before);
    refuseErrors(target, text);
    apply(context, target, { before, text });
    return 0;
  }
  const waiting = target.active && target.run ? readPlanEdit(target.run.folder) : undefined;
  const start = waiting || before;
  const base = waiting && target.run ? readPlanEditBase(target.run.folder) : before;
  return editCopy(context, target, {
    start,
    take: async (text, copy) => apply(context, target, { before, text, copy, ...defined({ base }) }),
  });
};

async function editCopy(
  context: CliContext,
  target: Edited,
  { start, take }: Readonly<{ start: string; take: (text: string, copy: string) => Promise<void> }>,
): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pawl-edit-'));
  const copy = path.join(folder, path.basename(target.file));
  createFile(copy, start);
  const text = await editUntilSound(context, target, copy);
  if (text === start) printNote(context, 'Nothing changed.');
  else await take(text, copy);
  removeOwnFolder(folder);
  return 0;
}

function findTarget(context: CliContext, given: string): Target {
  refuseOnItsBranch(findPlace(context.cwd), given, {
    cwd: context.cwd,
    command: `pawl edit ${shellWord(given)}`,
  });
  const { file } = locatePlan(given, context.cwd);
  const place = findPlace(path.dirname(file)) ?? findPlace(context.cwd);
  if (!place) return { file, given, run: undefined, active: false, lint: {} };
  const lint = lintOptionsOf(context, place);
  const runs = listRuns(place.commonDir).filter(
    ({ started }) => path.resolve(place.root, started.plan) === file,
  );
  const here = findHolder(place.gitDir)?.run;
  const run = runs.find((each) => each.run === here) ?? runs[0];
  if (!run) return { file, given, run, active: false, lint };
  const tree = run.started.worktree && !isFinished(readRun(run)) ? enterTreeOf(context, place, run) : place;
  const own = path.resolve(tree.root, run.started.plan);
  const active = findHolder(tree.gitDir)?.run === run.run;
  return { file: existsSync(own) ? own : file, given, run, active, lint };
}

/** A mere warning here could end an active run, which lints with its own settings. */
function lintOptionsOf(context: CliContext, { root }: Place): LintOptions {
  return lintBy(loadSettings(context, { root }).config);
}

async function editUntilSound(context: CliContext, target: Edited, copy: string): Promise<string> {
  for (;;) {
    await openEditor(context, copy);
    const { text } = readPlanFile(copy);
    const errors = lintErrors(target, text);
    if (errors.length === 0) return text;
    for (const line of errors) printNote(context, line);
    if (!context.canAsk || !(await isConfirmed(context, 'Edit again?', true))) throw unsound(target, copy);
  }
}

function apply(
  context: CliContext,
  target: Target,
  edit: Readonly<{ before: string; text: string; copy?: string; base?: string }>,
): void {
  if (target.active && target.run) {
    writePlanEdit(target.run.folder, edit.text, edit.base);
    print(context, `${target.given} is running: the edit applies at the next round.`);
    return;
  }
  if (readPlanFile(target.file).text !== edit.before) {
    throw new Failure(
      'plan',
      `${target.given} was changed by somebody else meanwhile, so your edit was not written`,
      { ...(edit.copy === undefined ? {} : { hint: `Your edit is kept: ${edit.copy}` }) },
    );
  }
  writePlanFile(target.file, edit.text);
  print(context, `${target.given} is changed.`);
}

function readProposed(target: Target, take: number): string {
  const name = `plan-${String(take).padStart(3, '0')}.proposed.md`;
  if (!target.run) throw new Failure('usage', `${target.given} has no run, so nothing was set aside`);
  try {
    return readFileSync(path.join(target.run.folder, name), 'utf8');
  } catch (cause) {
    throw new Failure('usage', `run ${target.run.run} has no set-aside edit ${take}`, {
      hint: `It would be ${path.join(target.run.folder, name)}`,
      cause,
    });
  }
}

function refuseErrors(target: Target, text: string): void {
  const errors = lintErrors(target, text);
  if (errors.length === 0) return;
  throw new Failure('plan', ['the edit has mistakes and was not applied', ...errors].join('\n'));
}

function lintErrors({ file, given, lint }: Edited, text: string): readonly string[] {
  return lintPlan(parsePlan(text, file), lint)
    .filter((note) => note.severity === 'error')
    .map((note) => formatNote(given, note));
}

function unsound({ given }: Edited, copy: string): Failure {
  return new Failure('plan', `the edit of ${given} has mistakes and was not applied`, {
    hint: `It is kept: ${copy}`,
  });
}
