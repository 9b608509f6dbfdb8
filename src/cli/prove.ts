// `pawl prove`: what the checks prove about a branch, whoever wrote it.
import path from 'node:path';
import { makeFolder } from '../disk.ts';
import type { ProofWord } from '../event/task.ts';
import { exitCodes, Failure } from '../failure.ts';
import { readWorkplace } from '../git/place/workplace.ts';
import type { Repo } from '../git/run/repo.ts';
import { locatePlan, readPlanFile } from '../plan/file.ts';
import {
  formatWorkProof,
  type ProvedWork,
  proofToSarif,
  writeWorkProof,
} from '../report/proof/work-proof.ts';
import { formatMs } from '../report/text/figure.ts';
import { line } from '../report/text/line.ts';
import { refuseSandbox } from '../start/check-programs.ts';
import type { ProveOptions } from '../start/command-options.ts';
import { obtainTrust } from '../start/consent.ts';
import { type CliContext, printLines, printNoteLines } from '../start/context.ts';
import { needPlace } from '../start/find-run.ts';
import { loadSettings } from '../start/load-settings.ts';
import { maskKnown } from '../start/messages.ts';
import { openPlainRepo } from '../start/open-place.ts';
import { findChecks } from '../start/prove/find-checks.ts';
import { proveWork } from '../start/prove/prove-work.ts';
import { findReviewBase, resolve } from '../start/review-base.ts';
import { makeBase } from '../start/run-base.ts';
import { writeFileAtomic } from '../write-file.ts';
import type { Command } from './command.ts';
import { proposeChecksOf } from './own-files.ts';

/** Exits with 0 for proven and passed, 4 for less than required, 1 for red work. */
export const proveBranch: Command<ProveOptions> = async (context, [plan], options) => {
  const { root } = needPlace(context);
  const { config } = loadSettings(context);
  refuseSandbox(config, 'pawl prove');
  const repo = await openPlainRepo(context, { root }, { trusted: false });
  const workplace = await readWorkplace(repo);
  const range = plan === undefined ? undefined : await readRange(repo, plan, options.base);
  const base = await findReviewBase(repo, workplace, {
    base: range?.base ?? options.base,
    head: range?.head,
    env: context.env,
    command: 'pawl prove',
  });
  const file = plan === undefined || range ? undefined : locatePlan(plan, context.cwd);
  const { checks, from } = await findChecks(repo, base, {
    named: options.check ?? [],
    plan: file === undefined ? undefined : readPlanFile(file),
    propose: () => proposeChecksOf(root).map(({ command }) => command),
  });
  await obtainTrust(context, { root, checks: checks.map(({ command }) => command), ...options });
  const ground = await makeBase(context, { root, config, trusted: true });
  const head = range?.head ?? workplace.head ?? 'HEAD';
  const proof = await proveWork(context, {
    ground,
    base,
    head,
    checks,
    redefines: options.redefines ?? [],
    except: file === undefined ? [] : [path.relative(ground.repo.root, file)],
    onTrial: (what, { result, durationMs }) =>
      printNoteLines(context, [line('dim', `${what}: ${result} after ${formatMs(durationMs)}`)]),
  });
  const mask = await maskKnown(context);
  const told = { output: mask(proof.output), checks: checks.map(({ command }) => mask(command)) };
  show(context, { ...proof, ...told, base, head, checksFrom: from }, options);
  return exitOf(proof, options.require ?? config.require);
};

type Range = Readonly<{ base: string | undefined; head: string | undefined }>;

/** `main..work` as in `git log`; undefined for a plan. */
async function readRange(repo: Repo, word: string, base: string | undefined): Promise<Range | undefined> {
  const [, from = '', to = ''] = /^([^/.].*?|)\.{2,3}((?!\.|\/).*)$/.exec(word) ?? [];
  if (from === '' && to === '') return undefined;
  if (base !== undefined)
    throw new Failure('usage', `--base and ${word} both say where the commits begin`, {
      hint: `Leave one out: pawl prove ${word}`,
    });
  if (to === '') return { base: from, head: undefined };
  const head = await resolve(repo, to);
  if (head === undefined)
    throw new Failure('usage', `there is no commit ${to}`, { hint: 'See them: git log --oneline --all' });
  return { base: from || undefined, head };
}

function exitOf(
  { word, experiments }: Pick<ProvedWork, 'word' | 'experiments'>,
  required: ProofWord,
): number {
  if (experiments.clean === 'red') return exitCodes.taskFailed;
  const order = ['unchecked', 'passed', 'proven'];
  return order.indexOf(word) >= order.indexOf(required) ? exitCodes.done : exitCodes.notClean;
}

function show(context: CliContext, proved: ProvedWork, options: ProveOptions): void {
  const { json, sarif, markdown, out } = options;
  const forms = {
    json: () => `${JSON.stringify(proved, null, 2)}\n`,
    sarif: () => `${JSON.stringify(proofToSarif(proved, context.version), null, 2)}\n`,
    md: () => writeWorkProof(proved),
  };
  if (out !== undefined) {
    const folder = path.resolve(context.cwd, out);
    makeFolder(folder);
    for (const [form, text] of Object.entries(forms))
      writeFileAtomic(path.join(folder, `proof.${form}`), text());
  }
  const form = json ? 'json' : sarif ? 'sarif' : markdown ? 'md' : undefined;
  if (form) context.stdout.write(forms[form]());
  else printLines(context, formatWorkProof(proved));
}
