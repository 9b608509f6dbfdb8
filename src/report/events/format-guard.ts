// Words what pawl itself saw and did around a session: checks (format-check.ts), acts put back, files refused, signs of
// tampering, rescues.
import type { FactOf } from '../../event.ts';
import { formatCommand, formatCount, formatList, shortOid } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import { formatCheck } from './format-check.ts';
import { formatChange } from './format-task.ts';
import { nameRunFile, type RenderContext } from './render-context.ts';

type GuardFact =
  | FactOf<'check-started'>
  | FactOf<'check-ended'>
  | FactOf<'act-found'>
  | FactOf<'file-refused'>
  | FactOf<'tamper-noted'>
  | FactOf<'tree-written'>
  | FactOf<'fresh-verified'>
  | FactOf<'files-made'>
  | FactOf<'egress-refused'>
  | FactOf<'rescue-saved'>;

/** The lines of one fact about the guard. */
export function formatGuard(
  fact: GuardFact,
  { verbose, runs }: Readonly<{ verbose: boolean; runs?: string }>,
  context: RenderContext,
): readonly Line[] {
  switch (fact.type) {
    case 'check-started':
      // A minute may go by until it has ended.
      if (fact.when === 'setup') return [line('plain', formatCommand(fact.command), 1)];
      return verbose ? [line('dim', `check started: ${formatCommand(fact.command)}`, 1)] : [];
    case 'check-ended':
      return formatCheck(fact, verbose, nameRunFile(context, fact.log, runs));
    case 'act-found':
      return [line(fact.response === 'refused' ? 'bad' : 'warn', `${formatAct(fact)}`, 1)];
    case 'file-refused':
      return [line('bad', formatRefused(fact), 1)];
    case 'tamper-noted':
      return [line('warn', `Look at this: ${formatTamper(fact)}`, 1)];
    case 'tree-written':
      return verbose ? [line('dim', formatTree(fact), 1)] : [];
    case 'fresh-verified':
      return [
        line(fact.result === 'red' ? 'bad' : fact.result === 'green' ? 'good' : 'warn', formatFresh(fact)),
      ];
    case 'files-made':
      return fact.by === 'person'
        ? [line('dim', `new plans for other work, left alone: ${formatList(fact.files)}`, 1)]
        : [line('dim', `checks made new files, which are not committed: ${formatList(fact.files)}`, 1)];
    case 'egress-refused':
      return [line('warn', formatRefusedHost(fact), 1)];
    case 'rescue-saved':
      return formatRescue(fact, verbose);
  }
}

/** An act of an agent, what pawl did about it, and where what was taken away lies. */
export function formatAct(fact: FactOf<'act-found'>): string {
  const kept = fact.kept === undefined ? '' : `; kept as ${fact.kept}`;
  return `${actName[fact.act]}, ${fact.detail}: ${responseName[fact.response]}${kept}`;
}

/** What came of the checks in a fresh checkout of the end. */
export function formatFresh({ result, reason, beside }: FactOf<'fresh-verified'>): string {
  if (result === 'green') return 'The checks are green in a fresh checkout of the branch.';
  const files = beside.length === 0 ? '' : `; the run’s tree has beside it: ${formatList(beside)}`;
  return result === 'red'
    ? `Green in the run’s tree, but ${reason}${files}`
    : `Not verified in a fresh checkout: ${reason}`;
}

/** A refused file with the reason and the way out. */
export function formatRefused(fact: FactOf<'file-refused'>): string {
  return `Not committed: ${fact.file}, ${refusal[fact.why]} (${fact.detail}); ${refusalHint[fact.why]}`;
}

/** A host that was not let through, with the reason and the way out. */
export function formatRefusedHost({ host, port, why, times }: FactOf<'egress-refused'>): string {
  const often = times === 1 ? '' : ` (${times} times)`;
  const reason = why === 'host' ? 'it is not on the list' : 'it leads into a local network';
  const entry = why === 'host' ? `${host}:${port}` : 'its address';
  return `Not let out of the sandbox: ${host}:${port}${often}, ${reason}; to allow it, name ${entry} in sandbox.allow of your own settings`;
}

