// Facts about budgets: the caps of a run, who set each, and how much is spent; and which cap applies, so that every reader
// of the facts agrees.
import { z } from 'zod';

/** `cost`, `day`: US dollars of the run, or of all the repository's runs in one local day. `time`: milliseconds. */
export const budgetNameSchema = z.enum(['cost', 'day', 'tokens', 'time', 'sessions']);

export type BudgetName = z.infer<typeof budgetNameSchema>;

const capSchema = z.object({
  budget: budgetNameSchema,
  /** In the budget's own unit. */
  cap: z.number(),
  /** Who set it: a flag, a variable, a file with its line; `default`: nobody. */
  from: z.string(),
});

/** One cap and where it comes from. */
export type Cap = Readonly<z.infer<typeof capSchema>>;

/** The caps of a run by who set them: the settings at its last start, and what a person asked for. */
export type Caps = Readonly<{ settings: readonly Cap[]; asked: readonly Cap[] }>;

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
    budget: z.enum([...budgetNameSchema.options, 'task']),
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

/** The caps that apply, by budget: settings can only tighten what a person asks for; a default gives way. */
export function capsInForce({ settings, asked }: Caps): readonly Cap[] {
  return budgetNameSchema.options.flatMap((budget) => {
    const all = [...settings, ...asked].filter((cap) => cap.budget === budget);
    const meant = all.filter(({ from }) => from !== 'default');
    const [first, ...rest] = meant.length > 0 ? meant : all;
    // If two are equal, that of the settings: it is the one that has to be raised.
    return first ? [rest.reduce((least, cap) => (cap.cap < least.cap ? cap : least), first)] : [];
  });
}

/** The caps after a person asked for some; earlier requests that are not repeated still hold. */
export function askCaps({ settings, asked }: Caps, now: readonly Cap[]): Caps {
  const kept = asked.filter(({ budget }) => !now.some((cap) => cap.budget === budget));
  return { settings, asked: [...kept, ...now] };
}
