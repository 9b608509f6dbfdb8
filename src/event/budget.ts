// Facts about budgets: the caps of a run, who set each, and how much is spent; and which cap applies, so that every reader of
// the facts agrees.
import { z } from 'zod';

/** `cost`, `day`: US dollars of the run, or of all runs of the repository in one local day. `time`: milliseconds. */
export const budgetNameSchema = z.enum(['cost', 'day', 'tokens', 'time', 'sessions']);

export type BudgetName = z.infer<typeof budgetNameSchema>;

const capSchema = z.object({
  budget: budgetNameSchema,
  /** In the budget's own unit. */
  cap: z.number(),
  /** Whose word it is: a flag, a variable, a file with its line; `default`: nobody's. */
  from: z.string(),
});

/** One cap and where it comes from. */
export type Cap = Readonly<z.infer<typeof capSchema>>;

/** The caps of a run by who set them: the settings of its last start, and what a person asked for this run. */
export type Caps = Readonly<{ settings: readonly Cap[]; asked: readonly Cap[] }>;

export const budgetFacts = [
  /** The caps from here on, all of them: said at every start, and when a person sets one. */
  z.object({
    type: z.literal('budgets-set'),
    /** The tightest of environment, plan, project and user, by budget. */
    settings: z.array(capSchema),
    /** A person's word for this run, by flag or command; it holds over restarts until another one. */
    asked: z.array(capSchema),
  }),
  /** Told once for each budget, cap and share. */
  z.object({
    type: z.literal('budget-reached'),
    /** `task`: the `budget:` of one task, US dollars. */
    budget: z.enum([...budgetNameSchema.options, 'task']),
    /** Of a task's own budget. */
    task: z.string().optional(),
    /** Of a day's budget: the local date, as 2026-11-22. */
    day: z.string().optional(),
    /** 0.8: most of it is spent. 1: it is spent, and nothing more is begun. */
    share: z.literal([0.8, 1]),
    /** In the budget's own unit, as the cap. */
    spent: z.number(),
    cap: z.number(),
    /** `spent` is a lower bound. */
    atLeast: z.boolean(),
  }),
] as const;

/** The caps that hold, by budget: the settings only tighten what a person asks, a default gives way. */
export function capsInForce({ settings, asked }: Caps): readonly Cap[] {
  return budgetNameSchema.options.flatMap((budget) => {
    const all = [...settings, ...asked].filter((cap) => cap.budget === budget);
    const meant = all.filter(({ from }) => from !== 'default');
    const [first, ...rest] = meant.length > 0 ? meant : all;
    // Of two equal ones that of the settings: it is the one that has to be raised.
    return first ? [rest.reduce((least, cap) => (cap.cap < least.cap ? cap : least), first)] : [];
  });
}

/** The caps after a person asked for some; what was asked before and is not named again still holds. */
export function askCaps({ settings, asked }: Caps, now: readonly Cap[]): Caps {
  const kept = asked.filter(({ budget }) => !now.some((cap) => cap.budget === budget));
  return { settings, asked: [...kept, ...now] };
}
