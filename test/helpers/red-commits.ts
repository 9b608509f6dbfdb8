// Takes each commit of a branch out on its own, and runs there the plan's checks and those of the tasks that are ticked in it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { makeTempFolder } from './temp-folder.ts';

const run = promisify(execFile);

type Branch = Readonly<{
  /** Of the repository. */
  path: string;
  git(...args: readonly string[]): Promise<string>;
}>;

/** The commits since `base` with a check that fails in them, and which check it is. */
export async function redCommits(repo: Branch, base = 'main'): Promise<readonly string[]> {
  const lines = async (...args: readonly string[]) => (await repo.git(...args)).split('\n').filter(Boolean);
  const red: string[] = [];
  for (const commit of await lines('rev-list', '--reverse', `${base}..HEAD`)) {
    const plans = await lines('ls-tree', '-r', '--name-only', commit, 'docs/plans/');
    const checks = checksOf(await repo.git('show', `${commit}:${plans[0]}`));
    using folder = makeTempFolder();
    await run('sh', ['-c', `git -C "$0" archive ${commit} | tar -x -C "$1"`, repo.path, folder.path]);
    for (const check of checks)
      await run('bash', ['-c', check], { cwd: folder.path }).catch(() => red.push(`${commit} ${check}`));
  }
  return red;
}

function checksOf(plan: string): readonly string[] {
  const [top = '', ...tasks] = plan.split(/^### /m);
  const own = tasks
    .filter((section) => section.includes('- [x]'))
    .flatMap((section) => /- check: `(.*)`/.exec(section)?.[1] ?? []);
  return [...(/^## Checks\n- `(.*)`/m.exec(top)?.slice(1) ?? []), ...own];
}
