// Facts about budgets.
import { z } from 'zod';
import { budgetNames } from './caps.ts';

const budgetNameSchema = z.enum(budgetNames);

const capSchema = z.object({
  budget: budgetNameSchema,
  cap: z.number(),
  /** A flag, a variable, a file with its line; `default`: nobody. */
  from: z.string(),
});

export const budgetFacts = [
  /** All caps from here on; emitted at every start, and when a person sets one. */
  z.object({
    type: z.literal('budgets-set'),
    /** The tightest of all settings, by budget. */
    settings: z.array(capSchema),
    /** By flag or command; holds across restarts until asked again. */
    asked: z.array(capSchema),
  }),
  /** Once for each budget, cap and share. */
  z.object({
    type: z.literal('budget-reached'),
    /** `task`: the `budget:` of one task, US dollars. */
    budget: z.enum([...budgetNames, 'task']),
    task: z.string().optional(),
    /** For a day's budget: the local date, e.g. 2026-11-22. */
    day: z.string().optional(),
    /** 0.8: most of it is spent. 1: it is spent, and nothing more starts. */
    share: z.literal([0.8, 1]),
    /** In the cap's unit. */
    spent: z.number(),
    cap: z.number(),
    /** `spent` is a lower bound. */
    atLeast: z.boolean(),
  }),
] as const;
