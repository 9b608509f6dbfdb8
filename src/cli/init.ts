// `pawl init`: writes a first .pawl/config.yaml and a first plan. Overwrites nothing.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isBelow } from '../below.ts';
import type { CheckRun } from '../check/check-run.ts';
import { tellingLine } from '../check/telling-line.ts';
import { fixed } from '../config/fixed.ts';
import { projectConfigFile } from '../config/load.ts';
import { estimateSessions, readStages, usualStages } from '../config/stages.ts';
import { starterConfig } from '../config/starter.ts';
import { makeFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import { plansFolder } from '../plan/plan-name.ts';
import { formatMs } from '../report/text/figure.ts';
import { shellWord } from '../shell-word.ts';
import { shorten } from '../shorten.ts';
import { isConfirmed, selectOne } from '../start/confirm.ts';
import { readTrust } from '../start/consent.ts';
import { type CliContext, paint, printLines, printNote, printNoteLines } from '../start/context.ts';
import { needPlace } from '../start/find-run.ts';
import { listPlans } from '../start/locate.ts';
import type { ProposedCheck as Proposal } from '../start/propose/propose.ts';
import { runQuietly } from '../start/run-quietly.ts';
import { writeConsent } from '../trust/consents.ts';
import type { TrustFile } from '../trust/trust-files.ts';
import { configuredChecks } from '../work/work.ts';
import { createFile } from '../write-file.ts';
import type { Command } from './command.ts';
import { proposeChecksOf, refuseLinks } from './own-files.ts';

export type InitOptions = Readonly<{ yes?: boolean }>;

const firstPlan = path.join(plansFolder, 'first-plan.md');

/** On a terminal it asks which checks, else takes the proposed ones. */
export const initProject: Command<InitOptions> = async (context, _args, { yes }) => {
  const { root } = needPlace(context);
  const ownPlan = listPlans(root).at(-1);
  const plan = ownPlan ?? path.join(root, firstPlan);
  const command = 'pawl init';
  refuseLinks(root, projectConfigFile(root), { command });
  if (ownPlan === undefined) refuseLinks(root, plan, { command, isRefused: (to) => !isBelow(to, root) });
  if (!yes) refuseBesideRalphex(root);
  const proposed = proposeChecksOf(root);
  const checks = yes || !context.canAsk ? proposed : await choose(context, root, proposed);
  const stages = yes || !context.canAsk || checks === undefined ? usualStages : await chooseReview(context);
  if (checks === undefined || stages === undefined)
    throw new Failure('usage', 'stopped; nothing was written');
  const { files: before, trusted } = readTrust(context, root);
  const file = path.relative(root, projectConfigFile(root));
  const text = starterConfig(checks, stages);
  const wroteConfig = write(context, root, { file, text });
  if (ownPlan === undefined) write(context, root, { file: firstPlan, text: firstPlanText(checks) });
  // Where nothing is anybody else's, answers are consent; a trusted repository remains trusted.
  const isAllOwn = !yes && context.canAsk && before.length === 0 && ownPlan === undefined;
  if (wroteConfig && (isAllOwn || trusted)) {
    // The bytes as written, whatever the file is by now.
    const own: TrustFile = { path: file, kind: 'file', bytes: Buffer.from(text) };
    writeConsent(context.folders, root, { files: [...before, own], at: context.now().toISOString() });
    if (isAllOwn)
      printNote(
        context,
        `${paint(context, 'green', 'trusted')}  this repository as it is now; to revoke it: pawl trust --revoke`,
      );
  }
  if (wroteConfig && (await isIgnored(context, root)))
    printNote(context, `git ignores ${file}: nobody else gets these settings, and they are not committed.`);
  const lack = proposed.length === 0 ? 'found' : 'chosen';
  if (wroteConfig && checks.length === 0)
    printLines(context, [`No checks were ${lack}: write some under \`checks:\` in .pawl/config.yaml.`]);
  printLines(context, formatNext(path.relative(context.cwd, plan), ownPlan !== undefined));
  return 0;
};

async function isIgnored(context: CliContext, root: string): Promise<boolean> {
  const args = ['-c', 'core.fsmonitor=false', 'check-ignore', '-q', projectConfigFile(root)];
  return (await runQuietly(context, 'git', args, { cwd: root })).code === 0;
}

function refuseBesideRalphex(root: string): void {
  if (!existsSync(path.join(root, '.ralphex')) || existsSync(projectConfigFile(root))) return;
  throw new Failure('usage', 'this repository has a ralphex setup, .ralphex/', {
    hint: 'pawl migrate converts it, and also proposes checks. To start without it: pawl init --yes',
  });
}

async function choose(
  context: CliContext,
  root: string,
  proposed: readonly Proposal[],
): Promise<readonly Proposal[] | undefined> {
  if (proposed.length === 0) return [];
  const { multiselect, isCancel } = await import('@clack/prompts');
  const tried = await tryThem(context, root, proposed);
  const chosen = await multiselect({
    message: 'Which commands decide that a task is done?',
    options: proposed.map((check, at) => ({
      value: check,
      // A hint shows only for the row with the cursor.
      label: [check.command, ...resultOf(tried[at])].join('  '),
      hint: check.reason,
    })),
    initialValues: proposed.filter((_, at) => tried.length === 0 || tried[at]?.result === 'green'),
    required: false,
    input: context.stdin,
    output: context.stderr,
  });
  return isCancel(chosen) ? undefined : chosen;
}

/** A check that is red or cannot run closes no task. */
async function tryThem(
  context: CliContext,
  root: string,
  proposed: readonly Proposal[],
): Promise<readonly CheckRun[]> {
  const commands = proposed.map(({ command }) => command);
  const rows = commands.map((command) => `  ${command}`);
  printNoteLines(context, ['Checks that this repository seems to have:', ...rows]);
  if (!(await isConfirmed(context, 'Run each of these once, to see what works here?', true))) return [];
  const { tryChecks } = await import('../start/try-checks.ts');
  return tryChecks(context, configuredChecks(commands), { root, timeoutMs: fixed.trialMs });
}

function resultOf(run: CheckRun | undefined): readonly string[] {
  if (!run) return [];
  const took = formatMs(run.durationMs);
  if (run.result === 'green') return [`green in ${took}`];
  const [says = ''] = (tellingLine(run.output) ?? '').split('\n');
  const how = { red: `red in ${took}`, 'timed-out': `not done after ${took}` }[run.result as string];
  return [[how ?? 'cannot run here', shorten(says, 60)].filter((text) => text !== '').join(': ')];
}

async function chooseReview(context: CliContext): Promise<readonly string[] | undefined> {
  const { quiet, withFixes } = estimateSessions(readStages(usualStages));
  const hint = `${quiet} sessions a run, about ${withFixes} if both find something to fix`;
  const chosen = await selectOne(context, 'Who looks at the work when all tasks are done?', [
    ['all', 'first and final', hint],
    ['first', 'first'],
    ['none', 'nobody'],
  ]);
  return chosen && { all: usualStages, first: ['first'], none: [] }[chosen];
}

function write(
  context: CliContext,
  root: string,
  { file, text }: Readonly<{ file: string; text: string }>,
): boolean {
  makeFolder(path.dirname(path.join(root, file)));
  const isNew = createFile(path.join(root, file), text, 0o644);
  const wrote = `${paint(context, 'green', 'wrote')}  ${file}`;
  printNote(context, isNew ? wrote : `${paint(context, 'yellow', 'kept')}   ${file} (it was there)`);
  return isNew;
}

function firstPlanText(checks: readonly Proposal[]): string {
  const validation = checks.map(({ command }) => `- \`${command}\``);
  return [
    '# Plan: First plan',
    '',
    '## Overview',
    'Why this is wanted, and what done looks like. The agent reads it with every task.',
    '',
    ...(validation.length > 0 ? ['## Validation Commands', ...validation, ''] : []),
    '### Task 1: Say how to use this project',
    '- files: USAGE.md',
    '- check: `test -s USAGE.md`',
    '- [ ] Read the project and write USAGE.md: what it does, how to start it, how to test it',
    '',
  ].join('\n');
}

function formatNext(plan: string, isOwn: boolean): readonly string[] {
  const name = shellWord(plan);
  return [
    'Next:',
    '  pawl doctor                       is everything there?',
    ...(isOwn ? [] : [`  $EDITOR ${name}  say what you want`]),
    `  pawl lint ${name}`,
    `  pawl run ${name}`,
  ];
}
