// The caps that apply to a run. Knows no schema, so that it loads fast.

/** `cost`, `day`: US dollars of the run, or of all the repository's runs in one local day. `time`: milliseconds. */
export const budgetNames = ['cost', 'day', 'tokens', 'time', 'sessions'] as const;

export type BudgetName = (typeof budgetNames)[number];

/** `cap`: in the budget's own unit; `from`: a flag, a variable, a file with its line, or `default`: nobody. */
export type Cap = Readonly<{ budget: BudgetName; cap: number; from: string }>;

/** The settings at the last start, and what a person asked for. */
export type Caps = Readonly<{ settings: readonly Cap[]; asked: readonly Cap[] }>;

/** Settings can only tighten what a person asks for; a default gives way. */
export function capsInForce({ settings, asked }: Caps): readonly Cap[] {
  return budgetNames.flatMap((budget) => {
    const all = [...settings, ...asked].filter((cap) => cap.budget === budget);
    const meant = all.filter(({ from }) => from !== 'default');
    const [first, ...rest] = meant.length > 0 ? meant : all;
    // If two are equal, the settings' one: it is the one that has to be raised.
    return first ? [rest.reduce((least, cap) => (cap.cap < least.cap ? cap : least), first)] : [];
  });
}

/** Earlier requests that are not repeated still hold. */
export function askCaps({ settings, asked }: Caps, now: readonly Cap[]): Caps {
  const kept = asked.filter(({ budget }) => !now.some((cap) => cap.budget === budget));
  return { settings, asked: [...kept, ...now] };
}
