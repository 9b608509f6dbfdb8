// Lists the plans of a repository, for commands without a named plan.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isPlanFile, plansFolder } from '../plan/plan-name.ts';

/** Absolute paths of the markdown files where plans live, by name. */
export function listPlans(root: string): readonly string[] {
  const folder = path.join(root, plansFolder);
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && isPlanFile(`${plansFolder}/${entry.name}`))
      .map((entry) => path.join(folder, entry.name))
      .sort();
  } catch {
    return [];
  }
}
