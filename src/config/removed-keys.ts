// Settings that pawl no longer has, and what takes the place of each. Pure.

/** By the setting's name; a name that ends in a dot stands for all below it. */
const removed: Readonly<Record<string, string>> = {
  'fleet.account':
    'machines share no money and no usage window; `--max-cost` and `budgets.day` cap what each spends',
  'fleet.share': 'machines share no money; `--max-cost` and `budgets.day` cap what each spends',
  'fleet.patience': 'no session asks the database any more',
  allowUnchecked: '`require: unchecked` says it',
  updateNotice: 'your package manager tells of newer versions',
  'agent.roleFallback.': 'agent.fallback is the list for all roles',
};

/** What to do about a setting that is gone; undefined if there never was one of that name. */
export function replacementOf(name: string): string | undefined {
  const found = Object.keys(removed).find((each) =>
    each.endsWith('.') ? `${name}.`.startsWith(each) : name === each,
  );
  return found === undefined ? undefined : removed[found];
}
