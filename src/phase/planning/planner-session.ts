// A planner's session: when it may be asked, and a read-only process in a throw-away checkout.
import type { Session } from '../../agent/session/session-plan.ts';
import { readModel } from '../../config/model-choice.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { inLook } from '../../ground/in-ground.ts';
import type { Place } from '../../place/place.ts';
import { readTemplate } from '../../prompt/library.ts';
import { bareMarkers } from '../../prompt/prompts.ts';
import type { Template } from '../../prompt/template.ts';
import { emitBudgets, overspendNow } from '../../work/budget/spending.ts';
import { whileStill } from '../../work/guard/standstill.ts';
import { takeAgent } from '../../work/session/choose-agent.ts';
import { openRunSession, prepareOpening } from '../../work/session/open-session.ts';
import { interrupted, type Stop } from '../../work/stopped.ts';
import { waitBefore, waitFor } from '../../work/wait/wait.ts';
import type { Reply } from '../review/hear-turn.ts';

type Role = 'plan' | 'replan';

export type PlannerEnd<T> = Extract<Reply<T>, { kind: 'opinion' | 'missing' }> | Stop;

/** Once nothing prevents it. Undefined: something external ended its session; it may be asked again. */
export async function askInLook<T>(
  place: Place,
  { role, base, ask }: Readonly<{ role: Role; base?: string; ask: (root: string) => Promise<Reply<T>> }>,
): Promise<PlannerEnd<T> | undefined> {
  if (place.run.signal.aborted) return interrupted;
  emitBudgets(place);
  const overspend = overspendNow(place, undefined, { newSession: true });
  if (overspend) return { kind: 'stop', why: 'budget', ...overspend };
  const duties = [{ role }];
  const noWait = await waitBefore(place, { duties, isWanted: () => !place.run.state().pause });
  if (noWait) return noWait;
  const head = await readHeadCommit(place.repo);
  const reply = await whileStill(place, 'planner', () =>
    inLook(place, { head, base: base ?? head, who: 'planner' }, ask),
  );
  switch (reply.kind) {
    case 'held':
      return undefined;
    case 'wait':
      return waitFor(place, reply, { duties, isWanted: () => true });
    case 'missing':
      return place.run.signal.aborted ? interrupted : reply;
    case 'opinion':
    case 'stop':
      return reply;
  }
}

export type PlannerSession = Readonly<{ session: Session; number: number; nonce: string }>;

export type PromptMaker = (
  template: Template,
  opening: Pick<ReturnType<typeof prepareOpening>, 'guide' | 'nonce'>,
) => string;

type Opening = Readonly<{ root: string; role: Role; makePrompt: PromptMaker }>;

/** The session is over when this returns. */
export async function withPlanner<T>(
  place: Place,
  { root, role, makePrompt }: Opening,
  act: (planner: PlannerSession) => Promise<T>,
): Promise<T> {
  const opening = prepareOpening(place);
  const { number, nonce } = opening;
  const template = readTemplate(opening.library, role);
  const prompt = makePrompt(template, opening);
  const taken = takeAgent(place, { role });
  const session = openRunSession(place, opening, {
    role,
    ...taken,
    model: taken.insteadOf === undefined ? readModel(place.run.config.roles.plan) : {},
    request: { readOnly: true },
    prompt,
    bare: bareMarkers(template),
    cwd: root,
  });
  try {
    return await act({ session, number, nonce });
  } finally {
    await session.close();
    emitBudgets(place);
  }
}
