// Whether a run that is taken up could continue here without a question of trust: the remote is changed before the run
// could ask, and whoever works on it elsewhere would be ended for nothing.
import { Failure } from '../../failure.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { isTrustPath } from '../../trust/trust-files.ts';
import { wasTrusted } from '../consent.ts';
import type { CliContext } from '../context.ts';

/**
 * Throws Failure('trust') if the clone was never trusted, or if the run's commit has other files that make programs run
 * than this clone.
 */
export async function refuseUntrusted(
  context: CliContext,
  repo: Repo,
  { run, target }: Readonly<{ run: string; target: string }>,
): Promise<void> {
  if (!wasTrusted(context, repo.root))
    throw new Failure('trust', 'this repository is not trusted here', {
      hint: '`pawl trust` shows what would run, `pawl trust --yes` allows it; or add --trust, or --trust-hash with its hash.',
    });
  const changed = (await repo.git(['diff', '--name-only', '-z', target])).split('\0').filter(isTrustPath);
  if (changed.length === 0) return;
  throw new Failure(
    'trust',
    `run ${run} and this clone differ in files that make programs run: ${fewOf(changed)}`,
    {
      hint: 'Bring this clone to the run’s state, e.g. with `git pull`, then `pawl trust`; or read the files on its branch, and add --trust.',
    },
  );
}
