// Folds what belongs to no task but a person has to know.
import type { Fact, FactOf, Stamped } from '../event.ts';
import type { Draft } from './fold-run.ts';
import { narrowedCode } from './state.ts';

export function foldFound(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'files-made':
      if (fact.lane === undefined) draft.leftOut = withMade(draft.leftOut, fact);
      return;
    case 'egress-refused':
      draft.refusedHosts = [...draft.refusedHosts.filter((other) => !isSameHost(other, fact)), fact];
      return;
    case 'rescue-saved':
      if (fact.notHeld.length > 0) draft.rescues = [...draft.rescues, fact];
      return;
    case 'noticed':
      draft.notices = [...draft.notices, fact];
      draft.isNarrowed ||= fact.code === narrowedCode;
      return;
    case 'act-found':
      if (!isOfTask(draft, fact.task)) draft.violations = [...draft.violations, fact];
      return;
    case 'file-refused':
      if (!isOfTask(draft, fact.task)) draft.refused = [...draft.refused, fact];
      return;
  }
}

/** Checks of the whole run. */
export function foldChecks(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'check-started':
      draft.checks += 1;
      return;
    case 'check-ended':
      // It runs again, and counts then.
      if (fact.result === 'interrupted') return;
      // A baseline that stopped the run is taken again.
      if (fact.when === 'baseline')
        draft.baseline = [...draft.baseline.filter(({ check }) => check !== fact.check), fact];
      // So is the end of a continued run.
      if (fact.when === 'at-end')
        draft.atEnd = [...draft.atEnd.filter(({ check }) => check !== fact.check), fact];
      return;
    case 'task-reopened':
      // The results were of other work.
      draft.atEnd = [];
      delete draft.freshVerified;
      return;
    case 'fresh-verified':
      draft.freshVerified = fact;
      return;
  }
}

export function withMade(
  files: readonly string[],
  { files: told, by }: FactOf<'files-made'>,
): readonly string[] {
  const others = files.filter((file) => !told.includes(file));
  return by === 'session' ? others : [...others, ...told];
}

function isSameHost(one: FactOf<'egress-refused'>, other: FactOf<'egress-refused'>): boolean {
  return one.host === other.host && one.port === other.port;
}

function isOfTask(draft: Draft, task: string | undefined): boolean {
  return task !== undefined && draft.tasks.has(task);
}
