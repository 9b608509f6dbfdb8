// `pawl fleet work`: works on plans of a fleet's queue.
import { runWorker, type WorkerOptions } from '../start/fleet/worker.ts';
import type { Command } from './command.ts';
import { workerOptions } from './fleet-options.ts';

export const work: Command<WorkerOptions> = (context, _args, options) =>
  runWorker(context, options, workerOptions);
