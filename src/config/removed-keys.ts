// Settings that pawl no longer has, and what takes the place of each. Pure.

import { acpNames } from './agent-name.ts';

/** By the setting's name; a name that ends in a dot stands for all below it. */
const removed: Readonly<Record<string, string>> = {
  'fleet.account':
    'machines share no money and no usage window; `--max-cost` and `budgets.day` cap what each spends',
  'fleet.share': 'machines share no money; `--max-cost` and `budgets.day` cap what each spends',
  'fleet.patience': 'no session asks the database any more',
  allowUnchecked: '`require: unchecked` says it',
  'task.correctUnder': 'it is four minutes for everybody',
  'task.cutOffs': 'it is three for everybody',
  'task.repeats': 'it is fifty for everybody',
  replans: 'a run may change its plan twice',
  'commit.maxFileMb': 'it is ten; `commit.allow` names files that may be larger',
  'clocks.firstEvent': 'it is 90s for everybody',
  'clocks.api': 'it is 15m for everybody',
  'clocks.trial': 'it is 5m for everybody',
  'clocks.git': 'it is 2m for everybody',
  'clocks.commit': 'it is 15m for everybody',
  'limits.near': 'it is 15m for everybody',
  'limits.backoff': 'it is 5m for everybody',
  'limits.backoffs': 'it is five for everybody',
  'carry.every': 'it is 5m for everybody',
  'carry.patience': 'it is 2m for everybody',
  'journal.keep': 'the newest 20 finished runs are kept; `pawl report` exports one',
  'review.jobs': 'five reviewers work at the same time',
  'sandbox.pids': 'it is 1024 for everybody',
  replanPolicy: 'a planner may not weaken the plan; edit the plan yourself',
  updateNotice: 'your package manager tells of newer versions',
  ...Object.fromEntries(
    acpNames.map((name) => [
      `agent.${name}.`,
      `write it as agents: { ${name}: { command, args, env, mode, model } }`,
    ]),
  ),
  'agent.roleFallback.': 'agent.fallback is the list for all roles',
};

/** What to do about a setting that is gone; undefined if there never was one of that name. */
export function replacementOf(name: string): string | undefined {
  const found = Object.keys(removed).find((each) =>
    each.endsWith('.') ? `${name}.`.startsWith(each) : name === each,
  );
  return found === undefined ? undefined : removed[found];
}
