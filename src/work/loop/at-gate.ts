// In a lane, work that claims to be finished is merged with what landed, then judged.

import { defined } from '../../defined.ts';
import { restoreAll } from '../guard/guard.ts';
import type { WorkPlace } from '../landing.ts';
import { writeWorkTree } from '../tree/work-tree.ts';
import { stateOf, type Work } from '../work.ts';
import { type EndedTurn, isWorthChecking, type Round } from './inspect.ts';

export type Judgeable = Readonly<{ work: Work; ended: EndedTurn }>;

export type Judged = Judgeable & Readonly<{ round: Round }>;

type Judge = (at: Judgeable) => Promise<Round>;

export async function atGate(place: WorkPlace, at: Judgeable, judge: Judge): Promise<Judged> {
  const isFinished = isWorthChecking(at.work, at.ended.outcome);
  const leave = isFinished ? await place.landing?.enter(at.work.task.id) : undefined;
  if (!leave) return { ...at, round: await judge(at) };
  try {
    return await judgeMerged(place, at, judge);
  } finally {
    leave();
  }
}

async function judgeMerged(place: WorkPlace, first: Judgeable, judge: Judge): Promise<Judged> {
  for (let at = first; ; ) {
    const caught = await catchUp(place, at);
    if (!caught) return { ...at, round: dropped(place, at.work) };
    at = caught;
    const round = await judge(caught);
    if (round.isOvertaken) continue;
    const { work, isMerged, ended } = caught;
    place.landing?.judged({ work, isMerged, unmerged: ended.unmerged ?? [], verdict: round.verdict });
    return { ...at, round };
  }
}

/** Restores git first: an agent's own commits are no base for a merge. */
async function catchUp(
  place: WorkPlace,
  { work, ended }: Judgeable,
): Promise<(Judgeable & Readonly<{ isMerged: boolean }>) | undefined> {
  const whose = { task: work.task.id, ...defined({ session: ended.session }) };
  const reds = await restoreAll(place, work, { before: ended.before, whose });
  const tree = await writeWorkTree(place, work, 'session');
  const caught = await place.landing?.catchUp(work, tree);
  if (!caught) return undefined;
  const { before = ended.before, unmerged, unproved, told } = caught;
  return {
    work: caught.work,
    isMerged: caught.before !== undefined,
    ended: { ...ended, before, unmerged, unproved, told, reds: [...(ended.reds ?? []), ...reds] },
  };
}

function dropped(place: WorkPlace, work: Work): Round {
  const reason = 'the plan no longer says what the session was told about the task';
  const { tree = work.start.tree } = stateOf(place, work.task);
  return { verdict: { kind: 'again', reason, counts: false }, evidence: '', fingerprint: undefined, tree };
}
