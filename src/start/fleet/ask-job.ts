// Asks something of a job's run through the fleet's database. A job that ended for want of this is queued again.

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Wish } from '../../control/request.ts';
import { Failure } from '../../failure.ts';
import { jobSchema, type Result } from '../../fleet/job.ts';
import type { Listed } from '../../fleet/listed.ts';
import { addRequest, findRequest, type RequestReply } from '../../fleet/requests.ts';
import { describeAsker } from '../carry/prepare-carry.ts';
import type { CliContext } from '../context.ts';
import { openFleet, readFleetConfig } from './settings.ts';
import { needJob } from './view.ts';

const resolves: Readonly<Partial<Record<Wish['do'], Result['kind']>>> = {
  answer: 'asks',
  retry: 'failed',
  'set-budget': 'budget',
};

const replyMs = 20_000;

export async function askJob(context: CliContext, named: string, wish: Wish): Promise<string> {
  const config = readFleetConfig(context);
  await using fleet = await openFleet(config);
  const { queue, database } = fleet;
  const job = await needJob(queue, named);
  const by = describeAsker(context, config);
  const told = `\`pawl fleet ${job.id.slice(0, 8)}\` shows what becomes of it.`;
  if (job.result) {
    refuseOver(job, job.result, wish);
    // Before the job is queued, so that nobody begins without it.
    const id = randomUUID();
    await addRequest(database.query, { job: job.id, by, wish });
    await queue.submit({ id, job: jobSchema.parse(job.data) });
    return `Asked. The plan is in the queue again, as ${id}; its run is told when it continues.`;
  }
  if (job.state !== 'active') refuseIdle(job, wish);
  const id = await addRequest(database.query, { job: job.id, by, wish });
  if (job.state !== 'active') return `Asked. The run is told when it continues. ${told}`;
  for (const until = performance.now() + replyMs; performance.now() < until && !context.signal.aborted; ) {
    const reply = (await findRequest(database.query, id))?.reply;
    if (reply) return worded(reply);
    await wait(500);
  }
  return `Asked, and not taken yet. ${told}`;
}

function worded({ ok, text }: RequestReply): string {
  if (ok) return text;
  throw new Failure('usage', text);
}

function refuseOver({ id }: Listed, { kind, says }: Result, wish: Wish): void {
  if (resolves[wish.do] === kind) return;
  throw new Failure('usage', `${id.slice(0, 8)} is over as ${kind}: ${says}`, {
    hint: `\`pawl fleet ${id.slice(0, 8)}\` says what continues it.`,
  });
}

function refuseIdle({ id }: Listed, wish: Wish): void {
  if (wish.do !== 'stop' && wish.do !== 'pause' && wish.do !== 'continue') return;
  throw new Failure('usage', `nobody works on ${id.slice(0, 8)} now`, {
    hint: `\`pawl fleet cancel ${id.slice(0, 8)}\` takes it out of the queue.`,
  });
}
