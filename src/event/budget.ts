// Facts about budgets: the caps of a run, who set each, and how much is spent.
import { z } from 'zod';
import { budgetNames } from './caps.ts';

const budgetNameSchema = z.enum(budgetNames);

const capSchema = z.object({
  budget: budgetNameSchema,
  /** In the budget's own unit. */
  cap: z.number(),
  /** Who set it: a flag, a variable, a file with its line; `default`: nobody. */
  from: z.string(),
});

export const budgetFacts = [
  /** All caps from here on; emitted at every start, and when a person sets one. */
  z.object({
    type: z.literal('budgets-set'),
    /** The tightest of environment, plan, project and user settings, by budget. */
    settings: z.array(capSchema),
    /** What a person asked for this run, by flag or command; holds across restarts until they ask again. */
    asked: z.array(capSchema),
  }),
  /** Emitted once for each budget, cap and share. */
  z.object({
    type: z.literal('budget-reached'),
    /** `task`: the `budget:` of one task, US dollars. */
    budget: z.enum([...budgetNames, 'task']),
    /** The task, for its own budget. */
    task: z.string().optional(),
    /** The local date, e.g. 2026-11-22, for a day's budget. */
    day: z.string().optional(),
    /** 0.8: most of it is spent. 1: it is spent, and nothing more starts. */
    share: z.literal([0.8, 1]),
    /** In the same unit as the cap. */
    spent: z.number(),
    cap: z.number(),
    /** `spent` is a lower bound. */
    atLeast: z.boolean(),
  }),
] as const;