/** A sign of tampering with its place. */
export function formatTamper(fact: FactOf<'tamper-noted'>): string {
  const place = fact.line === undefined ? fact.file : `${fact.file}:${fact.line}`;
  return `${tamperName[fact.kind]} in ${place}: ${fact.detail}`;
}

const actName = {
  committed: 'The agent committed by itself',
  'rewrote-history': 'The agent rewrote history',
  'merge-in-progress': 'The agent left a merge or rebase in progress',
  'switched-branch': 'The agent switched the branch',
  'moved-ref': 'A branch or tag was moved',
  stashed: 'The stash was changed',
  'changed-git-config': 'The git config was changed',
  'changed-hooks': 'Git hooks were changed',
  'edited-plan': 'The agent edited the plan',
  'ticked-plan': 'The agent ticked the plan',
  'removed-plan': 'The agent removed the plan',
  'edited-check': 'The agent changed what a check runs',
  'changed-user-file': 'A file of yours was changed',
  'left-process': 'A process was left behind',
  'nested-repository': 'A repository inside the repository was made',
  'planted-pipe': 'A pipe was made where git reads a file',
} as const;

const responseName = {
  absorbed: 'absorbed, pawl commits it itself',
  'put-back': 'put back',
  reported: 'left as it is',
  refused: 'refused, the attempt is red',
} as const;

const refusal = {
  'secret-name': 'its name is that of a secret',
  'secret-content': 'it holds what looks like a secret',
  'too-big': 'it is too big',
  'nested-repository': 'it lies in a repository of its own',
  'dirty-submodule': 'it is a submodule with changes',
  'special-file': 'it is no file any longer',
  'git-refuses': 'git does not take it',
  ignored: 'git ignores it',
  installed: 'it is none of the work',
  'users-own': 'it was yours, untracked, before the run',
} as const;

const refusalHint = {
  'secret-name': 'ignore it, or name it in commit.allow',
  'secret-content': 'remove the secret, or name the file in commit.allow',
  'too-big': 'keep it small or out, or name it in commit.allow',
  'nested-repository': 'remove its .git folder, or ignore it',
  'dirty-submodule': 'commit inside the submodule',
  'special-file': 'make it a file again, or remove it',
  'git-refuses': 'see what .gitattributes says of it',
  ignored: 'where the work needs it, change the rule and commit it',
  installed: 'ignore it, or name it in commit.allow',
  'users-own': 'commit it, ignore it, or name it in commit.include',
} as const;

const tamperName = {
  'test-deleted': 'test deleted',
  'test-skipped': 'test skipped',
  'only-added': '“only” added',
  'fewer-tests': 'fewer tests',
  'suppression-added': 'lint or type error suppressed',
  'ci-edited': 'CI config edited',
} as const;

const madeBy = { session: 'by the session', check: 'changed by checks', person: 'by a person' } as const;

function formatTree(fact: FactOf<'tree-written'>): string {
  const by = fact.untouched ? 'no work of a session' : madeBy[fact.by];
  return `tree ${shortOid(fact.tree)}: ${formatChange(fact)}, ${by}`;
}

function formatRescue(fact: FactOf<'rescue-saved'>, verbose: boolean): readonly Line[] {
  const missing = fact.notHeld.map(({ file, why }) => `${file} (${why})`);
  return [
    ...(verbose ? [line('dim', `rescue ${shortOid(fact.oid)} saved: ${fact.reason}`, 1)] : []),
    ...(missing.length === 0
      ? []
      : [
          line(
            'dim',
            `the rescue does not hold ${formatCount(missing.length, 'file')}: ${formatList(missing)}`,
            1,
          ),
        ]),
  ];
}
