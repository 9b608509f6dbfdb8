// `pawl fleet submit`: puts a plan into the queue of a fleet.
import { type SubmitOptions, submitPlan } from '../start/fleet/submit.ts';
import type { Command } from './command.ts';

export const submit: Command<SubmitOptions> = (context, [plan = ''], options) =>
  submitPlan(context, plan, options);
